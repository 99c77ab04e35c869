//go:build !unix

package cli

import "os"

// terminalWidth is not known here; COLUMNS says it.
func terminalWidth(*os.File) int { return 0 }
