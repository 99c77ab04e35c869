package screen

// Injection returns prompt-injection-rules/v1 as it is published in the criteria of mcp-manifest-drift/v1
// (changed_description_scan): ids, categories, severities, descriptions, patterns and their order, byte for byte. The
// result is shared, static data; callers only read it.
func Injection() *Rulebook { return &injection }

var injection = Rulebook{
	ID: "prompt-injection-rules/v1",
	Categories: []Category{
		{"instruction_override", "Commands telling the agent to ignore, discard, or replace its existing instructions."},
		{"role_hijack", "Text that impersonates a system/developer role or tries to switch the agent into an unrestricted persona."},
		{"delimiter_escape", "Chat-template or context-boundary markers smuggled into untrusted text to fake a new system turn or escape the current context."},
		{"exfiltration", "Instructions to send, reveal, or leak the conversation, the system prompt, credentials, or user data to a third party."},
		{"tool_coercion", "Fake tool/function-call markup, or instructions to invoke tools without the operator's normal confirmation."},
		{"wallet_drain", "Instructions to move funds, sign draining transactions, or hand over seed phrases / private keys."},
		{"concealment", "Instructions to hide the text's existence or the agent's actions from the user or operator."},
		{"obfuscation", "Invisible characters and other structural tricks used to hide content from a reader or a scanner."},
	},
	Rules: []Rule{
		{
			ID: "IO-1", Category: "instruction_override", Severity: "malicious",
			Description: "A command to ignore, disregard, forget, override, or bypass earlier instructions, prompts, rules, directions, or guidelines.",
			Pattern:     `\b(ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(previous|prior|above|earlier|all|any|the)\b[^.\n]{0,24}\b(instructions?|prompts?|rules?|directions?|guidelines?|messages?)\b`,
			Flags:       "i",
		},
		{
			ID: "IO-2", Category: "instruction_override", Severity: "malicious",
			Description: "A replacement-instruction header: 'new instructions:' or 'here are your new instructions'.",
			Pattern:     `\b(new instructions?\s*:|here are your new instructions?\b)`,
			Flags:       "i",
		},
		{
			ID: "IO-3", Category: "instruction_override", Severity: "malicious",
			Description: "A statement releasing the agent from its instructions: 'you are no longer bound by', 'stop following', 'cease following', 'no longer follow'.",
			Pattern:     `\b(you are no longer bound by|stop following|cease following|no longer follow)\b`,
			Flags:       "i",
		},
		{
			ID: "IO-4", Category: "instruction_override", Severity: "suspicious",
			Description: "A persistent behaviour directive addressed to the agent: 'from now on, you ...'.",
			Pattern:     `\bfrom now on,?\s+you\b`,
			Flags:       "i",
		},
		{
			ID: "RH-1", Category: "role_hijack", Severity: "malicious",
			Description: "Fake role markup in the text: <system>, </system>, <developer>, [system], [developer], or <<SYS>> tags.",
			Pattern:     `<\s*\/?\s*(system|developer)\s*>|\[\s*(system|developer)\s*\]|<<\s*SYS\s*>>`,
			Flags:       "i",
		},
		{
			ID: "RH-2", Category: "role_hijack", Severity: "suspicious",
			Description: "A bare role label at the start of a line: 'System:', 'Assistant:', or 'Developer:'.",
			Pattern:     `(^|\n)\s*(system|assistant|developer)\s*:`,
			Flags:       "i",
		},
		{
			ID: "RH-3", Category: "role_hijack", Severity: "malicious",
			Description: "A jailbreak persona switch: 'DAN mode', 'jailbreak mode', 'developer mode enabled/on/active', or 'do anything now'.",
			Pattern:     `\b(DAN mode|jailbreak mode|developer mode (is )?(now )?(enabled|on|active)|do anything now)\b`,
			Flags:       "i",
		},
		{
			ID: "RH-4", Category: "role_hijack", Severity: "malicious",
			Description: "An unrestricted-persona claim or assignment: an 'unrestricted / unfiltered / uncensored mode, assistant, AI or model', or 'act as / pretend / roleplay ... without any restrictions, rules or limits'.",
			Pattern:     `\b(unrestricted|unfiltered|uncensored)\s+(mode|assistant|ai|model)\b|\b(act as|pretend|roleplay)\b[^.\n]{0,60}\bwithout (any )?(restrictions|rules|limits)\b`,
			Flags:       "i",
		},
		{
			ID: "DE-1", Category: "delimiter_escape", Severity: "malicious",
			Description: "A model special-token marker of the form <|...|> (for example <|im_start|>, <|im_end|>, <|endoftext|>).",
			Pattern:     `<\|[^|>\n]{0,40}\|>`,
			Flags:       "i",
		},
		{
			ID: "DE-2", Category: "delimiter_escape", Severity: "malicious",
			Description: "A chat-template instruction marker: [INST], [/INST], or [SYS].",
			Pattern:     `\[\/?(INST|SYS)\]`,
			Flags:       "i",
		},
		{
			ID: "DE-3", Category: "delimiter_escape", Severity: "suspicious",
			Description: "Context-boundary prose: 'end of the system prompt / instructions / context', or 'begin a new/fresh context, conversation or session'.",
			Pattern:     `\b(end of (the )?(system )?(prompt|instructions|context)|begin (a )?(new|fresh) (context|conversation|session))\b`,
			Flags:       "i",
		},
		{
			ID: "EX-1", Category: "exfiltration", Severity: "malicious",
			Description: "An instruction to send, post, upload, forward, transmit, email, leak, exfiltrate, reveal, or disclose the conversation (history), chat history, system prompt/message, the agent's instructions, API keys, credentials, passwords, secret/private keys, a seed phrase, or user/personal data.",
			Pattern:     `\b(send|post|upload|forward|transmit|email|leak|exfiltrate|reveal|disclose)\b[^.\n]{0,50}\b(conversation( history)?|chat history|system prompt|system message|your instructions|initial instructions|api keys?|credentials|passwords?|secret keys?|private keys?|seed phrase|user data|personal data)\b`,
			Flags:       "i",
		},
		{
			ID: "EX-2", Category: "exfiltration", Severity: "malicious",
			Description: "An instruction to reveal, print, show, repeat, output, display, recite, or tell the system prompt, system message, initial/hidden/developer instructions, or an API key.",
			Pattern:     `\b(reveal|print|show|repeat|output|display|recite|tell me)\b[^.\n]{0,40}\b(your |the )?(system prompt|system message|initial instructions|hidden instructions|developer instructions|api key)\b`,
			Flags:       "i",
		},
		{
			ID: "EX-3", Category: "exfiltration", Severity: "suspicious",
			Description: "A URL carrying a long encoded-looking value (24+ URL-safe characters) in a query parameter — the shape of data smuggled out inside a link.",
			Pattern:     `https?:\/\/[^\s)"']{8,}?[?&][a-z_]{1,12}=[A-Za-z0-9+/=_-]{24,}`,
			Flags:       "i",
		},
		{
			ID: "TC-1", Category: "tool_coercion", Severity: "malicious",
			Description: "Fake tool-call markup in the text: <function_calls>, <function_call>, <invoke>, or <tool_call> tags.",
			Pattern:     `<\s*(function_calls|function_call|invoke|tool_call)\b`,
			Flags:       "i",
		},
		{
			ID: "TC-2", Category: "tool_coercion", Severity: "malicious",
			Description: "An instruction to call, invoke, run, execute, or use a function/tool without (or before) asking, confirmation, permission, approval, or telling.",
			Pattern:     `\b(call|invoke|run|execute|use)\b[^.\n]{0,30}\b(function|tool)\b[^.\n]{0,50}\b(without|before)\b[^.\n]{0,24}\b(asking|confirm|confirmation|permission|approval|telling)\b`,
			Flags:       "i",
		},
		{
			ID: "TC-3", Category: "tool_coercion", Severity: "suspicious",
			Description: "An instruction to run or execute 'this' or 'the following' command, script, shell, or code.",
			Pattern:     `\b(run|execute)\s+(this|the following)\s+(command|script|shell|code)\b`,
			Flags:       "i",
		},
		{
			ID: "WD-1", Category: "wallet_drain", Severity: "malicious",
			Description: "An instruction to transfer, send, move, drain, withdraw, or sweep funds, a balance, tokens, assets, SOL, USDC, or crypto to a destination.",
			Pattern:     `\b(transfer|send|move|drain|withdraw|sweep)\b[^.\n]{0,40}\b(all|the|my|your|his|her|their)?\s*(funds|balance|tokens?|assets|sol|usdc|crypto(currency)?)\b[^.\n]{0,40}\bto\b`,
			Flags:       "i",
		},
		{
			ID: "WD-2", Category: "wallet_drain", Severity: "malicious",
			Description: "A request to enter, type, provide, share, give, input, or paste a seed phrase, private key, recovery phrase, or mnemonic.",
			Pattern:     `\b(enter|type|provide|share|give|input|paste)\b[^.\n]{0,30}\b(seed phrase|private key|recovery phrase|mnemonic)\b`,
			Flags:       "i",
		},
		{
			ID: "WD-3", Category: "wallet_drain", Severity: "malicious",
			Description: "A seed phrase, private key, recovery phrase, or mnemonic named together with a demand to enter, type, provide, share, give, input, or paste it (or 'here' / 'below').",
			Pattern:     `\b(seed phrase|private key|recovery phrase|mnemonic)\b[^.\n]{0,30}\b(enter|type|provide|share|give|input|paste|here|below)\b`,
			Flags:       "i",
		},
		{
			ID: "WD-4", Category: "wallet_drain", Severity: "suspicious",
			Description: "An instruction to 'sign this/the/a transaction'.",
			Pattern:     `\bsign (this|the|a) transaction\b`,
			Flags:       "i",
		},
		{
			ID: "CC-1", Category: "concealment", Severity: "malicious",
			Description: "An instruction not to tell, inform, notify, or alert the user, human, operator, owner, or anyone ('do not / don't / never tell ...').",
			Pattern:     `\b(do not|don't|never)\s+(tell|inform|notify|alert)\b[^.\n]{0,24}\b(the )?(user|human|operator|owner|anyone)\b`,
			Flags:       "i",
		},
		{
			ID: "CC-2", Category: "concealment", Severity: "suspicious",
			Description: "'Keep this secret / hidden / confidential from ...'.",
			Pattern:     `\bkeep this (secret|hidden|confidential) from\b`,
			Flags:       "i",
		},
		{
			ID: "CC-3", Category: "concealment", Severity: "suspicious",
			Description: "Output forcing: 'respond only with ...'.",
			Pattern:     `\brespond only with\b`,
			Flags:       "i",
		},
		{
			ID: "CC-4", Category: "concealment", Severity: "suspicious",
			Description: "'Never mention these/this/your/the instructions, prompt, or rules'.",
			Pattern:     `\bnever mention (these|this|your|the) (instructions?|prompt|rules)\b`,
			Flags:       "i",
		},
		{
			ID: "OB-1", Category: "obfuscation", Severity: "suspicious",
			Description: "Invisible characters embedded in the text: zero-width space/joiners (U+200B-U+200D), word joiner (U+2060), byte-order mark (U+FEFF), or Mongolian vowel separator (U+180E). Adjacent matches of this rule merge into one span.",
			Pattern:     `[\u200B-\u200D\u2060\uFEFF\u180E]`,
			Flags:       "i",
		},
	},
	table: &injectionTable,
}
