package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/store"
)

const ledgerHelp = `Read the record of payments of a server: its database, and the chain.`

const ledgerCheckHelp = `Compute the ledger again from the payments, and with --solana-rpc from the chain too.

Exit status: 0 when they agree, 1 when they do not, 2 when it could not be checked.`

const ledgerRefundsHelp = `List the payments that were found on the chain after the server had given them up.
The buyer of such a one may have paid again: look at it, send the money back if so,
and note that it is dealt with by --done. The server moves no money itself.`

func (a *app) ledgerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "ledger COMMAND", Short: "Check the record of payments", Long: ledgerHelp, Args: unknownCommand,
		Example: "  manifestseal ledger check --database manifestseal.db\n  manifestseal ledger refunds --database postgres://localhost/manifestseal",
		RunE:    func(cmd *cobra.Command, _ []string) error { a.raise(Unchecked); return cmd.Help() },
	}
	var database, rpc, done string
	check := &cobra.Command{
		Use: "check", Short: "Compare the ledger with the payments and the chain", Long: ledgerCheckHelp, Args: noArguments,
		Example: "  manifestseal ledger check\n  MANIFESTSEAL_SOLANA_RPC=https://api.mainnet-beta.solana.com manifestseal ledger check --database manifestseal.db",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.checkLedger(cmd.Context(), database, rpc) },
	}
	check.Flags().StringVar(&rpc, "solana-rpc", a.envOr("SOLANA_RPC", ""), "`URL` of a Solana node's JSON-RPC, to ask for every payment")
	refunds := &cobra.Command{
		Use: "refunds", Short: "List payments that came too late", Long: ledgerRefundsHelp, Args: noArguments,
		Example: "  manifestseal ledger refunds\n  manifestseal ledger refunds --done 5B41WvLB64auvdmobiyeb7o9gtpTFVmeuh42qCwnVHuBkEh7",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.refunds(cmd.Context(), database, done) },
	}
	refunds.Flags().StringVar(&done, "done", "", "note that the payment of this `SIGNATURE` is dealt with")
	for _, sub := range []*cobra.Command{check, refunds} {
		a.addDatabase(sub, &database)
		a.addFormat(sub, "text", "json")
		cmd.AddCommand(sub)
	}
	return cmd
}

// openBooks opens a database that must be there: a check of a new, empty one would
// say that all is well.
func openBooks(ctx context.Context, dsn string) (*store.DB, error) {
	if dsn == "" {
		dsn = defaultDatabase
	}
	if !strings.Contains(dsn, "://") {
		file := strings.TrimPrefix(dsn, "sqlite:")
		if info, err := os.Stat(file); err != nil {
			return nil, fileFault(file, err)
		} else if info.IsDir() {
			return nil, fileFault(file, &fs.PathError{Err: errors.New("it is a directory")})
		}
	}
	db, err := store.Open(ctx, dsn)
	if err != nil {
		return nil, databaseFault(err)
	}
	return db, nil
}

// strayed is a payment of which the database and the chain say different things.
type strayed struct {
	ledger.Sent
	chain solana.Status
}

// word is the state, or that a fork undid the payment, which stays settled.
func (s strayed) word() string {
	if s.Undone {
		return "undone"
	}
	return string(s.State)
}

func (a *app) checkLedger(ctx context.Context, dsn, rpc string) error {
	db, err := openBooks(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	books := ledger.NewBooks(db)
	totals, err := books.Totals(ctx)
	if err != nil {
		return databaseFault(err)
	}
	differences, err := books.Differences(ctx)
	if err != nil {
		return databaseFault(err)
	}
	asked, strays, err := askChain(ctx, books, rpc)
	if err != nil {
		return &fault{cause: &jsonvalue.Error{Class: serveClass, Code: "chain", Message: err.Error(), Advice: "Try again, or leave --solana-rpc out to check the database alone."}}
	}
	if len(differences) > 0 || len(strays) > 0 {
		a.raise(Drift)
	}
	if a.formatOf() == "json" {
		a.answer("", func(w *jsonvalue.Builder) { writeCheck(w, totals, differences, asked, strays, rpc != "") })
		return nil
	}
	a.printCheck(totals, differences, asked, strays, rpc != "")
	return nil
}

// askChain asks for every payment that was ever broadcast.
func askChain(ctx context.Context, books *ledger.Books, rpc string) (asked int, strays []strayed, err error) {
	if rpc == "" {
		return 0, nil, nil
	}
	chain, err := solana.NewChain(rpc)
	if err != nil {
		return 0, nil, err
	}
	err = books.Sent(ctx, func(s ledger.Sent) error {
		status, err := chain.Status(ctx, s.Signature)
		asked++
		landed := status == solana.Confirmed || status == solana.Finalized
		if err == nil && s.State != ledger.Signed && landed != (s.State == ledger.Settled && !s.Undone) {
			strays = append(strays, strayed{s, status})
		}
		return err
	})
	return asked, strays, err
}

func writeCheck(w *jsonvalue.Builder, t ledger.Totals, differences []ledger.Difference, asked int, strays []strayed, chain bool) {
	w.Name("agree")
	w.Bool(len(differences) == 0 && len(strays) == 0)
	w.Name("payments")
	w.Begin('{')
	for _, state := range []ledger.State{ledger.Claimed, ledger.Signed, ledger.Settled, ledger.Failed, ledger.Expired} {
		w.Name(string(state))
		w.Int(t.Payments[state])
	}
	w.End('}')
	w.Name("sales")
	w.Int(t.Sales)
	w.Member("amount", strconv.FormatUint(t.Amount, 10))
	w.Name("refunds_due")
	w.Int(t.Refunds)
	w.Name("undone")
	w.Int(t.Undone)
	w.Name("differences")
	w.Begin('[')
	for _, d := range differences {
		w.Begin('{')
		w.Member("payer", d.Payer)
		w.Member("time", d.Time.Format(time.RFC3339Nano))
		w.Member("amount", strconv.FormatUint(d.Amount, 10))
		w.Name("payments")
		w.Int(d.Payments)
		w.Name("ledger")
		w.Int(d.Ledger)
		w.End('}')
	}
	w.End(']')
	if !chain {
		return
	}
	w.Name("chain_asked")
	w.Int(asked)
	w.Name("chain_differences")
	w.Begin('[')
	for _, s := range strays {
		w.Begin('{')
		w.Member("signature", s.Signature)
		w.Member("state", s.word())
		w.Member("chain", string(s.chain))
		w.End('}')
	}
	w.End(']')
}

func (a *app) printCheck(t ledger.Totals, differences []ledger.Difference, asked int, strays []strayed, chain bool) {
	a.print("Sales: " + strconv.Itoa(t.Sales) + ", " + dollars(t.Amount) + "\n")
	for _, state := range []ledger.State{ledger.Claimed, ledger.Signed, ledger.Settled, ledger.Failed, ledger.Expired} {
		a.print("Payments " + string(state) + ": " + strconv.Itoa(t.Payments[state]) + "\n")
	}
	a.print("Refunds due: " + strconv.Itoa(t.Refunds) + "\n")
	a.print("Sales whose payment a fork undid: " + strconv.Itoa(t.Undone) + "\n")
	for _, d := range differences {
		a.print("DIFFERENT: " + plain.Text(d.Payer) + " at " + d.Time.Format(time.RFC3339) + ", " + dollars(d.Amount) + ": " +
			strconv.Itoa(d.Payments) + " in the payments, " + strconv.Itoa(d.Ledger) + " in the ledger\n")
	}
	for _, s := range strays {
		a.print("DIFFERENT: " + plain.Text(s.Signature) + " is " + s.word() + " here and " + string(s.chain) + " on the chain\n")
	}
	switch {
	case len(differences) > 0 || len(strays) > 0:
		a.print("They do not agree: something changed the database past its rules, a fork undid a payment that may land again, or the node has not all of the chain's history.\n")
	case chain:
		a.print("The ledger, the payments and the chain agree; the chain was asked for " + strconv.Itoa(asked) + ".\n")
	default:
		a.print("The ledger and the payments agree. The chain was not asked: name a node by --solana-rpc.\n")
	}
}

// dollars writes millionths of a dollar, all of them.
func dollars(units uint64) string {
	part := strconv.FormatUint(units%1_000_000, 10)
	return strconv.FormatUint(units/1_000_000, 10) + "." + strings.Repeat("0", 6-len(part)) + part + " USD"
}

func (a *app) refunds(ctx context.Context, dsn, done string) error {
	db, err := openBooks(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	books := ledger.NewBooks(db)
	if done != "" {
		noted, err := books.Done(ctx, done)
		if err != nil {
			return databaseFault(err)
		}
		if !noted {
			return usage("there is no refund due of the signature "+quote(done), "manifestseal ledger refunds lists them.")
		}
	}
	refunds, err := books.Refunds(ctx)
	if err != nil {
		return databaseFault(err)
	}
	if a.formatOf() == "json" {
		a.answer("", func(w *jsonvalue.Builder) { writeRefunds(w, refunds) })
		return nil
	}
	for _, r := range refunds {
		state := "due"
		if !r.DoneAt.IsZero() {
			state = "done " + r.DoneAt.Format(time.RFC3339)
		}
		a.print(r.FoundAt.Format(time.RFC3339) + "  " + dollars(r.Amount) + "  " + state + "  report fetched " + strconv.Itoa(r.Reissued) + " times\n  payer " +
			plain.Text(r.Payer) + "\n  transaction " + plain.Text(r.Signature) + "\n")
	}
	if len(refunds) == 0 {
		a.print("No payment came too late.\n")
	}
	return nil
}

func writeRefunds(w *jsonvalue.Builder, refunds []ledger.Refund) {
	w.Name("refunds")
	w.Begin('[')
	for _, r := range refunds {
		w.Begin('{')
		w.Member("signature", r.Signature)
		w.Member("payer", r.Payer)
		w.Member("amount", strconv.FormatUint(r.Amount, 10))
		w.Member("found_at", r.FoundAt.Format(time.RFC3339Nano))
		if !r.DoneAt.IsZero() {
			w.Member("done_at", r.DoneAt.Format(time.RFC3339Nano))
		}
		w.Name("reissued")
		w.Int(r.Reissued)
		w.End('}')
	}
	w.End(']')
}
