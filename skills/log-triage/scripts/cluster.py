#!/usr/bin/env python3
"""Clusters log lines into templates: counts, first and last seen, levels, and the minutes that stand out."""

from __future__ import annotations

import argparse
import json
import os
import re
import stat
import sys
from collections import Counter
from datetime import datetime, timedelta

EXAMPLES = """examples:
  cluster.py app.log
  cluster.py app.log worker.log --level WARN --top 10 --json

Understands ISO 8601, syslog and Apache timestamps, and JSON lines. Times are compared as written; no time zone
is converted. Lines without a timestamp belong to the event before them (stack traces).
exit codes: 0 done, 1 a log can't be read, 2 wrong arguments"""

MAX_BYTES = 32 * 1024 * 1024
MAX_LINE = 2000
MAX_RECORD = 65536
MAX_TEMPLATES = 5000
LEVELS = ("FATAL", "ERROR", "WARN", "INFO", "DEBUG", "-")
SYNONYMS = {
    "TRACE": "DEBUG", "NOTICE": "INFO", "WARNING": "WARN", "ERR": "ERROR", "SEVERE": "ERROR",
    "CRIT": "FATAL", "CRITICAL": "FATAL", "ALERT": "FATAL", "EMERG": "FATAL", "EMERGENCY": "FATAL", "PANIC": "FATAL",
}
# Loggers that write JSON for Node use these numbers.
NUMBERED = {"10": "DEBUG", "20": "DEBUG", "30": "INFO", "40": "WARN", "50": "ERROR", "60": "FATAL"}
LEVEL_WORDS = "TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|SEVERE|CRIT(?:ICAL)?|ALERT|EMERG(?:ENCY)?|FATAL|PANIC"
MONTHS = dict((name, n) for n, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1))

ISO = re.compile(r"[\[(]?([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2})(:[0-9]{2})?(?:[.,][0-9]{1,9})? ?(Z|[+-][0-9]{2}:?[0-9]{2})?[\])]?")
SYSLOG = re.compile(r"(?:<[0-9]{1,3}>)?([A-Z][a-z]{2}) {1,2}([0-9]{1,2}) ([0-9]{2}:[0-9]{2})(:[0-9]{2})")
APACHE = re.compile(r"\[([0-9]{2})/([A-Z][a-z]{2})/([0-9]{4}):([0-9]{2}:[0-9]{2})(:[0-9]{2}) ([+-][0-9]{4})\]")
APACHE_STATUS = re.compile(r'" ([1-5])[0-9]{2} ')
# In capitals anywhere near the start, or in any case where brackets or level= say that it is a level.
LEVEL = re.compile(r"\b(%s)\b|[\[(<]((?i:%s))[\])>]|\b(?:level|lvl|severity)=\"?((?i:%s))\b" % ((LEVEL_WORDS,) * 3))
LEADING_LEVEL = re.compile(r"^\W*(?i:%s)\b[\])>]?[:\s-]*" % LEVEL_WORDS)

MASKS = re.compile(
    r"""
      (?P<uuid>\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b)
    | (?P<time>\b[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?\b)
    | (?P<url>\b[a-z][a-z0-9+.-]{1,20}://[^\s"'<>]+)
    | (?P<email>(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)
    | (?P<ip>\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]{1,5})?\b|(?<![\w:])(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{1,4}(?![\w:]))
    | (?P<path>(?<![\w/.<>-])(?:[A-Za-z]:)?[\\/][\w.@%+~=:-]+(?:[\\/][\w.@%+~=:-]*)*(?:\?[^\s"']*)?
      |(?<![\w/.<>-])[\w.-]+(?:/[\w.-]+)+\.[A-Za-z]\w*(?::[0-9]+)?)
    | (?P<hex>\b0x[0-9a-fA-F]+\b|\b(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,}\b)
    | (?P<id>\b(?=[A-Za-z_]*[0-9][A-Za-z_]*[0-9])(?=[0-9_]*[A-Za-z])\w{8,}\b)
    | (?P<num>(?<![A-Za-z])[0-9]+(?:[.,][0-9]+)*(?!xx\b))
    """,
    re.VERBOSE,
)
QUOTED = re.compile(r"\"[^\"]{0,400}\"|(?<!\w)'[^']{0,400}'(?!\w)")


class Failure(Exception):
    """The log can't be read; exit code 1."""


class Cluster:
    def __init__(self, template, level, when, place):
        self.template, self.level, self.place = template, level, place
        self.first = self.last = when
        self.count = 0
        self.traces = Counter()


class Clusters:
    """Every template met so far, and how many events each minute had."""

    def __init__(self, quotes):
        self.quotes = quotes
        self.by_key = {}
        self.minutes, self.error_minutes, self.shares = Counter(), Counter(), {}
        self.levels, self.zones = Counter(), set()
        self.lines = self.events = self.unclustered = 0
        self.first = self.last = None

    def add(self, event, minimum):
        when, level, message, place, zone = event
        self.events += 1
        self.levels[level] += 1
        if zone:
            self.zones.add(zone)
        if when:
            self.first = when if self.first is None or when < self.first else self.first
            self.last = when if self.last is None or when > self.last else self.last
        if LEVELS.index(level) > minimum:
            return None
        key = (level, mask(message, self.quotes))
        cluster = self.by_key.get(key)
        if cluster is None:
            if len(self.by_key) >= MAX_TEMPLATES:
                self.unclustered += 1
                return None
            cluster = self.by_key[key] = Cluster(key[1], level, when, place)
        cluster.count += 1
        if when:
            cluster.first = when if cluster.first is None or when < cluster.first else cluster.first
            cluster.last = when if cluster.last is None or when > cluster.last else cluster.last
            minute = when[:-3]
            self.minutes[minute] += 1
            self.shares.setdefault(minute, Counter())[key] += 1
            if level in ("FATAL", "ERROR"):
                self.error_minutes[minute] += 1
        return cluster


def main():
    args = arguments()
    clusters = Clusters(args.quotes)
    minimum = LEVELS.index(args.level) if args.level else len(LEVELS)
    for path in args.files:
        read_log(path, clusters, minimum, len(args.files) > 1)
    if clusters.events == 0:
        raise Failure("no lines to cluster")
    ranked = sorted(clusters.by_key.values(), key=lambda c: (LEVELS.index(c.level), -c.count, c.template))
    ids = {(c.level, c.template): n for n, c in enumerate(ranked, 1)}
    spikes = [("errors", s) for s in find_spikes(clusters.error_minutes, clusters, args, ("FATAL", "ERROR"))]
    spikes += [("all", s) for s in find_spikes(clusters.minutes, clusters, args, LEVELS)]
    notes = []
    if len(clusters.zones) > 1:
        notes.append("several time zones (%s); times are compared as written" % ", ".join(sorted(clusters.zones)))
    if clusters.first is None:
        notes.append("no timestamps found; every line that is not indented is an event")
    if clusters.unclustered:
        notes.append("%d events beyond the first %d templates were only counted" % (clusters.unclustered, MAX_TEMPLATES))
    if len(ranked) > args.top:
        notes.append("%d more templates not shown; raise --top or set --level" % (len(ranked) - args.top))
    (print_json if args.json else print_text)(args, clusters, ranked[: args.top], ids, spikes, notes)


def arguments():
    parser = argparse.ArgumentParser(
        prog="cluster.py", description=__doc__, epilog=EXAMPLES, allow_abbrev=False,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=100),
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help='log files in order, or "-" for standard input')
    parser.add_argument("--level", type=level_argument, metavar="LEVEL", help="leave out what is less severe: FATAL, ERROR, WARN, INFO, DEBUG")
    parser.add_argument("--top", type=bounded(1, 1000), default=20, metavar="N", help="how many templates to print (default 20)")
    parser.add_argument("--spike-factor", type=bounded(2, 1000), default=3, metavar="N", help="a spike has N times the median minute (default 3)")
    parser.add_argument("--spike-min", type=bounded(1, 1000000), default=5, metavar="N", help="and at least N events (default 5)")
    parser.add_argument("--quotes", action="store_true", help="mask quoted text too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args()


def level_argument(text):
    level = SYNONYMS.get(text.upper(), text.upper())
    if level not in LEVELS[:-1]:
        raise argparse.ArgumentTypeError("expected one of %s" % ", ".join(LEVELS[:-1]))
    return level


def bounded(low, high):
    def parse(text):
        if not re.fullmatch("[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError("expected a whole number from %d to %d" % (low, high))
        return int(text)

    return parse


def read_log(path, clusters, minimum, many):
    """Feeds a log's events to the clusters; lines without a timestamp, JSON records apart, join the event before them."""
    lines = decode(read_bytes(path)).split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    clusters.lines += len(lines)
    dated = any(parse(line)[0] for line in lines[:200])
    current, trace, started = None, None, False
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\r")
        if not line.strip():
            continue
        (when, level, message, zone), is_record = parse(line), line.startswith("{") and line.rstrip().endswith("}")
        if started and not when and not is_record and (dated or line[0] in " \t"):
            # The last line that is not indented names the exception, in Python as in Java's "Caused by".
            if line[0] not in " \t" and not line.startswith(("Traceback ", "During handling", "The above exception")):
                trace = line
            continue
        if current and trace:
            current.traces[mask(trace, clusters.quotes)] += 1
        trace, started = None, True
        place = "%s:%d" % (clean(path, 80), number) if many else str(number)
        current = clusters.add((when, level, message, place, zone), minimum)
    if current and trace:
        current.traces[mask(trace, clusters.quotes)] += 1


def read_bytes(path):
    if path == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise Failure("%s is not a regular file" % clean(path, 200))
            with open(path, "rb") as source:
                data = source.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise Failure("no such file: %s" % clean(path, 200)) from None
        except (OSError, ValueError) as error:
            raise Failure("can't read %s: %s" % (clean(path, 200), getattr(error, "strerror", None) or error)) from None
    if len(data) > MAX_BYTES:
        raise Failure("%s is larger than %d MiB; cut a time window out of it first" % (clean(path, 200), MAX_BYTES // 1024 // 1024))
    return data


def decode(data):
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return data[len(mark):].decode(encoding, "replace")
    return data.decode("utf-8", "replace")


def parse(line):
    """(time as "date hh:mm:ss" or None, level, message, time zone as written) of a line."""
    if line.startswith("{") and len(line) <= MAX_RECORD:
        found = parse_json(line)
        if found:
            return found
    line = line[:MAX_LINE]
    match = ISO.match(line.lstrip(" "))
    if match:
        rest = line.lstrip(" ")[match.end():]
        return ("%s %s%s" % (match[1], match[2], match[3] or ":00"),) + level_and_message(rest) + (match[4],)
    match = SYSLOG.match(line)
    if match and match[1] in MONTHS:
        return ("%02d-%02d %s%s" % (MONTHS[match[1]], int(match[2]), match[3], match[4]),) + level_and_message(line[match.end():]) + (None,)
    match = APACHE.search(line, 0, 200)
    if match and match[2] in MONTHS:
        status = APACHE_STATUS.search(line, match.end())
        level = {"5": "ERROR", "4": "WARN"}.get(status[1], "INFO") if status else "-"
        # The class of the status stays readable; everything after the request line differs on each request.
        rest = line[match.end(): status.start() + 1] + " " + status[1] + "xx" if status else line[match.end():]
        return "%s-%02d-%s %s%s" % (match[3], MONTHS[match[2]], match[1], match[4], match[5]), level, rest.strip(), match[6]
    return (None,) + level_and_message(line) + (None,)


def parse_json(line):
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None

    def first(*names):
        return next((record[n] for n in names if n in record and isinstance(record[n], (str, int, float)) and not isinstance(record[n], bool)), None)

    stamp, level, message = first("time", "timestamp", "@timestamp", "ts"), first("level", "severity", "lvl"), first("msg", "message", "event")
    if message is None:
        return None
    when, zone = None, None
    match = ISO.match(stamp) if isinstance(stamp, str) else None
    if match:
        when, zone = "%s %s%s" % (match[1], match[2], match[3] or ":00"), match[4]
    elif isinstance(stamp, (int, float)) and 0 < stamp < 1e13:
        seconds = int(stamp / 1000 if stamp > 1e11 else stamp)
        when, zone = (datetime(1970, 1, 1) + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S"), "Z"
    level = str(level or "-").upper()
    level = NUMBERED.get(level) or SYNONYMS.get(level, level)
    error = first("error", "err", "exception")
    return when, level if level in LEVELS else "-", str(message) + (": %s" % error if error else ""), zone


def level_and_message(rest):
    found = LEVEL.search(rest, 0, 120)
    level = "-"
    if found:
        word = (found[1] or found[2] or found[3]).upper()
        level = SYNONYMS.get(word, word)
    return level, LEADING_LEVEL.sub("", rest, count=1).strip() or rest.strip()


def mask(text, quotes):
    if quotes:
        text = QUOTED.sub("<str>", text[:MAX_LINE])
    return " ".join(MASKS.sub(lambda m: "<%s>" % m.lastgroup, text[:MAX_LINE]).split())


def find_spikes(minutes, clusters, args, levels):
    """Minutes with at least the factor times the median minute; minutes without events count as zero."""
    if not minutes:
        return []
    span = minutes_between(clusters.first[:-3], clusters.last[:-3]) + 1
    counts = sorted(minutes.values())
    zeros = max(0, span - len(counts))
    median = middle(counts, zeros, span)
    spikes = []
    for minute, count in sorted(minutes.items()):
        if count >= args.spike_min and count >= args.spike_factor * median:
            shares = [(n, key) for key, n in clusters.shares[minute].items() if key[0] in levels]
            most = min(shares, key=lambda s: (-s[0], s[1])) if shares else None
            spikes.append({"minute": minute, "count": count, "median": median, "most": most})
    return spikes


def middle(counts, zeros, span):
    """The median of the counts after that many zeros, without making the list."""
    span = max(span, len(counts))

    def at(i):
        return 0 if i < zeros else counts[i - zeros]

    value = (at((span - 1) // 2) + at(span // 2)) / 2
    return int(value) if value == int(value) else value


def minutes_between(first, last):
    # Syslog times have no year; any leap year holds all their days.
    def moment(text):
        return datetime.strptime(text if len(text) > 11 else "2000-" + text, "%Y-%m-%d %H:%M")

    try:
        return max(0, int((moment(last) - moment(first)).total_seconds() // 60))
    except ValueError:
        return 0


def print_text(args, clusters, ranked, ids, spikes, notes):
    span = "%s to %s" % (clusters.first, clusters.last) if clusters.first else "no timestamps"
    print("%s: %s, %s, %s" % (
        ", ".join(clean(p, 200) for p in args.files), plural(clusters.lines, "line"), plural(clusters.events, "event"), span))
    print("levels: %s" % ", ".join("%s %d" % (level, clusters.levels[level]) for level in LEVELS if clusters.levels[level]))
    print()
    rows = [("id", "count", "level", "first", "last", "line", "template")]
    rows += [(str(ids[c.level, c.template]), str(c.count), c.level, c.first or "-", c.last or "-", c.place, clean(c.template, 160)) for c in ranked]
    widths = [max(len(row[i]) for row in rows) for i in range(6)]
    for row, cluster in zip(rows, [None] + ranked):
        cells = [row[i].ljust(widths[i]) if i in (2, 3, 4) else row[i].rjust(widths[i]) for i in range(6)]
        print("  ".join(cells + [row[6]]))
        for trace, count in top_traces(cluster):
            print("%s  trace: %s (%d)" % (" " * (sum(widths) + 10), clean(trace, 160), count))
    print()
    for name, title in (("errors", "spikes of errors"), ("all", "spikes of all events")):
        found = [s for kind, s in spikes if kind == name]
        print("%s: %s" % (title, "none" if not found else len(found)))
        for spike in found[:20]:
            share = "; mostly #%d (%d)" % (ids[spike["most"][1]], spike["most"][0]) if spike["most"] else ""
            print("  %s  %d events, median %s%s" % (spike["minute"], spike["count"], spike["median"], share))
        if len(found) > 20:
            print("  and %d more" % (len(found) - 20))
    for note in notes:
        print("note: %s" % note)


def print_json(args, clusters, ranked, ids, spikes, notes):
    print(json.dumps({
        "files": args.files, "lines": clusters.lines, "events": clusters.events, "first": clusters.first, "last": clusters.last,
        "levels": {level: clusters.levels[level] for level in LEVELS if clusters.levels[level]},
        "templates": [
            {"id": ids[c.level, c.template], "count": c.count, "level": c.level, "first": c.first, "last": c.last, "line": c.place,
             "template": clean(c.template, MAX_LINE), "traces": [{"text": clean(t, MAX_LINE), "count": n} for t, n in top_traces(c)]}
            for c in ranked
        ],
        "spikes": [
            {"of": kind, "minute": s["minute"], "count": s["count"], "median": s["median"], "mostly": ids[s["most"][1]] if s["most"] else None}
            for kind, s in spikes[:100]
        ],
        "notes": notes,
    }, ensure_ascii=False, indent=2))


def top_traces(cluster):
    return sorted(cluster.traces.items(), key=lambda t: (-t[1], t[0]))[:3] if cluster else []


def plural(count, noun):
    return "%d %s" % (count, noun if count == 1 else noun + "s")


def clean(text, width):
    """Text fit for one line of output: control characters escaped, long ones cut."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode("ascii") for c in text[: width + 1])
    return text if len(text) <= width else text[: width - 1] + "…"


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        main()
        sys.stdout.flush()
    except Failure as problem:
        print("error: %s" % problem, file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(1)
