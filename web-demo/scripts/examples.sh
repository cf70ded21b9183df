#!/usr/bin/env bash
# Writes the examples of the page "How large?" into public/examples: profiles and samples by the simulator of docs/understand/learning.md, and
# usage by the generator of docs/reference/generate.md. New apps have names of the shop, so that the sizes can be taken into it.
#
# Usage: scripts/examples.sh STOWAGE_LAB
set -euo pipefail
cd "$(dirname "$0")/../public/examples"
lab=$1
new='BEGIN {
  name["app-23"] = "storefront"; name["app-22"] = "cache"; name["app-26"] = "database"; name["app-29"] = "queue"
}'
"$lab" generate profiles --apps 30 --seed 5 --degrees -o - |
  awk -F, -v OFS=, "$new"'
    NR == 1 { print > "profiles.csv"; print $0, "asked_cpu", "asked_memory" > "samples.csv"; next }
    $5 < 2 || $6 < 4 || $7 > 4 { next }
    $1 in name {
      $1 = name[$1]
      if ($7 == 1 && ($5 == 2 && $6 == 8 || $5 == 8 && $6 == 16)) print $0, 16, 32 > "samples.csv"
      next
    }
    substr($1, 5) + 0 <= 16 { $8 = sprintf("%.3g", $8); print > "profiles.csv" }'
"$lab" generate usage --apps 3 --replicas 2 --days 4 --step 3600 --seed 3 -o - |
  awk -F, -v OFS=, '
    BEGIN { name["app-0"] = "storefront"; name["app-1"] = "search"; name["app-2"] = "reports" }
    NR > 1 { $1 = name[$1]; $4 = sprintf("%.3g", $4); $5 = sprintf("%.3g", $5) }
    { print > "usage.csv" }'
