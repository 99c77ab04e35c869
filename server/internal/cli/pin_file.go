package cli

import (
	"errors"
	"os"
	"path/filepath"
)

// writeNew writes a file that must not be there yet, whole or not at all.
func writeNew(path string, data []byte) error {
	if _, err := os.Lstat(path); err == nil {
		return os.ErrExist
	}
	temporary, err := writeBeside(path, data, 0o644)
	if err != nil {
		return err
	}
	defer os.Remove(temporary)
	// Unlike a rename, a link never takes the place of a file that somebody else
	// made in the meantime.
	err = os.Link(temporary, path)
	if err != nil && !errors.Is(err, os.ErrExist) {
		// A file system without links: what is left is to look once more.
		if _, there := os.Lstat(path); there == nil {
			return os.ErrExist
		}
		err = os.Rename(temporary, path)
	}
	if err != nil {
		return err
	}
	return syncFolder(path)
}

// replace puts new content into the place of a file, whole or not at all. A
// symbolic link stays one.
func replace(path string, data []byte) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	temporary, err := writeBeside(path, data, info.Mode().Perm())
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		os.Remove(temporary)
		return err
	}
	return syncFolder(path)
}

// writeBeside writes a temporary file into the same folder, so that it can be
// renamed, and onto the disk, so that a crash leaves the old file or the new.
func writeBeside(path string, data []byte, mode os.FileMode) (name string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close())
	if err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// syncFolder puts a folder's new entry onto the disk. Not every system can, and
// the file itself is whole either way.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	_ = folder.Sync()
	return folder.Close()
}
