package templates

// Asset is the URL of one built file and its integrity value.
type Asset struct {
	URL       string
	Integrity string
}

// Page is what every page of the site needs to know about itself.
type Page struct {
	Title string // stands before the product's name in the title bar
	Path  string // which entry of the navigation is the current one
	Build string // id of the asset bundle

	Development bool // a development server: its reports are worth nothing

	Icon   Asset
	Style  Asset
	Script Asset // the page's own module, or the zero Asset
}

// Compare is the page that compares two manifests in the browser.
type Compare struct {
	Page            Page
	Worker          Asset
	ServiceWorker   string // its path, or "" where the site has none
	Engine          Asset
	ExampleBaseline Asset
	ExampleCurrent  Asset
	ServiceCap      int    // bytes that the paid service takes
	Keys            string // the server's own key set, JWKS
}

// Verify is the page that verifies a signed report in the browser.
type Verify struct {
	Page          Page
	Worker        Asset
	ServiceWorker string // its path, or "" where the site has none
	Engine        Asset
	Keys          string // the server's own key set, JWKS
}

// navigation is the header's list of pages.
func navigation() []struct{ path, label string } {
	return []struct{ path, label string }{
		{"/", "Compare"},
		{"/inspect", "Inspect"},
		{"/verify", "Verify"},
		{"/example", "Example"},
		{"/report", "Buy a report"},
		{"/criteria", "Criteria"},
		{"/docs", "Reference"},
	}
}
