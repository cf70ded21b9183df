#!/usr/bin/env bash
# Makes the archive and the manifest of the kubectl plugin, compares the archive's files with the committed list and its checksum with
# the manifest, and runs the plugin where nothing but the archive is.
#
# Usage: krew.sh full
# shellcheck source=support.sh
. "$(dirname "$0")/support.sh"
command -v go >/dev/null || { say "SKIPPED, there is no go: the kubectl plugin"; exit 77; }
(cd "$checkout/bindings/go/stowage-k8s" && go mod download) || { say "SKIPPED, the dependencies cannot be fetched: the kubectl plugin"; exit 77; }

# An archive of another machine stands in for one more platform.
mkdir "$work/others"
echo other >"$work/others/kubectl-stowage-darwin-arm64.tar.gz"
STOWAGE_ARCHIVES=$work/others "$checkout/scripts/package.sh" krew "$work/made"
archive=kubectl-stowage-$(go env GOOS)-$(go env GOARCH).tar.gz
tar -tzf "$work/made/$archive" | contents krew

version=v$(sed -n 's/^project(stowage VERSION \([0-9.]*\).*/\1/p' "$checkout/CMakeLists.txt")
grep -qx "  version: $version" "$work/made/stowage.yaml" || fail "the version of the manifest is not $version"
# Each platform with its own archive and checksum, and no other.
(cd "$work/made" && sha256sum ./*.tar.gz | sed 's# \./##') | awk '{ print $2, $1 }' | sort >"$work/wanted"
sed -n 's#^      uri: https://stowage.dev/releases/'"$version"'/##p; s/^      sha256: "\(.*\)"$/\1/p' "$work/made/stowage.yaml" |
  paste -d ' ' - - | sort | diff "$work/wanted" - || fail "the checksums of the manifest are not those of the archives"
[[ $(wc -l <"$work/wanted") == 2 && $(grep -c matchLabels "$work/made/stowage.yaml") == 2 ]] || fail "not every archive is in the manifest"
grep -q 'matchLabels: {os: darwin, arch: arm64}' "$work/made/stowage.yaml" || fail "the platform of the other archive is not in the manifest"

cp "$checkout/bindings/go/stowage-k8s/testdata/cluster.json" "$work"
run() {
  mkdir plugin
  tar -xzf "made/$archive" -C plugin
  # 2: something does not fit, as the README says.
  PATH= plugin/kubectl-stowage fit -work 500000 cluster.json >printed || [[ $? == 2 ]]
}
export archive
hidden run
grep -q 'deployment shop/frontend: 1 of 4 replicas' "$work/printed" || fail "the plugin prints something else"
say "the kubectl plugin works"
