package capability

// Tier is what a tool can do at most, by what it says of itself. The zero Tier is Unknown: nothing was recognised. It is
// never a promise that a tool only reads.
type Tier uint8

// The tiers, lowest first.
const (
	Unknown     Tier = iota
	Read             // looks and answers
	Local            // acts in its own session only, or keeps a copy of what it read
	Mutate           // changes something that lasts, or sends something
	Destructive      // deletes, stops, overwrites, or executes what it is given
)

// String returns the wire value.
func (t Tier) String() string { return tierNames[t] }

var tierNames = [...]string{"unknown", "T0_read", "T1_local", "T2_mutate", "T3_destructive_or_exec"}

// Writes says whether the tier is one that changes or executes.
func (t Tier) Writes() bool { return t >= Mutate }

// Axis is where evidence comes from.
type Axis uint8

// The axes, in the order in which one that decided is named when several give the same tier.
const (
	NoAxis Axis = iota
	Name
	Description
	Parameter
	Enum
	Batch
	Annotations
)

// String returns the wire value, "" for NoAxis.
func (a Axis) String() string { return axisNames[a] }

var axisNames = [...]string{"", "name", "description", "parameter", "enum", "batch", "annotations"}

// Evidence is one thing that speaks for a tier.
type Evidence struct {
	Axis    Axis
	Tier    Tier
	Pointer string // JSON Pointer into the tool
	Text    string // the word, the parameter's name or the value that was recognised
}
