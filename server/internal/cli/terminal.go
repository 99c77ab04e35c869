package cli

import (
	"io"
	"os"
	"strconv"

	"github.com/mattn/go-isatty"

	"github.com/manifestseal/manifestseal/server/internal/cli/console"
)

// The columns of text where nothing says how many there are, and how many are
// used at most: longer lines are hard to read.
const (
	defaultWidth = 100
	minWidth     = 40
	maxWidth     = 140
)

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && (isatty.IsTerminal(file.Fd()) || isatty.IsCygwinTerminal(file.Fd()))
}

// look is how text looks on a stream. Colours are for terminals, unless
// NO_COLOR is set (no-color.org) or the terminal is a dumb one.
func (a *app) look(stream io.Writer) console.Options {
	color := a.color == "always"
	if a.color == "auto" || a.color == "" {
		color = isTerminal(stream) && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb"
	}
	return console.Options{Width: a.width(stream), Color: color, Full: a.full}
}

func (a *app) width(stream io.Writer) int {
	columns := defaultWidth
	if n, err := strconv.Atoi(a.env("COLUMNS")); err == nil && n > 0 {
		columns = n
	} else if file, ok := stream.(*os.File); ok && isTerminal(file) {
		if n := terminalWidth(file); n > 0 {
			columns = n
		}
	}
	return min(max(columns, minWidth), maxWidth)
}
