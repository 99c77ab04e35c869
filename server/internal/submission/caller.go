package submission

import (
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/solana"
)

func (s *Submission) readCaller(v jsonvalue.Value, kind Kind) *Refusal {
	switch {
	case !v.Exists() && kind == Precheck:
		return refuse("caller_missing", "", "The free pre-check needs caller: the Solana address of your wallet, in base58.")
	case v.Exists() && !isWallet(v.Text()):
		return refuse("invalid_caller", "/"+caller, "caller is no Solana address: 32 bytes in base58, 32 to 44 characters.")
	}
	s.Caller = v.Text()
	return nil
}

func isWallet(text string) bool {
	_, err := solana.ParseKey(text)
	return err == nil
}
