package solana_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/server/internal/solana"
	st "github.com/manifestseal/manifestseal/server/internal/solana/solanatest"
)

func TestReadPrivateKey(t *testing.T) {
	t.Parallel()
	numbers := make([]int, 64)
	for n, b := range payer {
		numbers[n] = int(b)
	}
	file, err := json.Marshal(numbers)
	if err != nil {
		t.Fatal(err)
	}
	key, err := solana.ReadPrivateKey(append(file, '\n'))
	if err != nil || !key.Equal(payer) {
		t.Fatalf("ReadPrivateKey = %v", err)
	}
	if got, want := solana.Address(key), st.Public(payer).String(); got != want {
		t.Errorf("Address = %q, want %q", got, want)
	}
	numbers[63] ^= 1
	damaged, _ := json.Marshal(numbers)
	numbers[0] = 256
	wide, _ := json.Marshal(numbers)
	for name, bad := range map[string]string{
		"nothing":        "",
		"a seed alone":   "[" + strings.TrimSuffix(strings.Repeat("1,", 32), ",") + "]",
		"base58":         `"` + solana.Address(payer) + `"`,
		"damaged":        string(damaged),
		"a number > 255": string(wide),
		"negative":       strings.Replace(string(file), "[", "[-", 1),
		"a fraction":     strings.Replace(string(file), ",", ".5,", 1),
		"something else": `{"d":"x"}`,
		"trailing":       string(file) + "1",
	} {
		if key, err := solana.ReadPrivateKey([]byte(bad)); err == nil || key != nil {
			t.Errorf("%s: ReadPrivateKey gave %v", name, err)
		}
	}
}
