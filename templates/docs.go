package templates

// Doc is a page of the reference.
type Doc struct {
	Name  string // "report"
	Title string
	HTML  string // rendered from our own Markdown
}
