package seal

// instant is a moment of RFC 3339, for comparing alone: seconds since the year
// 0 and nanoseconds. (Package time is not for the engine.)
type instant struct{ seconds, nanos int64 }

func (i instant) before(j instant) bool {
	return i.seconds < j.seconds || i.seconds == j.seconds && i.nanos < j.nanos
}

// parseInstant reads a date-time of RFC 3339, section 5.6. A leap second counts
// as the first second of the next minute, as everywhere.
func parseInstant(text string) (instant, bool) {
	const form = "0000-00-00T00:00:00"
	if len(text) <= len(form) || !fits(text[:len(form)], form) {
		return instant{}, false
	}
	year, month, day := number(text[0:4]), number(text[5:7]), number(text[8:10])
	hour, minute, second := number(text[11:13]), number(text[14:16]), number(text[17:19])
	if month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 60 {
		return instant{}, false
	}
	nanos, rest, ok := fraction(text[len(form):])
	if !ok {
		return instant{}, false
	}
	offset, ok := zone(rest)
	if !ok {
		return instant{}, false
	}
	return instant{daysTo(year, month, day)*86_400 + hour*3_600 + minute*60 + second - offset, nanos}, true
}

// wellFormedTime is the one form in which reports write a time: UTC,
// milliseconds, Z.
func wellFormedTime(text string) bool {
	const form = "0000-00-00T00:00:00.000Z"
	_, ok := parseInstant(text)
	return ok && len(text) == len(form) && fits(text, form)
}

func fits(text, form string) bool {
	for i := range len(form) {
		digit := text[i] >= '0' && text[i] <= '9'
		if form[i] == '0' && !digit || form[i] != '0' && text[i] != form[i] {
			return false
		}
	}
	return true
}

func number(digits string) (n int64) {
	for i := range len(digits) {
		n = n*10 + int64(digits[i]-'0')
	}
	return n
}

// fraction reads a fraction of a second, if there is one; what is below
// nanoseconds does not count.
func fraction(text string) (nanos int64, rest string, ok bool) {
	if text == "" || text[0] != '.' {
		return 0, text, true
	}
	end := 1
	for unit := int64(100_000_000); end < len(text) && text[end] >= '0' && text[end] <= '9'; end++ {
		nanos += int64(text[end]-'0') * unit
		unit /= 10
	}
	return nanos, text[end:], end > 1
}

// zone reads Z or an offset, in seconds.
func zone(text string) (int64, bool) {
	if text == "Z" {
		return 0, true
	}
	if len(text) != len("+00:00") || text[0] != '+' && text[0] != '-' || !fits(text[1:], "00:00") {
		return 0, false
	}
	hours, minutes := number(text[1:3]), number(text[4:6])
	if hours > 23 || minutes > 59 {
		return 0, false
	}
	if text[0] == '-' {
		return -(hours*3_600 + minutes*60), true
	}
	return hours*3_600 + minutes*60, true
}

func leap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if leap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

func daysTo(year, month, day int64) int64 {
	days := year*365 + (year+3)/4 - (year+99)/100 + (year+399)/400
	for m := int64(1); m < month; m++ {
		days += daysIn(year, m)
	}
	return days + day - 1
}
