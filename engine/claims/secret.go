package claims

import "strings"

// secretShape is how one issuer's secrets look: a prefix and then so many
// characters of an alphabet at least.
type secretShape struct {
	prefix  string
	rest    int
	exactly bool
	kind    string
}

var secretShapes = [...]secretShape{
	{"AKIA", 16, true, "AWS access key"},
	{"ASIA", 16, true, "AWS access key"},
	{"ghp_", 36, false, "GitHub token"},
	{"gho_", 36, false, "GitHub token"},
	{"ghu_", 36, false, "GitHub token"},
	{"ghs_", 36, false, "GitHub token"},
	{"ghr_", 36, false, "GitHub token"},
	{"github_pat_", 60, false, "GitHub token"},
	{"glpat-", 20, false, "GitLab token"},
	{"sk-ant-", 40, false, "Anthropic key"},
	{"sk-proj-", 40, false, "OpenAI key"},
	{"sk-svcacct-", 40, false, "OpenAI key"},
	{"sk-or-v1-", 40, false, "OpenRouter key"},
	{"sk-", 48, true, "OpenAI key"},
	{"sk_live_", 20, false, "Stripe key"},
	{"rk_live_", 20, false, "Stripe key"},
	{"whsec_", 24, false, "webhook secret"},
	{"xoxb-", 30, false, "Slack token"},
	{"xoxp-", 30, false, "Slack token"},
	{"xoxa-", 30, false, "Slack token"},
	{"xoxs-", 30, false, "Slack token"},
	{"xapp-", 30, false, "Slack token"},
	{"AIza", 35, true, "Google API key"},
	{"ya29.", 30, false, "Google token"},
	{"GOCSPX-", 28, true, "Google client secret"},
	{"npm_", 36, true, "npm token"},
	{"pypi-AgE", 40, false, "PyPI token"},
	{"hf_", 34, true, "Hugging Face token"},
	{"dop_v1_", 64, false, "DigitalOcean token"},
	{"shpat_", 32, false, "Shopify token"},
	{"shpss_", 32, false, "Shopify secret"},
	{"SG.", 60, false, "SendGrid key"},
	{"lin_api_", 40, false, "Linear key"},
	{"ntn_", 40, false, "Notion token"},
	{"dckr_pat_", 27, false, "Docker token"},
	{"sntrys_", 40, false, "Sentry token"},
	{"glsa_", 32, false, "Grafana token"},
}

// shortestSecret is shorter than every shape: shorter words are passed over.
const shortestSecret = 20

const pemBegin, pemKey = "-----BEGIN ", "PRIVATE KEY-----"

//go:noinline
func isSecretByte(c byte) bool { return secretBytes[c>>5]&(1<<(c&31)) != 0 }

// secretBytes has a bit for each of A-Z a-z 0-9 _ - .
var secretBytes = [8]uint32{1: 0x03FF6000, 2: 0x87FFFFFE, 3: 0x07FFFFFE}

// findSecret returns where a text holds something that has the shape of a live
// secret: an issuer's prefix, enough characters behind it, and none of the marks
// of a placeholder. A word long enough to be one covers every place that is a
// multiple of that length away, so only those are looked at.
func findSecret(text string) (from, to int, found bool) {
	for i := shortestSecret - 1; i < len(text); i += shortestSecret {
		if !isSecretByte(text[i]) {
			continue
		}
		from, to = wordAround(text, i)
		for from < to && (text[from] == '.' || text[from] == '-') {
			from++
		}
		end := to
		for end > from && (text[end-1] == '.' || text[end-1] == '-') {
			end--
		}
		if end-from >= shortestSecret && shapeOf(text[from:end]) >= 0 {
			return from, end, true
		}
		i = max(i, to-shortestSecret) // the next place lies behind this word
	}
	return findPrivateKey(text)
}

func wordAround(text string, i int) (from, to int) {
	from, to = i, i+1
	for from > 0 && isSecretByte(text[from-1]) {
		from--
	}
	for to < len(text) && isSecretByte(text[to]) {
		to++
	}
	return from, to
}

// maySpellSecret reports whether the source of a tool can spell a secret at all,
// so that hardly any tool is walked string by string. A word of a string is a
// word of the source, but that the letter of an escape such as \n stands in front
// of it, or the digits of one such as \u0027; other escapes can spell anything.
func maySpellSecret(source string) bool {
	if spellsOut(source) || strings.Contains(source, pemKey) {
		return true
	}
	for i := shortestSecret - 1; i < len(source); i += shortestSecret {
		if !isSecretByte(source[i]) {
			continue
		}
		from, to := wordAround(source, i)
		if word := strings.Trim(source[from:to], ".-"); len(word) >= shortestSecret {
			if shapeOf(word) >= 0 || from > 0 && source[from-1] == '\\' && behindEscape(word) {
				return true
			}
		}
		i = max(i, to-shortestSecret)
	}
	return false
}

// behindEscape reports whether the word behind an escape's letter, or behind its
// digits, has the shape of a secret.
func behindEscape(word string) bool {
	const digits = 5 // the u and four more
	return shapeOf(strings.TrimLeft(word[1:], ".-")) >= 0 || word[0] == 'u' && shapeOf(strings.TrimLeft(word[digits:], ".-")) >= 0
}

// spellsOut reports whether an escape of a source may spell a character that
// stands in secrets, so that what is spelled is not what is read.
func spellsOut(source string) bool {
	for at := 0; ; {
		i := strings.Index(source[at:], `\u`)
		if i < 0 {
			return false
		}
		at += i
		if c := plainEscape(source[at:]); c == 0 || c == ' ' || isSecretByte(c) {
			return true
		}
		at += 2
	}
}

// findPrivateKey looks for a PEM block that has a body: a header alone is how
// documentation says which format it wants.
func findPrivateKey(text string) (from, to int, found bool) {
	const body = 64
	if len(text) < body+len(pemKey)+len(pemBegin) {
		return 0, 0, false
	}
	for at := 0; ; {
		i := strings.Index(text[at:], pemKey)
		if i < 0 {
			return 0, 0, false
		}
		end := at + i + len(pemKey)
		begin := strings.LastIndex(text[at:end], pemBegin)
		n := 0
		for k := end; k < len(text) && n < body; k++ {
			c := text[k]
			if c == '\n' || c == '\r' || c == ' ' {
				continue
			}
			if !isSecretByte(c) && c != '+' && c != '/' && c != '=' || c == '.' || c == '-' {
				break
			}
			n++
		}
		if begin >= 0 && n >= body {
			return at + begin, end, true
		}
		at = end
	}
}

// shapeOf returns the index of the shape that a word has, and -1 for none.
func shapeOf(word string) int {
	for i := range secretShapes {
		s := &secretShapes[i]
		rest, ok := strings.CutPrefix(word, s.prefix)
		if !ok {
			continue
		}
		if len(rest) < s.rest || s.exactly && len(rest) != s.rest {
			continue
		}
		if isPlaceholder(rest) {
			return -1
		}
		return i
	}
	return -1
}

// isPlaceholder reports whether what stands behind a prefix was never a secret:
// too few different characters, a run that counts up, or a word that says so.
func isPlaceholder(rest string) bool {
	const fewest = 10
	var seen [256]bool
	different := 0
	for i := range len(rest) {
		if c := rest[i]; !seen[c] {
			seen[c] = true
			different++
		}
	}
	if different < fewest {
		return true
	}
	low := strings.ToLower(rest)
	for _, word := range [...]string{"example", "placeholder", "your", "xxxx", "redacted", "dummy", "sample", "secret", "token", "fake", "12345678", "abcdefg", "0000", "...", "test"} {
		if strings.Contains(low, word) {
			return true
		}
	}
	return false
}

func kindOfSecret(word string) string {
	if i := shapeOf(word); i >= 0 {
		return secretShapes[i].kind
	}
	return "private key"
}

// redacted shows enough of a secret to find it, and too little to use it: a
// report is passed on.
func redacted(word string) string {
	const shown = 8
	return word[:min(shown, len(word))] + "…"
}
