package jsonvalue

// Repeated returns a member name that stands more than once in an object: the
// first whose repetition the source has. Most readers take the last of such
// members (R3); one who must not choose asks here.
func (v Value) Repeated() (name string, repeated bool) {
	if v.Kind() != Object {
		return "", false
	}
	seen := make(map[string]bool, v.Len())
	for i, end := v.i+1, v.container().next; i < end; i = v.doc.next(i + 1) {
		name := v.doc.text(i)
		if seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}
