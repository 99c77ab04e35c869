package intent

// class is what a word means to the rules; a word can have several.
type class uint64

const (
	// What is done.
	read    class = 1 << iota // to learn what somewhere stands
	send                      // to bring out of the machine
	put                       // to make part of a call or of an answer
	alter                     // to make another value of it
	call                      // to use a tool
	tell                      // to let the user know
	hide                      // to keep from the user
	ignore                    // to act as if it were not there
	disable                   // to make a guard ineffective
	execute                   // to let a machine run something
	fetch                     // to bring something in from outside
	encode                    // to make unreadable
	erase                     // to do away with
	prefer                    // to take before others
	outrank                   // to stand above
	bend                      // to make figures say something else
	assent                    // to say yes

	// What it is done to.
	secret    // what gives access
	credit    // what may be a tool's own key, and gives access
	talk      // what was said between user and agent
	said      // the same, where it is whole
	system    // what the agent was told, and what it has
	private   // the user's own things
	tools     // other tools than this one
	user      // who is served
	recipient // where something goes to
	place     // an address outside: URL, mail address
	argument  // a part of a call
	guard     // what protects
	outcome   // what is reported
	trouble   // what goes wrong
	order     // what the agent is to follow
	message   // what is written for the user
	opening   // a door that is open too wide
	step      // what the text orders
	persist   // what starts by itself
	fine      // that all is well
	wish      // what the user asked for
	ours      // what the author sells
	foremost  // what comes before all else
	supreme   // before all others

	// How, when and whom.
	must
	may
	agent
	every
	when
	before
	secretly
	not
	instead
	against // instead of what was asked for
	whose   // somebody's, or all that there is
	pretext
	link
	be
	self
	claim // worse, out of date, unsafe
	whole
	present // connected, installed
	det     // what stands before a noun
	absent  // where something is kept out of

	literal // an address, a path or a number
	named   // spelled as a name
	head    // a phrase begins with it
)

// form is what form of a verb a word can be.
type form uint8

const (
	base form = 1 << iota
	third
	ing
	past
)

const verbs = read | send | put | alter | call | tell | hide | ignore | disable | execute | fetch | encode | erase | prefer | outrank | bend | assent
