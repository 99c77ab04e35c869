package static

import (
	"bytes"
	"net/http"
	"strings"
	"time"
)

// NameAt gives the logical name behind a URL path, and whether there is one.
func (a *Assets) NameAt(urlPath string) (string, bool) {
	found, ok := a.byPath[strings.TrimPrefix(urlPath, Prefix)]
	if !ok {
		return "", false
	}
	return found.name, true
}

// ServeHTTP answers GET and HEAD for one asset with the best encoding that the
// request accepts. Names hold their content's hash, so answers never expire.
// A path that the bundle does not have is 404.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	found, ok := a.byPath[strings.TrimPrefix(r.URL.Path, Prefix)]
	if !ok {
		http.NotFound(w, r)
		return
	}
	encoding := negotiate(r.Header.Values("Accept-Encoding"), found.bodies)
	header := w.Header()
	header.Set("Content-Type", found.asset.MediaType)
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Add("Vary", "Accept-Encoding")
	header.Set("ETag", found.etag(encoding))
	if encoding != "" {
		header.Set("Content-Encoding", encoding)
	}
	// No modification time: the entity tag is the stronger validator, and
	// times would make two builds of one tree differ.
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(found.bodies[encoding]))
}

// etag differs by encoding: a strong validator names the bytes that are sent.
func (f *file) etag(encoding string) string {
	tag := strings.TrimPrefix(f.asset.Integrity, "sha256-")
	if encoding != "" {
		tag += "-" + encoding
	}
	return `"` + tag + `"`
}
