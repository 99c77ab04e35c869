package templates

// Buy is the page that sells signed reports.
type Buy struct {
	Page       Page
	Worker     Asset
	Engine     Asset
	Keys       string // of this server, JWKS
	ServiceCap int
	Shop       Shop
	DevWallet  Asset // a burner wallet's script, in development only
	Free       bool  // a development server: reports without payment
}

// Shop is what a buyer agrees to. The zero value sells nothing.
type Shop struct {
	Network     string // CAIP-2
	NetworkName string // for people
	Chain       string // as the Wallet Standard names it
	Mint, PayTo string
	Audit       uint64 // prices, in the mint's units
	Drift       uint64
}

func (b Buy) sells() bool { return b.Free || b.Shop.PayTo != "" }

func (b Buy) sale() string {
	switch {
	case b.Shop.PayTo != "":
		return "paid"
	case b.Free:
		return "free"
	}
	return "none"
}
