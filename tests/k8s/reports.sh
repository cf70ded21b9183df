#!/bin/sh
# Puts clusters modelled on reports of operators to a build: reports.sh STOWAGE FOLDER. All answers have to be right.
set -u
[ -f "$2/check.py" ] || { echo "SKIPPED: there are no reports in $2"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/sh\nexec "%s" k8s "$@"\n' "$1" >"$folder/tool"
chmod +x "$folder/tool"
python3 "$2/check.py" "$folder/tool" >"$folder/answers" || exit 1
cat "$folder/answers"
! grep -q '^WRONG' "$folder/answers"
