#!/usr/bin/env bash
# Reads a git log of Conventional Commits and prints one tab-separated line per commit.
set -euo pipefail
export LC_ALL=C

readonly MAX_BYTES=8388608 MAX_COMMITS=5000

usage() {
  cat <<'TEXT'
usage: parse-log.sh --from-file FILE [--since TAG]
       parse-log.sh [--since REF] [--to REF]

Prints one line per commit, newest first, with tab-separated fields:
  hash, status, type, scope, breaking (0 or 1), section, text, references, breaking note ("-" where empty)
status is listed, other (the type has no section), plain (not conventional), merge or reverted.

  --from-file FILE  a saved log: `git log`, `git log --oneline`, or one subject a line; "-" is standard input
  --since REF       only commits after this tag; in a file, the tag must stand in the log's decorations
  --to REF          the newest commit to take (default HEAD; not with --from-file)
  --include TYPES   also list these types, under Changed: a comma-separated list such as docs,refactor

exit codes: 0 done, 1 the log can't be read, 2 wrong arguments
TEXT
}

fail() { printf 'error: %s\n' "$1" >&2; exit 1; }
misuse() { printf 'error: %s\nTry --help.\n' "$1" >&2; exit 2; }

from_file='' since='' to='' include=''
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --from-file | --since | --to | --include)
      [ $# -ge 2 ] && [ -n "$2" ] || misuse "$1 needs a value"
      case $1 in
        --from-file) from_file=$2 ;;
        --since) since=$2 ;;
        --to) to=$2 ;;
        --include) include=$2 ;;
      esac
      shift 2 ;;
    *) misuse "unknown argument: $1" ;;
  esac
done

# A reference that starts with a dash would be read by git as an option.
for reference in "$since" "$to"; do
  case $reference in
    -* | *[!A-Za-z0-9._/@^~+-]*) misuse "not a git reference: $reference" ;;
  esac
done
case $include in
  *[!a-z,-]*) misuse "--include takes lowercase types separated by commas" ;;
esac

if [ -z "$from_file" ]; then
  git rev-parse --git-dir >/dev/null 2>&1 || fail 'not in a git repository; save the log to a file and use --from-file'
  git rev-parse --quiet --verify "${to:-HEAD}^{commit}" >/dev/null || fail "git knows no commit ${to:-HEAD}"
  [ -z "$since" ] || git rev-parse --quiet --verify "$since^{commit}" >/dev/null || fail "git knows no commit $since"
else
  [ -z "$to" ] || misuse '--to works on a repository, not with --from-file'
  if [ "$from_file" != - ]; then
    [ -e "$from_file" ] || fail "no such file: $from_file"
    [ -f "$from_file" ] && [ -r "$from_file" ] || fail "not a readable file: $from_file"
  fi
fi

read_log() {
  if [ -z "$from_file" ]; then
    git -c log.showSignature=false --no-pager log --no-color --no-decorate --no-notes --format=medium \
      -n $((MAX_COMMITS + 1)) "${since:+$since..}${to:-HEAD}" --
  elif [ "$from_file" = - ]; then
    head -c $((MAX_BYTES + 1))
  else
    head -c $((MAX_BYTES + 1)) < "$from_file"
  fi
}

# $1 is the tag at which a file's log ends.
parse() {
  awk -v stop_tag="$1" -v include=",$include," -v max_commits=$MAX_COMMITS -v max_bytes=$MAX_BYTES '
    function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
    function die(message) { print "error: " message | "cat 1>&2"; failed = 1; exit 1 }
    function is_hash(s) { return length(s) >= 7 && length(s) <= 64 && s ~ /^[0-9a-f]+$/ }

    function begin_commit(hash) {
      close_commit()
      if (++n > max_commits) die("more than " max_commits " commits; choose a shorter range")
      hashes[n] = hash; subject = ""; merge = 0; footer = ""; note = ""; refs = ""; override = ""; reverts = ""
    }

    # A footer of the message; what follows a breaking change belongs to it until a blank line or the next footer.
    function body_line(s,   lower, word, rest) {
      lower = tolower(s)
      if (s ~ /^BREAKING[ -]CHANGE: /) { footer = "breaking"; note = substr(s, 18); return }
      if (lower ~ /^this reverts commit [0-9a-f]+/) {
        split(lower, word, " "); rest = word[4]; gsub(/[^0-9a-f]/, "", rest)
        if (length(rest) >= 7) reverts = rest
        return
      }
      if (s ~ /^[A-Za-z][A-Za-z-]*(: | #)/) {
        footer = ""
        rest = s; sub(/^[A-Za-z-]+:? /, "", rest); rest = trim(rest)
        if (lower ~ /^changelog: /) override = tolower(rest)
        else if (lower ~ /^(closes|fixes|resolves|refs)[: ]/) add_refs(rest)
        return
      }
      if (s == "") footer = ""
      else if (footer == "breaking") note = note " " s
    }

    function add_refs(s) {
      while (match(s, /#[0-9]+/)) {
        if (index(" " refs " ", " " substr(s, RSTART, RLENGTH) " ") == 0)
          refs = refs (refs == "" ? "" : " ") substr(s, RSTART, RLENGTH)
        s = substr(s, RSTART + RLENGTH)
      }
    }

    function section_of(type, scope) {
      if (override != "") {
        if (override ~ /^(added|changed|deprecated|removed|fixed|security)$/)
          return toupper(substr(override, 1, 1)) substr(override, 2)
        if (override == "skip" || override == "none") return "-"
      }
      if (type == "security" || (type == "fix" && scope ~ /^(security|sec)$/)) return "Security"
      if (type == "feat" || type == "feature") return "Added"
      if (type == "fix" || type == "bugfix" || type == "hotfix") return "Fixed"
      if (type == "perf" || type == "revert") return "Changed"
      if (type == "deprecate" || type == "deprecated") return "Deprecated"
      if (type == "remove" || type == "removed") return "Removed"
      if (index(include, "," type ",")) return "Changed"
      return "-"
    }

    function close_commit(   head, type, scope, bang, text, status, section) {
      if (n == 0 || done[n]) return
      done[n] = 1
      text = trim(subject); type = "-"; scope = "-"; bang = 0; section = "-"
      if (merge || text ~ /^Merge (branch|pull request|remote-tracking branch|tag|commit) /) status = "merge"
      else if (match(text, /^[A-Za-z]+(\([^()]*\))?!?: */) && RLENGTH < length(text)) {
        head = substr(text, 1, RLENGTH); text = substr(text, RLENGTH + 1)
        sub(/: *$/, "", head)
        if (head ~ /!$/) { bang = 1; sub(/!$/, "", head) }
        if (match(head, /\(.*\)$/)) { scope = trim(substr(head, RSTART + 1, RLENGTH - 2)); head = substr(head, 1, RSTART - 1) }
        type = tolower(head)
        if (scope == "") scope = "-"
        section = section_of(type, tolower(scope))
        if (note != "") bang = 1
        if (bang && section == "-") section = "Changed"
        status = section == "-" ? "other" : "listed"
      } else if (text ~ /^Revert "/) {
        type = "revert"; section = "Changed"; status = "listed"
      } else status = "plain"
      if (note != "" && status == "plain") { bang = 1; section = "Changed"; status = "listed" }
      statuses[n] = status; reverted_by[n] = reverts
      rest_of[n] = type "\t" scope "\t" bang "\t" section "\t" text "\t" (refs == "" ? "-" : refs) "\t" (note == "" ? "-" : trim(note))
    }

    { bytes += length($0) + 1; if (bytes > max_bytes) die("the log is larger than 8 MiB; choose a shorter range") }
    NR == 1 { sub(/^\357\273\277/, "") }
    { sub(/\r$/, ""); sub(/[ \t]+$/, "") }
    { gsub(/\t/, " "); gsub(/[\001-\010\013-\037\177]/, "") }
    stopped { next }
    mode == "" && $0 != "" {
      if ($1 == "commit" && is_hash($2)) mode = "full"
      else mode = is_hash($1) && NF > 1 ? "oneline" : "subjects"
    }
    mode == "" { next }
    mode == "full" {
      if ($1 == "commit" && /^commit / && is_hash($2)) {
        if (stop_tag != "" && (index($0, "tag: " stop_tag ")") || index($0, "tag: " stop_tag ","))) { stopped = 1; next }
        begin_commit(substr($2, 1, 7))
      } else if (/^Merge: /) merge = 1
      else if (/^    / || $0 == "") {
        line = trim($0)
        if (subject == "") subject = line
        else body_line(line)
      }
      next
    }
    $0 == "" { next }
    {
      hash = "-"; line = $0
      if (mode == "oneline") {
        if (!is_hash($1)) die("line " NR " does not start with a hash as the lines before it do")
        hash = substr($1, 1, 7); sub(/^[0-9a-f]+ */, "", line)
        if (line ~ /^\((HEAD|tag: |origin\/|[^()]*(, tag: |, origin\/))[^()]*\) /) {
          if (stop_tag != "" && (index(line, "tag: " stop_tag ")") || index(line, "tag: " stop_tag ","))) { stopped = 1; next }
          sub(/^\([^()]*\) /, "", line)
        }
      } else sub(/^[-*] +/, "", line)
      begin_commit(hash); subject = line
    }

    END {
      if (failed) exit 1
      close_commit()
      if (stop_tag != "" && !stopped) die("the log has no commit decorated with tag: " stop_tag)
      if (n == 0) die("the log holds no commits")
      # A revert and what it reverts cancel out when both are in the range. The log is newest first, so a
      # reverted revert is met before the commit that it would have undone.
      for (i = 1; i <= n; i++) {
        if (reverted_by[i] == "" || statuses[i] == "reverted") continue
        for (j = i + 1; j <= n; j++)
          if (hashes[j] != "-" && index(reverted_by[i], hashes[j]) == 1) { statuses[i] = "reverted"; statuses[j] = "reverted"; break }
      }
      for (i = 1; i <= n; i++) print hashes[i] "\t" statuses[i] "\t" rest_of[i]
    }
  '
}

if [ -n "$from_file" ]; then stop_tag=$since; else stop_tag=''; fi
read_log | parse "$stop_tag"
