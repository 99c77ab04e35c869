package x402

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/manifestseal/manifestseal/server/internal/ledger"
)

// Measures are what an operator watches of the payments. Totals are of the whole
// database, whichever server is asked; the fee payer's balance is as the sweeper
// last saw it.
type Measures struct {
	books *ledger.Books
	till  *Till

	payments, sales, units, refunds, undone, lamports, low *prometheus.Desc
}

// NewMeasures are to be registered with the server's others.
func NewMeasures(books *ledger.Books, till *Till) *Measures {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("manifestseal_"+name, help, labels, nil)
	}
	return &Measures{
		books: books, till: till,
		payments: describe("payments", "Payments by state.", "state"),
		sales:    describe("ledger_sales", "Reports that were sold."),
		units:    describe("ledger_units", "What was paid for them, in millionths of a dollar."),
		refunds:  describe("refunds_due", "Payments found after they were given up, which nobody has dealt with."),
		undone:   describe("sales_undone", "Sales whose payment a fork of the chain undid for good."),
		lamports: describe("fee_payer_lamports", "What the fee payer holds."),
		low:      describe("fee_payer_low", "1 when the fee payer holds less than the alarm threshold."),
	}
}

// Describe implements prometheus.Collector.
func (m *Measures) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.payments, m.sales, m.units, m.refunds, m.undone, m.lamports, m.low} {
		out <- d
	}
}

// Collect implements prometheus.Collector. A database that does not answer is a
// failed scrape, not a zero.
func (m *Measures) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	totals, err := m.books.Totals(ctx)
	if err != nil {
		out <- prometheus.NewInvalidMetric(m.payments, err)
		return
	}
	for state, n := range totals.Payments {
		gauge(m.payments, float64(n), string(state))
	}
	gauge(m.sales, float64(totals.Sales))
	gauge(m.units, float64(totals.Amount))
	gauge(m.refunds, float64(totals.Refunds))
	gauge(m.undone, float64(totals.Undone))
	if lamports, known := m.till.watch.last(); known {
		gauge(m.lamports, float64(lamports))
		low := 0.0
		if lamports < m.till.alarm {
			low = 1
		}
		gauge(m.low, low)
	}
}

// DefaultAlarm is the fee payer's balance below which there is an alarm, in
// lamports: some 600 payments at their highest fee.
const DefaultAlarm = 20_000_000

// watch is the fee payer's balance as it was last seen.
type watch struct{ seen atomic.Pointer[balance] }

type balance struct {
	lamports uint64
	at       time.Time
}

func (w *watch) last() (lamports uint64, known bool) {
	if b := w.seen.Load(); b != nil {
		return b.lamports, true
	}
	return 0, false
}

// look asks for the balance once a minute, and says when it is low.
func (t *Till) look(ctx context.Context) {
	if b := t.watch.seen.Load(); b != nil && t.now().Sub(b.at) < time.Minute {
		return
	}
	lamports, err := t.chain.Balance(ctx, t.terms.FeePayer)
	if err != nil {
		t.sweepFault(ctx, err)
		return
	}
	t.watch.seen.Store(&balance{lamports, t.now()})
	if lamports < t.alarm {
		t.log.Error("the fee payer is nearly empty: when it is, nothing can be sold", "address", t.terms.FeePayer, "lamports", lamports, "alarm_below", t.alarm)
	}
}

// Ready says whether the chain answers.
func (t *Till) Ready(ctx context.Context) error {
	_, err := t.chain.BlockHeight(ctx)
	return err
}
