package submission

import (
	"math/big"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

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

// isWallet says whether a text is 32 bytes in base58, in the one spelling that
// they have.
func isWallet(text string) bool {
	if len(text) < 32 || len(text) > 44 {
		return false
	}
	n, base := new(big.Int), big.NewInt(int64(len(base58)))
	for _, c := range []byte(text) {
		digit := strings.IndexByte(base58, c)
		if digit < 0 {
			return false
		}
		n.Mul(n, base).Add(n, big.NewInt(int64(digit)))
	}
	// Each leading 1 is a leading zero byte.
	zeros := len(text) - len(strings.TrimLeft(text, base58[:1]))
	return zeros+(n.BitLen()+7)/8 == 32
}
