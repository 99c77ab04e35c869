package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// asOfLayout is the wire form of a time: UTC, milliseconds.
const asOfLayout = "2006-01-02T15:04:05.000Z"

func (a *app) addAsOf(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.asOf, "as-of", "", "the `TIME` that the output names, RFC 3339 (default: now)")
}

// time is --as-of in wire form, or the clock's.
func (a *app) time() (string, error) {
	if a.asOf == "" {
		return a.now().UTC().Format(asOfLayout), nil
	}
	// RFC 3339 allows t and z.
	t, err := time.Parse(time.RFC3339, strings.ToUpper(a.asOf))
	if err == nil {
		t = t.UTC()
	}
	if err != nil || t.Year() < 0 || t.Year() > 9999 {
		return "", usage("--as-of is no RFC 3339 time: "+quote(a.asOf), "Write it with its zone, as in 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00.")
	}
	return t.Format(asOfLayout), nil
}
