package solana_test

import (
	"bytes"
	"testing"

	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// FuzzDecode: whatever arrives is refused with a code of x402 or read; what is
// read has one identity, and co-signing changes the first slot alone.
func FuzzDecode(f *testing.F) {
	f.Add(pay().Bytes())
	for _, test := range refusals {
		f.Add(test.tx)
	}
	f.Fuzz(func(t *testing.T, tx []byte) {
		p, err := solana.Decode(tx)
		if err != nil {
			if codeOf(err) == "" || p != nil {
				t.Fatalf("Decode = %v, %v: want nil and an *Invalid", p, err)
			}
			return
		}
		before := p.MessageHash()
		if err := p.Check(terms); err != nil && codeOf(err) == "" {
			t.Fatalf("Check = %v: want an *Invalid", err)
		}
		if err := p.VerifyPayer(); err != nil && codeOf(err) == "" {
			t.Fatalf("VerifyPayer = %v: want an *Invalid", err)
		}
		_, _ = p.Payer(), p.Blockhash()
		signed, _, err := solana.CoSign(tx, feePayer)
		if err != nil {
			return // not our fee payer
		}
		if !bytes.Equal(signed[:1], tx[:1]) || !bytes.Equal(signed[65:], tx[65:]) {
			t.Fatal("CoSign changed more than the first slot")
		}
		again, err := solana.Decode(signed)
		if err != nil || again.MessageHash() != before {
			t.Fatalf("the signed transaction reads as another: %v", err)
		}
	})
}
