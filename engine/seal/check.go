package seal

// Check is what one check found, the worst first: the worst of several is the
// least. The zero Check is Malformed, so that a forgotten case never looks valid.
type Check uint8

const (
	Malformed       Check = iota // not the form of a signature, or of what it covers
	Invalid                      // a known key did not sign these bytes
	Mismatch                     // parts that should say the same do not
	Compromised                  // the key was revoked: all that it signed is void
	AfterRetirement              // it fits, and is dated when its key was retired already: void by rule
	Unsigned                     // there is no signature
	Unsupported                  // another algorithm, criteria or version
	UnknownKey                   // a key that is not in the key set
	Development                  // by a key of a development server: it fits, and vouches for nothing
	ByRetiredKey                 // signed while its key was active, which is retired by now
	Valid                        // signed by an active key
)

// Holds reports whether the signature stands: it was made by a key of the set,
// at a time when that key could sign, and the key is not compromised. That of a
// development key stands for the server whose key it is; Vouches says more.
func (c Check) Holds() bool { return c == Valid || c == ByRetiredKey || c == Development }

// Vouches reports whether a stranger may rely on it.
func (c Check) Vouches() bool { return c == Valid || c == ByRetiredKey }

// Refused reports whether the check failed for good, which is more than not
// knowing: altered, revoked, or void by rule.
func (c Check) Refused() bool {
	return c == Invalid || c == Mismatch || c == Compromised || c == AfterRetirement
}

// String names a check as it stands in reports and messages.
func (c Check) String() string { return c.words().name }

// Title is the check in the few words of a headline.
func (c Check) Title() string { return c.words().title }

// Short is the check as what is said of a signature.
func (c Check) Short() string { return c.words().short }

// Sentence says what the check means for the reader.
func (c Check) Sentence() string { return c.words().sentence }

type words struct{ name, title, short, sentence string }

func (c Check) words() words {
	switch c {
	case Invalid:
		return words{"signature_invalid", "SIGNATURE INVALID", "does not fit what it should cover",
			"What stands here is not what was signed: something was altered after signing, or the signature belongs to something else. Rely on nothing in it."}
	case Mismatch:
		return words{"mismatch", "DOES NOT FIT TOGETHER", "says something else than the rest",
			"Parts of this document that have to say the same do not. Rely on nothing in it, and ask the issuer for it again."}
	case Compromised:
		return words{"key_revoked", "KEY REVOKED", "was made by a key that was revoked: void",
			"The key that signed this was revoked because somebody else may have it. All that it ever signed is void. Ask the issuer for a new report."}
	case AfterRetirement:
		return words{"signed_after_retirement", "SIGNED AFTER RETIREMENT", "fits, but is dated when the key was retired already: void by rule",
			"The signature fits, but the document is dated when its key was retired already. By rule such a signature does not count. Ask the issuer for a new report."}
	case Unsigned:
		return words{"unsigned", "NOT SIGNED", "is missing",
			"Nobody vouches for this: whoever made it could have written anything."}
	case Unsupported:
		return words{"unsupported", "CAN'T BE CHECKED HERE", "is of a kind that this verifier does not know",
			"It names criteria, a version or an algorithm that this verifier does not know. A newer verifier may."}
	case UnknownKey:
		return words{"unknown_key", "UNKNOWN KEY", "was made by a key that is not known here",
			"It names a key that is not known here, so nobody that you know vouches for it. The key inside the document proves nothing: anybody can put one there."}
	case Development:
		return words{"development_key", "DEVELOPMENT KEY", "fits, by a development key",
			"The signature fits, and the key is one of a development server: it vouches for nothing to anybody else."}
	case ByRetiredKey:
		return words{"retired_key", "SIGNED, BY A KEY THAT IS RETIRED NOW", "fits, by a key that was active then and is retired now",
			"The signature fits, and the document is dated before its key was retired. It stands."}
	case Valid:
		return words{"valid", "SIGNED", "fits, by a current key",
			"The signature fits, by a current key of the issuer."}
	}
	return words{"malformed", "MALFORMED", "has not the form that it should have",
		"This has not the form of what it says it is, so nothing in it can be relied on."}
}
