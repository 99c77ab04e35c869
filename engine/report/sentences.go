package report

// Sentences of the criteria that stand in reports, byte for byte.
const (
	Service = "manifest-claim-audit"
	Version = "1.1.0"

	signedBaselineNote   = "The baseline for this comparison is anchored by a service-signed audit report or by that report's independently signed digest block; baseline_as_of names when the baseline was issued."
	assertedBaselineNote = "The baseline for this comparison was asserted by the customer (a submitted manifest), not anchored by a service-signed report; the report states the difference between the two submitted documents only."
	couldNotCompare      = "COULD NOT COMPARE — the baseline or the current manifest contains no tools, or (in URL mode) the current manifest document could not be fetched and parsed as a tools/list document, so no comparison could be made. This is not a statement that a manifest is unchanged."
	scanScope            = "The new descriptions of CHANGED tools only. Added tools are not screened: first-sight content is graded by the manifest audit and by the injection verdict service, not by a drift comparison. The scan section of every report states this scope."
	scanLabelling        = "The scan is a pattern screen, reported in its own section, visibly separate from the drift findings. Each match is reported as { id, category, start, end } (plus the normalization view when the match came from one), positions being JavaScript string indices into the tool's new description. No scan verdict is issued by a drift report."

	// bareBlockNote is ours: the criteria know no unsigned digest block.
	bareBlockNote = "The baseline for this comparison is an unsigned digest block asserted by the customer; nothing anchors it."
)
