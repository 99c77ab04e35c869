#!/usr/bin/env bash
# Scans $MANIFEST with $BIN and compares it with $LOCKFILE as it is in commit
# $BASE. The lockfile of the pull request itself is never used: it would let the
# pull request approve what it changes. All input comes from the environment.
set -u

status=0
worst() { if [ "$1" -gt "$status" ]; then status=$1; fi; }

# A path that begins with a dash would be taken for a flag.
case $MANIFEST in
  /*) ;;
  *) MANIFEST=./$MANIFEST ;;
esac

# Both go to the log as text and to the job's summary as Markdown, which the
# command makes harmless. Workflow commands in a manifest's text are not obeyed.
token=manifestseal-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
echo "::stop-commands::$token"
trap 'echo "::$token::"' EXIT

flags=("--fail-on=$FAIL_ON")
if [ -n "$FAIL_ON_CAPABILITY" ]; then flags+=("--fail-on-capability=$FAIL_ON_CAPABILITY"); fi
if [ "$REQUIRE_ANNOTATIONS" = true ]; then flags+=(--require-annotations); fi

echo "Scan"
"$BIN" scan --format text --color never "${flags[@]}" -- "$MANIFEST"
worst $?
"$BIN" scan --format markdown "${flags[@]}" -- "$MANIFEST" >>"$summary" 2>/dev/null
if [ -n "$SARIF" ]; then
  "$BIN" scan --format sarif "${flags[@]}" -- "$MANIFEST" >"$SARIF" 2>/dev/null
fi

if [ -z "$LOCKFILE" ]; then exit "$status"; fi

echo "Compare with the lockfile of the base"
lock=$TEMP_DIR/manifestseal.base.lock.json
case $BASE in
  "" | -* | *[!0-9A-Za-z._/-]* | 0000000000000000000000000000000000000000)
    echo "There is no base commit to take the lockfile from: set base-ref."
    exit 2
    ;;
esac
# A shallow checkout does not have the base commit.
git cat-file -e "$BASE^{commit}" 2>/dev/null || git fetch --quiet --no-tags --depth=1 origin "$BASE" 2>/dev/null
commit=$(git rev-parse --quiet --verify "$BASE^{commit}" || git rev-parse --quiet --verify "FETCH_HEAD^{commit}") || {
  echo "The base commit can't be fetched, so nothing was compared."
  exit 2
}
if ! git show "$commit:./${LOCKFILE#./}" >"$lock" 2>/dev/null; then
  echo "The base has no lockfile at this path, so nothing was compared. Commit one first: manifestseal pin FILE --out LOCK"
  exit 2
fi
"$BIN" drift --format text --color never --baseline "$lock" --current "$MANIFEST"
worst $?
"$BIN" drift --format markdown --baseline "$lock" --current "$MANIFEST" >>"$summary" 2>/dev/null
exit "$status"
