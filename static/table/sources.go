package table

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// sourceRoots is what a bundle is made from.
func sourceRoots() []string {
	return []string{"engine", "go.mod", "go.sum", "static/cmd/bundle", "static/public", "wasm", "web"}
}

// Sources is the lowercase hex SHA-256 over the names and contents of all
// files that go into a bundle, tests left out. root is the top of the module.
// A bundle whose table holds another value is stale.
func Sources(root fs.FS) (string, error) {
	sum := sha256.New()
	for _, top := range sourceRoots() {
		err := fs.WalkDir(root, top, func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				return skipDir(entry.Name())
			}
			if isTest(name) {
				return nil
			}
			return addFile(sum, root, name)
		})
		if err != nil {
			return "", fmt.Errorf("hash of the sources: %w", err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func skipDir(name string) error {
	if name == "testdata" || name == "enginetest" || name == "node_modules" {
		return fs.SkipDir
	}
	return nil
}

func isTest(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, ".")
}

func addFile(sum io.Writer, root fs.FS, name string) error {
	content, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	// The lengths keep two different trees from giving one stream.
	_, err = fmt.Fprintf(sum, "%d %s %d\n%s", len(name), name, len(content), content)
	return err
}
