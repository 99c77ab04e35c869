package server

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server/internal/fetch"
	"github.com/manifestseal/manifestseal/server/internal/keys"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/sign"
	"github.com/manifestseal/manifestseal/server/internal/submission"
)

// issuer is what the endpoints make reports with.
type issuer struct {
	url      string       // the member issuer
	signer   *sign.Signer // nil where there is no key: then no till sells
	dev      bool         // the signer is a development key
	history  keys.History // a development key included
	keys     seal.Keys    // those of the history
	till     payment.Till
	measures *measures
	fetch    *fetch.Fetcher
	now      func() time.Time
	places   chan struct{} // for reports being made at one time: each takes memory
}

// timeFormat is as_of: RFC 3339, UTC, milliseconds, Z.
const timeFormat = "2006-01-02T15:04:05.000Z"

func (i *issuer) head(at time.Time) report.Head {
	return report.Head{Issuer: i.url, AsOf: at.UTC().Format(timeFormat)}
}

// couldNot is an answer that says why nothing was compared or graded. It is an
// error only for a till: nothing is sold.
type couldNot struct{ body []byte }

func (*couldNot) Error() string { return "nothing could be compared or graded" }

// order is one submission on its way to a report.
type order struct {
	*submission.Submission
	issuer  *issuer
	once    sync.Once
	source  report.Source
	refused error
}

// load has the current manifest, which in URL mode is fetched at most once, and
// refuses what can't be compared or graded.
func (o *order) load(ctx context.Context) ([32]byte, error) {
	o.once.Do(func() { o.refused = o.prepare(ctx) })
	return o.source.Fetched, o.refused
}

func (o *order) prepare(ctx context.Context) error {
	if o.Target != nil {
		o.source.URL = o.Target.Shown()
		if why, failed := o.get(ctx); failed {
			return o.issuer.refuse(o, why)
		}
		if refusal := submission.TooMany(o.Manifest, "url"); refusal != nil {
			return refusal
		}
	}
	if len(o.Manifest.Entries) == 0 || o.Baseline != nil && len(o.Baseline.Block.Tools) == 0 {
		return &couldNot{o.seal(o.issuer.now())}
	}
	return nil
}

// get fetches the manifest.
func (o *order) get(ctx context.Context) (why report.Refusal, failed bool) {
	document, err := o.issuer.fetch.Get(ctx, o.Target)
	var failure fetch.Failure
	if errors.As(err, &failure) {
		o.issuer.measures.fetches.WithLabelValues(string(failure)).Inc()
		why.Reason = string(failure)
		if failure == fetch.TooLarge {
			why.CapBytes = fetch.CapBytes
		}
		return why, true
	}
	o.issuer.measures.fetches.WithLabelValues("fetched").Inc()
	o.source.Fetched = digest.Sum(document.Sum)
	if o.Manifest, err = manifest.Read(document.Bytes, manifest.Wire); err != nil {
		return report.Refusal{Reason: unreadableReason(err)}, true
	}
	return why, false
}

func unreadableReason(err error) string {
	var e *jsonvalue.Error
	if errors.As(err, &e) && e.Class == jsonvalue.Depth {
		return report.TooDeep
	}
	return report.NotAManifest
}

func (i *issuer) refuse(o *order, why report.Refusal) error {
	head := i.head(i.now())
	if o.Baseline == nil {
		return &couldNot{report.NotGraded(head, o.source, why).Sealed(i.signer.Signing())}
	}
	return &couldNot{report.NotCompared(head, *o.Baseline, o.source, why).Sealed(i.signer.Signing())}
}

// compare makes the drift report, unwritten.
func (o *order) compare(at time.Time) *report.Drift {
	d := report.Compare(o.issuer.head(at), *o.Baseline, o.Manifest)
	d.Source = o.source
	return d
}

func (o *order) audit(at time.Time) *report.Audit {
	return report.AuditOf(o.issuer.head(at), o.source, o.Manifest)
}

func (o *order) seal(at time.Time) []byte {
	if o.Baseline == nil {
		return o.audit(at).Sealed(o.issuer.signer.Signing())
	}
	return o.compare(at).Sealed(o.issuer.signer.Signing())
}

// issue makes the signed report.
func (o *order) issue(ctx context.Context, at time.Time) (payment.Report, error) {
	release, err := o.issuer.enter(ctx)
	if err != nil {
		return payment.Report{}, err
	}
	defer release()
	if o.Baseline == nil {
		return payment.Report{Bytes: o.seal(at), Counts: payment.Counts{Tools: len(o.Manifest.Entries)}}, nil
	}
	d := o.compare(at)
	c := d.Comparison.Counts
	return payment.Report{
		Bytes:  d.Sealed(o.issuer.signer.Signing()),
		Counts: payment.Counts{Tools: len(o.Manifest.Entries), Added: c.Added, Removed: c.Removed, Changed: c.Changed, Unchanged: c.Unchanged},
	}, nil
}

// enter waits for a place to work in.
func (i *issuer) enter(ctx context.Context) (release func(), err error) {
	select {
	case i.places <- struct{}{}:
		return func() { <-i.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
