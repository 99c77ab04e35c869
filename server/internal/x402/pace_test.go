package x402

import (
	"testing"
	"time"
)

func TestPaceOfQuestions(t *testing.T) {
	t.Parallel()
	p := Pace{}.withDefaults()
	for _, test := range []struct {
		age  time.Duration
		many int64
		want time.Duration
	}{
		{0, 1, 100 * time.Millisecond},
		{400 * time.Millisecond, 1, 100 * time.Millisecond},
		{time.Second, 1, 250 * time.Millisecond},
		{2 * time.Second, 1, 500 * time.Millisecond},
		{time.Minute, 1, 500 * time.Millisecond},
		{0, 3, 300 * time.Millisecond}, // together no more than ten questions a second
		{0, 5, 500 * time.Millisecond},
		{0, 1_000, 500 * time.Millisecond},
		{0, 0, 100 * time.Millisecond},
	} {
		if got := p.wait(test.age, test.many); got != test.want {
			t.Errorf("%s after it was sent, among %d: %s, want %s", test.age, test.many, got, test.want)
		}
	}
	if got := quick.withDefaults().wait(0, 1); got != quick.Poll {
		t.Errorf("a pace whose Poll is below Quick waits %s, want %s", got, quick.Poll)
	}
	questions, second := 0, time.Duration(0)
	for ; second < 25*time.Second; questions++ {
		second += p.wait(second, 1)
	}
	if questions > 64 {
		t.Errorf("a payment that never lands costs %d questions, want at most 64", questions)
	}
}
