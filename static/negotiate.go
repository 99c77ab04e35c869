package static

import (
	"strconv"
	"strings"
)

// preference is the order among encodings that a client likes equally.
func preference() []string { return []string{"br", "gzip", ""} }

// negotiate picks the encoding to send by RFC 9110, section 12.5.3. "" is the
// identity encoding; it is also the answer when a client excludes everything,
// since bytes are of more use to it than a 406.
func negotiate(headers []string, have map[string][]byte) string {
	weights := acceptWeights(headers)
	best, bestWeight := "", 0.0
	for _, encoding := range preference() {
		if _, ok := have[encoding]; !ok {
			continue
		}
		if weight := weightOf(weights, encoding); weight > bestWeight {
			best, bestWeight = encoding, weight
		}
	}
	return best
}

// acceptWeights reads the header's codings and their weights. A weight that
// can't be read counts as zero: nothing is sent on a guess.
func acceptWeights(headers []string) map[string]float64 {
	weights := make(map[string]float64)
	for _, item := range strings.Split(strings.Join(headers, ","), ",") {
		coding, parameters, _ := strings.Cut(item, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding == "x-gzip" {
			coding = "gzip"
		}
		if coding != "" {
			weights[coding] = weightFrom(parameters)
		}
	}
	return weights
}

func weightFrom(parameters string) float64 {
	for _, parameter := range strings.Split(parameters, ";") {
		key, value, found := strings.Cut(strings.TrimSpace(parameter), "=")
		if !found || !strings.EqualFold(strings.TrimSpace(key), "q") {
			continue
		}
		weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(weight >= 0 && weight <= 1) {
			return 0
		}
		return weight
	}
	return 1
}

// weightOf is the weight a client gives one encoding: its own, else the
// star's, else none. Identity is acceptable unless excluded, after all others.
func weightOf(weights map[string]float64, encoding string) float64 {
	name := encoding
	if name == "" {
		name = "identity"
	}
	if weight, ok := weights[name]; ok {
		return weight
	}
	if weight, ok := weights["*"]; ok {
		return weight
	}
	if encoding == "" {
		return 0.0001
	}
	return 0
}
