// Package intent reads texts of tools for orders to the agent by what their words mean: an order, and in its reach
// something that is no business of the tool. The lexicon gives words their classes, and a rule is a few classes that
// stand near each other in one sentence. It follows mcp-poison-rules/v1, of which it is the part that no pattern over a
// text can be, since such a pattern would have to spell every order of every choice of words.
//
// It never knows whose text it reads, and tells no quotation from an order: its user does.
package intent

//go:generate go test -run ^TestTable$ . -update
