package gate

// Severity orders what a gate weighs: info, low, medium, high, critical. The
// zero Severity is Info: a gate at it lets nothing pass.
type Severity uint8

// The severities, the least first.
const (
	Info Severity = iota
	Low
	Medium
	High
	Critical
)

var severityNames = [...]string{"info", "low", "medium", "high", "critical"}

// String returns the wire value.
func (s Severity) String() string { return severityNames[s] }

// Severities returns the wire values, the least first.
func Severities() []string { return append([]string(nil), severityNames[:]...) }

// ParseSeverity reads a wire value. The injection rulebook's own words count as
// what they are weighed as: suspicious is medium, malicious is high. Its rules
// match single phrases of a description, and a phrase can be quoted: no rule of
// it is critical.
func ParseSeverity(text string) (Severity, bool) {
	switch text {
	case "suspicious":
		return Medium, true
	case "malicious":
		return High, true
	}
	for i, name := range severityNames {
		if name == text {
			return Severity(i), true
		}
	}
	return Info, false
}
