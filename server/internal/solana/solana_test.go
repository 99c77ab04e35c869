package solana_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/server/internal/solana"
	st "github.com/manifestseal/manifestseal/server/internal/solana/solanatest"
)

const blockhash = "GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT4Zkd3EittNR1W"

var (
	feePayer = st.Key("fee payer")
	payer    = st.Key("payer")
	other    = st.Key("somebody else")
	terms    = solana.Terms{
		Network:  solana.Devnet,
		Mint:     solana.USDCDevnet,
		PayTo:    st.Public(st.Key("shop")).String(),
		FeePayer: st.Public(feePayer).String(),
		Amount:   50_000,
		Memo:     "b3JkZXI",
	}
)

func pay() st.Parts { return st.Pay(terms, payer, blockhash) }

// judge is what the till does with a transaction that it does not know.
func judge(tx []byte, t solana.Terms) error {
	p, err := solana.Decode(tx)
	if err != nil {
		return err
	}
	if err := p.Check(t); err != nil {
		return err
	}
	return p.VerifyPayer()
}

func codeOf(err error) string {
	if invalid, ok := errors.AsType[*solana.Invalid](err); ok {
		return invalid.Code
	}
	return ""
}

func TestAcceptedPayments(t *testing.T) {
	t.Parallel()
	noMemo := terms
	noMemo.Memo = ""
	token2022 := pay()
	token2022.Instructions[2] = st.Transfer(terms, st.Public(payer), sol.Token2022ProgramID)
	legacy := pay()
	legacy.Legacy = true
	guarded := pay() // as Phantom sends it
	guarded.Instructions = append(guarded.Instructions, st.Assertion(st.Account{Key: st.Public(payer)}), st.Assertion(), st.Assertion())
	early := pay()
	early.Instructions = append(early.Instructions[:3:3], st.Assertion(), st.Memo(terms.Memo))
	bare := pay()
	bare.Instructions = bare.Instructions[:3]
	highest := pay()
	highest.Instructions[0], highest.Instructions[1] = st.Limit(solana.MaxComputeUnits), st.Price(solana.MaxPriorityFee*1_000_000/solana.MaxComputeUnits)
	borrowed := pay() // from an account of another shape than the payer's own
	borrowed.Instructions[2].Accounts[0].Key = st.Public(other)
	long := pay()
	longTerms := terms
	longTerms.Memo = string(bytes.Repeat([]byte("m"), 256))
	long.Instructions[3] = st.Memo(longTerms.Memo)
	for _, test := range []struct {
		name  string
		parts st.Parts
		terms solana.Terms
	}{
		{"what the x402 client signs", pay(), terms},
		{"legacy message", legacy, terms},
		{"Token-2022", token2022, terms},
		{"three assertions of a wallet", guarded, terms},
		{"an assertion before the memo", early, terms},
		{"terms without a memo, payment with one", pay(), noMemo},
		{"terms without a memo, payment without", bare, noMemo},
		{"the whole priority fee", highest, terms},
		{"paid from another account", borrowed, terms},
		{"a memo of two length bytes", long, longTerms},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if err := judge(test.parts.Bytes(), test.terms); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	tx := pay().Bytes()
	p, err := solana.Decode(tx)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.MessageHash(), sha256.Sum256(tx[1+2*64:]); got != want {
		t.Errorf("MessageHash = %x, want that of the bytes behind the signatures, %x", got, want)
	}
	if got, want := p.Payer(), st.Public(payer).String(); got != want {
		t.Errorf("Payer = %s, want %s", got, want)
	}
	if got := p.Blockhash(); got != blockhash {
		t.Errorf("Blockhash = %s, want %s", got, blockhash)
	}
}

// The fee payer's slot is not the payer's to sign: whatever stands in it, the
// payment is the same one, and settles as the same transaction.
func TestFeePayerSlotIsNoIdentity(t *testing.T) {
	t.Parallel()
	clean := pay().Bytes()
	dirty := bytes.Clone(clean)
	copy(dirty[1:65], bytes.Repeat([]byte{0xEE}, 64))
	a, errA := solana.Decode(clean)
	b, errB := solana.Decode(dirty)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if a.MessageHash() != b.MessageHash() {
		t.Error("the fee payer's slot changes the message hash")
	}
	signedA, nameA, errA := solana.CoSign(clean, feePayer)
	signedB, nameB, errB := solana.CoSign(dirty, feePayer)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if !bytes.Equal(signedA, signedB) || nameA != nameB {
		t.Error("the fee payer's slot changes the settled transaction")
	}
}

func TestCoSign(t *testing.T) {
	t.Parallel()
	tx := pay().Bytes()
	before := bytes.Clone(tx)
	signed, name, err := solana.CoSign(tx, feePayer)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(tx, before) {
		t.Error("CoSign wrote into the received bytes")
	}
	if !bytes.Equal(signed[65:], tx[65:]) || signed[0] != tx[0] {
		t.Error("CoSign changed more than the first slot")
	}
	if !ed25519.Verify(feePayer.Public().(ed25519.PublicKey), tx[129:], signed[1:65]) {
		t.Error("the fee payer's signature does not verify")
	}
	if got := sol.SignatureFromBytes(signed[1:65]).String(); got != name {
		t.Errorf("signature = %s, want %s", name, got)
	}
	decoded, err := sol.TransactionFromBytes(signed)
	if err != nil {
		t.Fatal(err)
	}
	if err := decoded.VerifySignatures(); err != nil {
		t.Error(err)
	}
}

func TestCoSignRefusals(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		tx  []byte
		key ed25519.PrivateKey
	}{
		"somebody else's key": {pay().Bytes(), other},
		"the payer's key":     {pay().Bytes(), payer},
		"no key":              {pay().Bytes(), nil},
		"half a key":          {pay().Bytes(), feePayer[:32]},
		"no transaction":      {nil, feePayer},
		"half a transaction":  {pay().Bytes()[:100], feePayer},
	} {
		if signed, signature, err := solana.CoSign(test.tx, test.key); err == nil || signed != nil || signature != "" {
			t.Errorf("%s: CoSign gave %x, %q, %v", name, signed, signature, err)
		}
	}
}

func TestTermsAreRead(t *testing.T) {
	t.Parallel()
	p, err := solana.Decode(pay().Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*solana.Terms){
		"mint":     func(t *solana.Terms) { t.Mint = "" },
		"payTo":    func(t *solana.Terms) { t.PayTo = "0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl" },
		"feePayer": func(t *solana.Terms) { t.FeePayer = "11111111111111111111111111111111111111111111" },
	} {
		bad := terms
		spoil(&bad)
		if err := p.Check(bad); err == nil || codeOf(err) != "" {
			t.Errorf("%s: Check = %v, want an error that is not the buyer's", name, err)
		}
	}
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	key, err := solana.ParseKey(solana.USDCDevnet)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sol.MustPublicKeyFromBase58(solana.USDCDevnet), sol.PublicKey(key)); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "x", solana.USDCDevnet + "1", solana.USDCDevnet[1:] + " ", string(bytes.Repeat([]byte("z"), 44)), string(bytes.Repeat([]byte("z"), 1<<20))} {
		if _, err := solana.ParseKey(bad); err == nil {
			t.Errorf("ParseKey(%.50q) gave no error", bad)
		}
	}
}
