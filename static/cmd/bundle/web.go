package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const (
	javaScript = "text/javascript; charset=utf-8"
	styleSheet = "text/css; charset=utf-8"
)

// bundleWeb builds web/x/x.ts into "x.js" for every such folder, and
// web/styles/site.css. Pages load modules; workers of every kind are classic
// scripts, and the engine's has Go's runtime support in front.
func bundleWeb(opts options) ([]output, error) {
	web := filepath.Join(opts.root, "web")
	folders, err := os.ReadDir(web)
	if err != nil {
		return nil, err
	}
	outputs := make([]output, 0, len(folders))
	for _, folder := range folders {
		entry := filepath.Join(web, folder.Name(), folder.Name()+".ts")
		if _, err := os.Stat(entry); err != nil {
			continue
		}
		settings := scriptSettings()
		switch folder.Name() {
		case "sw", "retire":
			settings.Format = api.FormatIIFE
		case "worker":
			if settings, err = workerSettings(opts); err != nil {
				return nil, err
			}
		}
		body, err := bundle(entry, settings)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, output{folder.Name() + ".js", javaScript, body})
	}
	style, err := bundle(filepath.Join(web, "styles", "site.css"), scriptSettings())
	if err != nil {
		return nil, err
	}
	return append(outputs, output{"site.css", styleSheet, style}), nil
}

func scriptSettings() api.BuildOptions {
	return api.BuildOptions{
		Bundle:            true,
		Write:             false,
		Outdir:            "out",
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Platform:          api.PlatformBrowser,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
	}
}

// workerSettings injects wasm_exec.js, which has to match the compiler that
// builds the engine. The worker is a classic script: nothing is imported
// there, its policy would not allow it.
func workerSettings(opts options) (api.BuildOptions, error) {
	settings := scriptSettings()
	goRoot, err := exec.Command(opts.goTool, "env", "GOROOT").Output()
	if err != nil {
		return settings, fmt.Errorf("go env GOROOT: %w", err)
	}
	support := filepath.Join(strings.TrimSpace(string(goRoot)), "lib", "wasm", "wasm_exec.js")
	settings.Inject = []string{support}
	settings.Format = api.FormatIIFE
	return settings, nil
}

func bundle(entry string, settings api.BuildOptions) ([]byte, error) {
	settings.EntryPoints = []string{entry}
	result := api.Build(settings)
	messages := append(result.Errors, result.Warnings...)
	if len(messages) > 0 {
		return nil, messagesError(messages)
	}
	if len(result.OutputFiles) != 1 {
		return nil, fmt.Errorf("%s gave %d files, want 1", path.Base(entry), len(result.OutputFiles))
	}
	return bytes.TrimRight(result.OutputFiles[0].Contents, "\n"), nil
}

// messagesError makes warnings fail the build as well: there are none today.
func messagesError(messages []api.Message) error {
	text := api.FormatMessages(messages, api.FormatMessagesOptions{Kind: api.ErrorMessage})
	return errors.New(strings.TrimSpace(strings.Join(text, "")))
}
