package x402

import "time"

// Pace is how quickly things are done. A zero field takes the default.
type Pace struct {
	Quick    time.Duration // between two questions to the chain about a payment just sent; 100 ms
	Poll     time.Duration // between two such questions later; 500 ms
	Resend   time.Duration // between two broadcasts; 1 s
	Patience time.Duration // that a request is held for its payment; 25 s
	Sweep    time.Duration // between two rounds of the sweeper; 3 s
	Apart    time.Duration // between the two answers by which a payment is gone; 30 s
	Margin   uint64        // blocks beyond the last valid one before it can be; 64
}

func (p Pace) withDefaults() Pace {
	set := func(d *time.Duration, otherwise time.Duration) {
		if *d == 0 {
			*d = otherwise
		}
	}
	set(&p.Quick, 100*time.Millisecond)
	set(&p.Poll, 500*time.Millisecond)
	set(&p.Resend, time.Second)
	set(&p.Patience, 25*time.Second)
	set(&p.Sweep, 3*time.Second)
	set(&p.Apart, 30*time.Second)
	if p.Margin == 0 {
		p.Margin = 64
	}
	return p
}

// wait is how long to wait before the next question about a payment that was sent
// so long ago, when so many are being asked about: a quarter of its age, so that a
// buyer waits at most that much longer than the chain took. What many payments ask
// together stays within one question in each Quick, until each of them asks as
// seldom as once in each Poll.
func (p Pace) wait(age time.Duration, many int64) time.Duration {
	return min(max(age/4, p.Quick*time.Duration(max(many, 1))), p.Poll)
}
