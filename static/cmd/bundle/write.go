package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/manifestseal/manifestseal/static/table"
)

// write stores one asset and its compressed twins. A twin that is already
// there belongs to the same content, since the name holds the hash; it is
// kept, which makes a rebuild take seconds less.
func write(dir string, out output) (table.Asset, error) {
	// SHA-256 and not its longer sisters: a browser hashes the whole engine before
	// it compiles any of it, and processors have instructions for this one.
	sri := sha256.Sum256(out.body)
	asset := table.Asset{
		Path:      hashedName(out),
		Integrity: "sha256-" + base64.StdEncoding.EncodeToString(sri[:]),
		MediaType: out.mediaType,
		Size:      len(out.body),
		Encodings: make(map[string]int),
	}
	target := filepath.Join(dir, filepath.FromSlash(asset.Path))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return asset, err
	}
	if err := replace(target, out.body); err != nil {
		return asset, err
	}
	for _, encoding := range []string{"br", "gzip"} {
		size, err := writeTwin(target+table.Suffix(encoding), encoding, out.body)
		if err != nil {
			return asset, err
		}
		if size < len(out.body) {
			asset.Encodings[encoding] = size
		}
	}
	return asset, nil
}

// hashedName puts sixteen hex digits of the content's SHA-256 before the last
// dot of the logical name.
func hashedName(out output) string {
	sum := sha256.Sum256(out.body)
	ext := path.Ext(out.name)
	return strings.TrimSuffix(out.name, ext) + "." + hex.EncodeToString(sum[:8]) + ext
}

func writeTwin(target, encoding string, body []byte) (int, error) {
	if info, err := os.Stat(target); err == nil && info.Size() > 0 {
		return int(info.Size()), nil
	}
	packed, err := compress(encoding, body)
	if err != nil {
		return 0, err
	}
	return len(packed), replace(target, packed)
}

func compress(encoding string, body []byte) ([]byte, error) {
	var packed bytes.Buffer
	if encoding == "br" {
		w := brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: 11, LGWin: 24})
		if _, err := w.Write(body); err != nil {
			return nil, err
		}
		err := w.Close()
		return packed.Bytes(), err
	}
	// The header is left without name and time, so equal input is equal output.
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}

// replace writes beside the target and renames, so that a build that is
// stopped leaves no half-written twin to be trusted by the next one.
func replace(target string, content []byte) error {
	temporary := target + ".partial"
	if err := os.WriteFile(temporary, content, 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, target)
}

// removeStale deletes what the table does not list, dot files apart.
func removeStale(dir string, list *table.Table) error {
	keep := map[string]bool{table.FileName: true}
	for _, asset := range list.Assets {
		keep[asset.Path] = true
		for encoding := range asset.Encodings {
			keep[asset.Path+table.Suffix(encoding)] = true
		}
	}
	return filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		if err != nil || keep[filepath.ToSlash(relative)] || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		return os.Remove(name)
	})
}
