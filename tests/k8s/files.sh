#!/bin/sh
# The same cluster in JSON, in YAML, in several files and in a folder has the same answer: files.sh STOWAGE.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >node.yaml <<'END'
# A cluster
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}
status:
  allocatable: {cpu: 3300m, memory: 16Gi, pods: "110"}
END
cat >web.yml <<'END'
---
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  template:
    spec:
      containers: [{name: main, resources: {requests: {cpu: 1100m}}}]
---
apiVersion: v1
kind: List
items: []
END
cat >all.json <<'END'
{"kind": "List", "items": [
{"kind": "Node", "metadata": {"name": "n1", "labels": {"kubernetes.io/hostname": "n1"}}, "status": {"allocatable": {"cpu": "3300m", "memory": "16Gi", "pods": 110}}},
{"kind": "Deployment", "metadata": {"name": "web", "namespace": "default"}, "spec": {"replicas": 4, "template": {"spec": {"containers": [
{"name": "main", "resources": {"requests": {"cpu": 1.1}}}]}}}}]}
END
mkdir several
cp node.yaml web.yml several
cat node.yaml web.yml >both.yaml
stowage=$1
ask() {
  code=0
  "$stowage" k8s fit -work 10000 "$@" >"$folder/answer" 2>&1 || code=$?
  [ "$code" = 2 ] || { cat "$folder/answer"; echo "exit code $code with $*"; exit 1; }
}
ask -f all.json
cp answer expected
grep -q 'deployment default/web: 1 of 4 replicas' expected
ask -f node.yaml -f web.yml
cmp answer expected
ask both.yaml
cmp answer expected
ask several
cmp answer expected
"$stowage" k8s fit -work 10000 <both.yaml >answer && exit 1
cmp answer expected
# What gzip compressed, within bounds.
gzip -k all.json
ask -f all.json.gz
cmp answer expected
head -c 100000000 /dev/zero | gzip >bomb.json.gz
head -c 50 all.json.gz >damaged.json.gz
for name in bomb damaged; do
  code=0
  "$stowage" k8s fit -f $name.json.gz 2>answer || code=$?
  [ "$code" = 1 ] && grep -q "$name.json.gz: the compressed file" answer
done
# An instance is one for the other commands.
"$stowage" k8s instance several >cluster.json
code=0
"$stowage" plan cluster.json --work 10000 >answer || code=$?
[ "$code" = 2 ] && grep -q 'deployment default/web' answer
# Of YAML, the lines are not those of what is read.
printf 'kind: Node\nmetadata:\n  name: {}\n' >wrong.yaml
"$stowage" k8s fit wrong.yaml 2>answer && exit 1
grep -q 'metadata.name: must be a text$' answer
code=0
"$stowage" k8s fit -f nowhere.json 2>answer || code=$?
[ "$code" = 1 ] && grep -q nowhere.json answer
