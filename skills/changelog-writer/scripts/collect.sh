#!/usr/bin/env bash
# Writes a Keep a Changelog section from a git log of Conventional Commits.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)

usage() {
  cat <<'TEXT'
usage: collect.sh --from-file FILE [--since TAG] [options]
       collect.sh [--since REF] [--to REF] [options]

Prints a changelog section on standard output, and what was left out on standard error.

  --from-file FILE  a saved log: `git log`, `git log --oneline`, or one subject a line; "-" is standard input
  --since REF       only commits after this tag (in a file: the tag must stand in the log's decorations)
  --to REF          the newest commit to take (default HEAD; not with --from-file)
  --version X.Y.Z   the version of the heading (default: Unreleased)
  --date YYYY-MM-DD the date of the heading; needed with --version
  --include TYPES   also list these types, under Changed: a comma-separated list such as docs,refactor
  --repo-url URL    link hashes and the comparison, e.g. https://git.example.org/team/app
  --no-hashes       leave the hashes out
  --template FILE   sections and headings (default: the skill's assets/changelog-entry.md)
  --strict          exit 1 when a commit is not conventional

exit codes: 0 done, 1 nothing to list or the log can't be read, 2 wrong arguments
TEXT
}

fail() { printf 'error: %s\n' "$1" >&2; exit 1; }
misuse() { printf 'error: %s\nTry --help.\n' "$1" >&2; exit 2; }

log_args=() version='' day='' since='' url='' hashes=1 strict=0 template=$here/../assets/changelog-entry.md
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --no-hashes) hashes=0; shift ;;
    --strict) strict=1; shift ;;
    --from-file | --since | --to | --include | --version | --date | --repo-url | --template)
      [ $# -ge 2 ] && [ -n "$2" ] || misuse "$1 needs a value"
      case $1 in
        --since) since=$2; log_args+=("$1" "$2") ;;
        --from-file | --to | --include) log_args+=("$1" "$2") ;;
        --version) version=${2#v} ;;
        --date) day=$2 ;;
        --repo-url) url=${2%/} ;;
        --template) template=$2 ;;
      esac
      shift 2 ;;
    *) misuse "unknown argument: $1" ;;
  esac
done

if [ -n "$version" ]; then
  [[ $version =~ ^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$ ]] ||
    misuse "not a semantic version: $version"
  [ -n "$day" ] || misuse '--version needs --date, the day of the release'
elif [ -n "$day" ]; then
  misuse '--date needs --version'
fi
if [ -n "$day" ]; then
  [[ $day =~ ^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$ ]] || misuse "not a date (YYYY-MM-DD): $day"
fi
if [ -n "$url" ]; then
  [[ $url =~ ^https?://[A-Za-z0-9._~:/%@+-]+$ ]] || misuse "not an http(s) URL: $url"
fi
[ -f "$template" ] && [ -r "$template" ] || fail "no template at $template"

code=0
# Bash 3.2, which macOS ships, calls an empty array unset.
commits=$("$here/parse-log.sh" ${log_args[@]+"${log_args[@]}"}) || code=$?
[ "$code" -eq 0 ] || exit "$code"

# One line per entry: section, order of breaking changes, scope, position, Markdown text.
entries=$(printf '%s\n' "$commits" | awk -F '\t' -v url="$url" -v hashes="$hashes" '
  # Outside code spans a "<" would start HTML, and vanish.
  function safe(s,   parts, count, i, out) {
    count = split(s, parts, "`"); out = ""
    for (i = 1; i <= count; i++) {
      if (i % 2 == 1 || i == count) gsub(/</, "\\&lt;", parts[i])
      out = out (i > 1 ? "`" : "") parts[i]
    }
    return out
  }
  function sentence(s) {
    sub(/\.$/, "", s)
    if (s ~ /^[a-z]+([ ,:]|$)/) s = toupper(substr(s, 1, 1)) substr(s, 2)
    return s
  }
  $2 == "listed" {
    text = safe(sentence($7)); suffix = ""
    if ($6 == "Security" && tolower($4) ~ /^(security|sec)$/) $4 = "-"
    count = split($8, refs, " ")
    for (i = 1; i <= count; i++) if (refs[i] != "-" && index($7, refs[i]) == 0) suffix = suffix (suffix == "" ? "" : ", ") refs[i]
    if (hashes && $1 != "-") suffix = suffix (suffix == "" ? "" : ", ") (url == "" ? $1 : "[" $1 "](" url "/commit/" $1 ")")
    line = "- " ($5 == 1 ? "**BREAKING** " : "") ($4 == "-" ? "" : "**" safe($4) ":** ") text (suffix == "" ? "" : " (" suffix ")")
    if ($9 != "-") line = line "\034  " safe(sentence($9)) "."
    printf "%s\t%d\t%s\t%05d\t%s\n", $6, 1 - $5, ($4 == "-" ? "" : $4), NR, line
  }' | sort -t "$(printf '\t')" -k1,1 -k2,2n -k3,3 -k4,4n)

printf '%s\n' "$commits" | awk -F '\t' -v strict="$strict" '
  { count[$2]++ }
  $2 == "other" { types[$3]++ }
  $2 == "plain" { plain[++p] = ($1 == "-" ? "" : $1 " ") $7 }
  END {
    message = NR (NR == 1 ? " commit: " : " commits: ") count["listed"] + 0 " listed"
    if (count["other"]) {
      m = 0
      for (type in types) names[++m] = type
      for (i = 2; i <= m; i++) for (j = i; j > 1 && names[j] < names[j - 1]; j--) { s = names[j]; names[j] = names[j - 1]; names[j - 1] = s }
      for (i = 1; i <= m; i++) list = list (i > 1 ? ", " : "") names[i] " " types[names[i]]
      message = message ", " count["other"] " left out (" list ")"
    }
    if (count["merge"]) message = message ", " count["merge"] " merged"
    if (count["reverted"]) message = message ", " count["reverted"] " cancelled by reverts"
    if (p) message = message ", " p " not conventional"
    print message
    for (i = 1; i <= p && i <= 20; i++) print "not conventional: " plain[i]
    if (p > 20) print "not conventional: and " p - 20 " more"
    exit (strict && p ? 1 : 0)
  }' >&2 || code=$?

[ -n "$entries" ] || fail 'nothing to list: no commit belongs into a changelog'

compare=''
if [ -n "$url" ] && [ -n "$since" ]; then compare="$url/compare/$since...${version:+v}${version:-HEAD}"; fi
{ cat < "$template"; printf '\n\034\n%s\n' "$entries"; } | awk -F '\t' -v version="${version:-Unreleased}" -v day="$day" -v compare="$compare" '
  # awk reads the template first and the entries after the separator; headings without entries are left out.
  !body && $0 == "\034" { body = 1; next }
  !body { template[++t] = $0; next }
  { text = $5; sub(/\034/, "\n", text); sections[$1] = sections[$1] text "\n" }
  END {
    for (i = 1; i <= t; i++) {
      line = template[i]
      if (day == "") sub(/ - \{\{date\}\}/, "", line)
      line = fill(fill(fill(line, "{{version}}", version), "{{date}}", day), "{{compare_url}}", compare)
      if (line ~ /\{\{/ || line ~ /\]: *$/) continue
      if (line ~ /^### /) {
        name = substr(line, 5)
        if (name in sections) { out = out block(line) "\n" sections[name]; seen[name] = 1 }
      } else if (line != "") out = out block(line)
    }
    for (name in sections) if (!(name in seen)) missing = missing " " name
    if (missing != "") { print "error: the template has no section for:" missing | "cat 1>&2"; exit 1 }
    printf "%s", out
  }
  function block(line) { return (out == "" ? "" : "\n") line "\n" }
  function fill(s, mark, value,   at) {
    at = index(s, mark)
    return at == 0 ? s : substr(s, 1, at - 1) value fill(substr(s, at + length(mark)), mark, value)
  }'
exit "$code"
