#!/usr/bin/env bash
# Prints the events of a log between two times, with their stack traces and line numbers.
set -euo pipefail
export LC_ALL=C

readonly MAX_LINES=5000

usage() {
  cat <<'TEXT'
usage: window.sh FILE --from TIME --to TIME [--level LEVEL] [--match TEXT] [-n N]

Prints "line: text" of every event from TIME to TIME, both included, and of the lines that belong to it.
TIME is a date and time, as exact as you like: "2024-05-17 10:12" or "2024-05-17T10:12:30"; for syslog, which has no
year, "05-17 10:12". FILE "-" is standard input.

  --from TIME    first moment (default: the start)
  --to TIME      last moment; 10:14 takes in all of that minute (default: the end)
  --level LEVEL  only events whose first line has this word, case ignored (ERROR, WARN …)
  --match TEXT   only events with this text in their first line (plain text, case counts)
  -n N           at most N lines (default 200, at most 5000)

exit codes: 0 done, 1 no event matches or the file can't be read, 2 wrong arguments
TEXT
}

fail() { printf 'error: %s\n' "$1" >&2; exit 1; }
misuse() { printf 'error: %s\nTry --help.\n' "$1" >&2; exit 2; }

file='' from='' to='' level='' match='' limit=200
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --from | --to | --level | --match | -n)
      [ $# -ge 2 ] && [ -n "$2" ] || misuse "$1 needs a value"
      case $1 in
        --from) from=$2 ;;
        --to) to=$2 ;;
        --level) level=$2 ;;
        --match) match=$2 ;;
        -n) limit=$2 ;;
      esac
      shift 2 ;;
    -?*) misuse "unknown argument: $1" ;;
    *) [ -z "$file" ] || misuse "one file at a time: $1"
      file=$1; shift ;;
  esac
done

[ -n "$file" ] || misuse 'no file given'
[ -n "$from$to$level$match" ] || misuse 'say what to look for: --from, --to, --level or --match'
for moment in "$from" "$to"; do
  [[ -z $moment || $moment =~ ^([0-9]{4}-)?[0-9]{2}-[0-9]{2}([T\ ][0-9]{2}(:[0-9]{2}(:[0-9]{2})?)?)?$ ]] ||
    misuse "not a time: $moment (expected 2024-05-17 10:12, or 05-17 10:12 for syslog)"
done
[ -z "$from" ] || [ -z "$to" ] || [ "${#from}" -gt 14 ] || [ "${#to}" -le 14 ] || [[ $from =~ ^[0-9]{4}- ]] || misuse '--from and --to must both have a year, or neither'
[[ $level =~ ^[A-Za-z]*$ ]] || misuse "not a level: $level"
[[ $limit =~ ^[1-9][0-9]{0,3}$ ]] && [ "$limit" -le "$MAX_LINES" ] || misuse "-n is a whole number from 1 to $MAX_LINES"

if [ "$file" = - ]; then
  exec 3<&0
else
  [ -e "$file" ] || fail "no such file: $file"
  [ -f "$file" ] && [ -r "$file" ] || fail "not a readable file: $file"
  exec 3<"$file"
fi

# Through the environment: awk -v would read backslashes in the text as escapes.
FROM=${from/T/ } TO=${to/T/ } LEVEL=$level MATCH=$match awk -v limit="$limit" '
  BEGIN {
    from = ENVIRON["FROM"]; to = ENVIRON["TO"]; level = toupper(ENVIRON["LEVEL"]); text = ENVIRON["MATCH"]
    split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", names, " ")
    for (i = 1; i <= 12; i++) months[names[i]] = sprintf("%02d", i)
  }
  # The time of a line as "date hh:mm:ss", or "" where it has none.
  function time_of(line,   head, month, at) {
    head = substr(line, 1, line ~ /^\{/ ? 400 : 30)
    if (match(head, /[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9]:[0-9][0-9](:[0-9][0-9])?/)) {
      at = substr(head, RSTART, RLENGTH); sub(/T/, " ", at)
      return length(at) == 16 ? at ":00" : at
    }
    if (match(line, /^(<[0-9]+>)?[A-Z][a-z][a-z] +[0-9]+ [0-9][0-9]:[0-9][0-9]:[0-9][0-9]/)) {
      head = substr(line, 1, RLENGTH); sub(/^<[0-9]+>/, "", head)
      split(head, part, / +/)
      if (part[1] in months) return months[part[1]] "-" sprintf("%02d", part[2]) " " part[3]
    }
    head = substr(line, 1, 200)
    if (match(head, /\[[0-9][0-9]\/[A-Z][a-z][a-z]\/[0-9][0-9][0-9][0-9]:[0-9][0-9]:[0-9][0-9]:[0-9][0-9]/)) {
      at = substr(head, RSTART + 1, RLENGTH - 1); month = substr(at, 4, 3)
      if (month in months) return substr(at, 8, 4) "-" months[month] "-" substr(at, 1, 2) " " substr(at, 13)
    }
    return ""
  }
  # Whether the level stands in the line as a word of its own.
  function has_level(line,   rest, at, before, after) {
    rest = " " toupper(substr(line, 1, 400)) " "
    while ((at = index(rest, level)) > 0) {
      before = substr(rest, at - 1, 1); after = substr(rest, at + length(level), 1)
      if (before !~ /[A-Z0-9_]/ && after !~ /[A-Z0-9_]/) return 1
      rest = " " substr(rest, at + length(level))
    }
    return 0
  }
  # Not within a character of several bytes.
  function cut(line) { line = substr(line, 1, 497); sub(/[\300-\377][\200-\277]*$/, "", line); return line "..." }
  NR == 1 { sub(/^\357\273\277/, "") }
  {
    sub(/\r$/, ""); gsub(/[\001-\010\013-\037\177]/, "")
    when = time_of($0)
    if (when != "") {
      dated++
      inside = (from == "" || substr(when, 1, length(from)) >= from) && (to == "" || substr(when, 1, length(to)) <= to)
      if (inside && level != "") inside = has_level($0)
      if (inside && text != "") inside = index($0, text) > 0
      if (inside) events++
    }
    if (!inside) next
    if (shown < limit) { shown++; print NR ": " (length($0) > 500 ? cut($0) : $0) }
    else hidden++
  }
  END {
    if (NR == 0) { print "error: the log is empty" | "cat 1>&2"; exit 1 }
    if (dated == 0) { print "error: no line has a timestamp that can be read" | "cat 1>&2"; exit 1 }
    if (events == 0) { print "error: no event matches; the log has " dated " events" | "cat 1>&2"; exit 1 }
    if (hidden) print "... " hidden (hidden == 1 ? " more line" : " more lines") "; raise -n or narrow the window"
    print events (events == 1 ? " event, " : " events, ") shown + hidden (shown + hidden == 1 ? " line" : " lines")
  }' <&3
