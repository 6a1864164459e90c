#!/usr/bin/env python3
"""What is quoted with a line number (`73: …`) stands in the file with that number. usage: quoted_lines.py FILE"""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = file.read().splitlines()

checks = []
for number, text in re.findall(r"^(\d+): (.+)$", sys.stdin.read(), re.M):
    n = int(number)
    there = lines[n - 1] if 0 < n <= len(lines) else "(no such line)"
    checks.append({"name": f"line {n}", "pass": there == text, "message": there})

wrong = [check["name"] for check in checks if not check["pass"]]
message = f"not as quoted: {', '.join(wrong)}" if wrong else f"{len(checks)} lines quoted"
print(json.dumps({"pass": bool(checks) and not wrong, "message": message, "checks": checks}))
