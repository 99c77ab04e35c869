package server

import (
	"strconv"
	"strings"
)

// prefersHTML tells whether a client would rather read a page than JSON, by
// RFC 9110, section 12.5.1. One that likes both equally, such as a program that
// sends */*, gets JSON.
func prefersHTML(accept []string) bool {
	header := strings.Join(accept, ",")
	return weight(header, "text", "html") > weight(header, "application", "json")
}

// weight is what a client gives one media type: that of its most exact range.
func weight(header, kind, subtype string) float64 {
	best, exactness := 0.0, -1
	for _, item := range strings.Split(header, ",") {
		mediaRange, parameters, _ := strings.Cut(item, ";")
		match := matchRange(strings.ToLower(strings.TrimSpace(mediaRange)), kind, subtype)
		if match > exactness {
			best, exactness = qValue(parameters), match
		}
	}
	return best
}

func matchRange(mediaRange, kind, subtype string) int {
	switch mediaRange {
	case kind + "/" + subtype:
		return 2
	case kind + "/*":
		return 1
	case "*/*":
		return 0
	}
	return -1
}

func qValue(parameters string) float64 {
	for _, parameter := range strings.Split(parameters, ";") {
		name, value, found := strings.Cut(strings.TrimSpace(parameter), "=")
		if !found || !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}
