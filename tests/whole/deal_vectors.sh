#!/bin/sh
# The referee and an independent implementation draw the same numbers and shuffles.

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

python3 tests/deal.py vectors >"$folder/expected" || exit 1
"$BUILD/tests/deal_vectors" <"$folder/expected" >"$folder/actual" || exit 1

vectors=$(grep -c '^words ' "$folder/expected")
if [ "$vectors" -ge 20 ]; then
    echo "ok there are at least 20 vectors"
else
    echo "not ok there are at least 20 vectors: there are $vectors"
fi
if diff "$folder/expected" "$folder/actual"; then
    echo "ok all vectors agree with those of the independent implementation"
else
    echo "not ok all vectors agree with those of the independent implementation: see above"
fi
