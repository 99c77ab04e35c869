package bridge

import (
	"testing"

	"github.com/manifestseal/manifestseal/engine/enginetest"
)

func TestVectors(t *testing.T) {
	vectors, err := enginetest.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) {
			if err := enginetest.Check(v, Call); err != nil {
				t.Error(err)
			}
		})
	}
}
