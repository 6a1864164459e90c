#!/usr/bin/env bash
# A template was filled in to its end. The exit code is the verdict.
left=$(grep -o '{{[^}]*}}' | sort -u)
[ -z "$left" ] && exit 0
echo "left standing: $left" >&2
exit 1
