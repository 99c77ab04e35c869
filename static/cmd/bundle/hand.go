package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
)

// handMade takes the files of static/public as they are. A kind of file that
// has no media type here is refused: browsers are told not to guess.
func handMade(dir string) ([]output, error) {
	var outputs []output
	files := os.DirFS(dir)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		mediaType := mediaTypeOf(name)
		if mediaType == "" {
			return fmt.Errorf("static/public/%s: no media type is set for this kind of file", name)
		}
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		outputs = append(outputs, output{name, mediaType, body})
		return nil
	})
	return outputs, err
}

func mediaTypeOf(name string) string {
	switch path.Ext(name) {
	case ".svg":
		return "image/svg+xml"
	case ".json":
		return "application/json"
	case ".webmanifest":
		return "application/manifest+json"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return ""
}
