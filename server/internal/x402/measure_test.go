package x402

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

func TestMeasures(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(NewMeasures(s.books, s.Till))
	gathered := func() map[string]float64 {
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, family := range families {
			for _, metric := range family.GetMetric() {
				name := family.GetName()
				for _, label := range metric.GetLabel() {
					name += " " + label.GetValue()
				}
				got[name] = metric.GetGauge().GetValue()
			}
		}
		return got
	}
	s.buy(want("body"), s.buyer)
	expected := map[string]float64{
		"manifestseal_payments claimed": 0, "manifestseal_payments signed": 0, "manifestseal_payments settled": 1,
		"manifestseal_payments failed": 0, "manifestseal_payments expired": 0,
		"manifestseal_ledger_sales": 1, "manifestseal_ledger_units": price, "manifestseal_refunds_due": 0, "manifestseal_sales_undone": 0,
	}
	if diff := cmp.Diff(expected, gathered()); diff != "" {
		t.Errorf("before the balance is known (-want +got):\n%s", diff)
	}
	s.chain.fund(solana.Address(s.chain.feePayer), DefaultAlarm-1, 0)
	s.look(t.Context())
	expected["manifestseal_fee_payer_lamports"], expected["manifestseal_fee_payer_low"] = DefaultAlarm-1, 1
	if diff := cmp.Diff(expected, gathered()); diff != "" {
		t.Errorf("with a poor fee payer (-want +got):\n%s", diff)
	}
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := registry.Gather(); err == nil {
		t.Error("a database that does not answer is measured as zero")
	}
}
