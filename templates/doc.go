// Package templates implements the markup of the product: pages, the painting
// of a comparison, and the fragments that the browser clones. It follows the
// rule of one view and two painters: each component of a result is written
// once, painted here from an engine/view value, and rendered once more from a
// blank value into a <template> element for the browser's binder.
//
// It never decides anything about a manifest, never reads files and never
// fails: a component takes a view model that is complete.
//
// # Bindings
//
// Result components carry attributes that say where their text comes from. Both
// painters leave them in place, so that two paintings of one view are equal:
//
//	data-text="path"                  text content
//	data-attr="name={path} …"         attributes; name?={path} sets or removes
//	data-if="path"                    the element stands only if the value is not empty
//	data-each="path:template"         children, one clone per item
//	data-later="template"             the same item by another template, in the browser when there is time
//	data-by="field …"                 the clone's template depends on these fields
//	data-where, data-unless="f:v …"   only (or all but) the items with these values
//
// A path is member names joined by dots. Empty is "", 0, false, null and a list
// without items; for data-if the filters count too. An object in data-each is a
// list of one item. data-by appends "-value" for a text field, and "-field" for
// a true one.
package templates
