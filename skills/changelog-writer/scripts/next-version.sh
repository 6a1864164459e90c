#!/usr/bin/env bash
# Computes the next semantic version from a git log of Conventional Commits.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)

usage() {
  cat <<'TEXT'
usage: next-version.sh --current X.Y.Z --from-file FILE [--since TAG] [--stable] [--plain]
       next-version.sh [--current X.Y.Z] [--since REF] [--to REF] [--stable] [--plain]

  --current X.Y.Z   the version that was released last, with or without a leading v, which is kept
                    (default in a repository: the newest tag that looks like one)
  --from-file FILE  a saved log: `git log`, `git log --oneline`, or one subject a line; "-" is standard input
  --since REF       only commits after this tag (default in a repository: the tag of --current, if it exists)
  --to REF          the newest commit to take (default HEAD; not with --from-file)
  --stable          let a breaking change take 0.y.z to 1.0.0
  --plain           print the version alone

A breaking change raises the major number (before 1.0.0 the minor), a feature the minor, a fix or a performance
improvement the patch; deprecations and removals that break nothing count as features. A pre-release is finished first: 2.0.0-rc.1 becomes 2.0.0.
exit codes: 0 done (the bump may be none), 1 the log can't be read, 2 wrong arguments
TEXT
}

fail() { printf 'error: %s\n' "$1" >&2; exit 1; }
misuse() { printf 'error: %s\nTry --help.\n' "$1" >&2; exit 2; }

current='' from_file='' since='' to='' stable=0 plain=0
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --stable) stable=1; shift ;;
    --plain) plain=1; shift ;;
    --current | --from-file | --since | --to)
      [ $# -ge 2 ] && [ -n "$2" ] || misuse "$1 needs a value"
      case $1 in
        --current) current=$2 ;;
        --from-file) from_file=$2 ;;
        --since) since=$2 ;;
        --to) to=$2 ;;
      esac
      shift 2 ;;
    *) misuse "unknown argument: $1" ;;
  esac
done

# A reference that starts with a dash would be read by git as an option.
case $to in
  -* | *[!A-Za-z0-9._/@^~+-]*) misuse "not a git reference: $to" ;;
esac
if [ -z "$current" ]; then
  [ -z "$from_file" ] || misuse '--from-file needs --current'
  current=$(git describe --tags --abbrev=0 --match 'v[0-9]*' --match '[0-9]*' "${to:-HEAD}" 2>/dev/null) ||
    fail 'no version tag found; pass --current'
fi

number='(0|[1-9][0-9]{0,8})'
[[ $current =~ ^(v?)$number\.$number\.$number(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$ ]] || misuse "not a semantic version: $current"
prefix=${BASH_REMATCH[1]} major=${BASH_REMATCH[2]} minor=${BASH_REMATCH[3]} patch=${BASH_REMATCH[4]} pre=${BASH_REMATCH[5]}

if [ -z "$from_file" ] && [ -z "$since" ] && git rev-parse --quiet --verify "refs/tags/$current^{commit}" >/dev/null 2>&1; then
  since=$current
fi

log_args=()
[ -z "$from_file" ] || log_args+=(--from-file "$from_file")
[ -z "$since" ] || log_args+=(--since "$since")
[ -z "$to" ] || log_args+=(--to "$to")
code=0
commits=$("$here/parse-log.sh" ${log_args[@]+"${log_args[@]}"}) || code=$?
[ "$code" -eq 0 ] || exit "$code"

read -r breaking features fixes plain_commits <<TEXT
$(printf '%s\n' "$commits" | awk -F '\t' '
  $2 == "reverted" || $2 == "merge" { next }
  $2 == "plain" { p++; next }
  $2 != "listed" { next }
  $5 == 1 { b++; next }
  $6 == "Added" || $6 == "Deprecated" || $6 == "Removed" { f++; next }
  { x++ }
  END { print b + 0, f + 0, x + 0, p + 0 }')
TEXT

if [ "$breaking" -gt 0 ]; then
  if [ "$major" -eq 0 ] && [ "$stable" -eq 0 ]; then bump=minor; else bump=major; fi
elif [ "$features" -gt 0 ]; then bump=minor
elif [ "$fixes" -gt 0 ]; then bump='patch'
else bump=none
fi

case $bump in
  major) if [ -z "$pre" ] || [ "$minor" -ne 0 ] || [ "$patch" -ne 0 ]; then major=$((major + 1)); fi; minor=0 patch=0 ;;
  minor) if [ -z "$pre" ] || [ "$patch" -ne 0 ]; then minor=$((minor + 1)); fi; patch=0 ;;
  patch) if [ -z "$pre" ]; then patch=$((patch + 1)); fi ;;
esac
if [ "$bump" = none ]; then next=$current; else next=$prefix$major.$minor.$patch; fi

if [ "$plain" -eq 1 ]; then
  printf '%s\n' "$next"
else
  printf 'current: %s\nbump: %s\nnext: %s\nbecause: %d breaking, %d added, deprecated or removed, %d fixed or changed\n' \
    "$current" "$bump" "$next" "$breaking" "$features" "$fixes"
fi
[ "$plain_commits" -eq 0 ] || printf 'note: %d not conventional, so not weighed; read them with collect.sh\n' "$plain_commits" >&2
