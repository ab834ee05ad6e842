#!/bin/sh
# Makes the picture of the viewer: plays a match, and has chromium show its page at a decision.
# usage: picture.sh BUILD OUTPUT.png
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bots=$1/bots
"$1/referee" play --quiet --seed 42 --log "$folder/match.ndjson" "$bots/greedy" "$bots/strong --samples 40" \
    "$bots/negotiator --samples 20" "$bots/greedy" >/dev/null
"$1/referee" replay --html "$folder/match.ndjson" >"$folder/match.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$folder/profile" \
    --window-size=1180,885 --virtual-time-budget=4000 \
    --screenshot="$2" "file://$folder/match.html#d=120" 2>/dev/null
