#!/usr/bin/env python3
"""Prints a large cluster as kubectl does: large_dump.py [NODES [PODS]]. The same numbers give the same text.

Daemon sets, old replica sets, volumes in zones, spreads on 60 % of the workloads, budgets on half of them."""
import json, random, sys

nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
pods = int(sys.argv[2]) if len(sys.argv) > 2 else 10 * nodes
dice = random.Random(f"{nodes} {pods}")
TYPES = {"m5.xlarge": (4, 16), "m5.2xlarge": (8, 32), "m5.4xlarge": (16, 64), "r5.2xlarge": (8, 64), "c5.4xlarge": (16, 32)}
out = sys.stdout
first = True


def put(kind, version, name, namespace=None, labels=None, owner=None, **rest):
    global first
    meta = {"name": name, "uid": f"{dice.getrandbits(128):032x}", "resourceVersion": str(dice.getrandbits(30)),
            "creationTimestamp": "2026-01-01T00:00:00Z", "labels": labels or {}}
    if namespace:
        meta["namespace"] = namespace
    if owner:
        meta["ownerReferences"] = [{"apiVersion": "apps/v1", "kind": owner[0], "name": owner[1], "controller": True,
                                    "blockOwnerDeletion": True, "uid": f"{dice.getrandbits(128):032x}"}]
    one = {"apiVersion": version, "kind": kind, "metadata": meta, **rest}
    out.write(("" if first else ",\n") + json.dumps(one, indent=2))
    first = False


def container(cpu, memory):
    return {"name": "main", "image": "registry.example.com/team/service:2026.01.15-1a2b3c4", "imagePullPolicy": "IfNotPresent",
            "env": [{"name": f"VARIABLE_{k}", "value": f"value-{k}"} for k in range(2)],
            "resources": {"requests": {"cpu": cpu, "memory": memory}, "limits": {"memory": memory}},
            "volumeMounts": [{"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "name": "token", "readOnly": True}]}


def token():
    return {"name": "token", "projected": {"defaultMode": 420, "sources": [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"items": [{"key": "ca.crt", "path": "ca.crt"}], "name": "kube-root-ca.crt"}}]}}


def status(running):
    if not running:
        return {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}]}
    return {"phase": "Running", "hostIP": "10.0.0.1", "podIP": "10.1.0.1", "startTime": "2026-01-01T00:00:00Z", "conditions": [
        {"type": kind, "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z", "lastProbeTime": None}
        for kind in ("Initialized", "Ready", "ContainersReady", "PodScheduled")],
        "containerStatuses": [{"name": "main", "ready": True, "restartCount": 0, "started": True,
                               "image": "registry.example.com/team/service:2026.01.15-1a2b3c4",
                               "imageID": f"registry.example.com/team/service@sha256:{dice.getrandbits(256):064x}",
                               "containerID": f"containerd://{dice.getrandbits(256):064x}",
                               "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}}]}


tolerations = [{"key": f"node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
               for key in ("not-ready", "unreachable")]
out.write('{\n"apiVersion": "v1",\n"items": [\n')
room, zone_of = [], []
for k in range(nodes):
    kind = dice.choice(list(TYPES))
    cpu, memory = TYPES[kind]
    zone = f"eu-{'abc'[k % 3]}"
    allocatable = {"cpu": f"{cpu * 1000 - 80}m", "memory": f"{memory * 1024 * 1024 - 900000 - dice.randrange(4000)}Ki", "pods": "110",
                   "ephemeral-storage": "95551679124"}
    put("Node", "v1", f"node-{k}", labels={
        "kubernetes.io/hostname": f"node-{k}", "node.kubernetes.io/instance-type": kind, "topology.kubernetes.io/zone": zone,
        "topology.kubernetes.io/region": "eu", "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux"},
        spec={"providerID": f"aws:///{zone}/i-{k:016x}"},
        status={"allocatable": allocatable, "capacity": allocatable, "images": [
            {"names": [f"registry.example.com/image-{j}@sha256:{dice.getrandbits(256):064x}"], "sizeBytes": 10 ** 8} for j in range(8)]})
    room.append([cpu * 1000 - 80 - 300, memory * 1024 - 900 - 300])
    zone_of.append(zone)
for name, cpu in (("agent", "100m"), ("proxy", "100m"), ("storage", "100m")):
    template = {"containers": [container(cpu, "100Mi")], "tolerations": [{"operator": "Exists"}]}
    put("DaemonSet", "apps/v1", name, "kube-system", spec={"selector": {"matchLabels": {"app": name}}, "template": {
        "metadata": {"labels": {"app": name}}, "spec": template}})
made, workload = 0, 0
while made < pods:
    replicas = min(dice.choice([1, 2, 3, 3, 5, 8, 12, 30, 80]), pods - made)
    name, namespace = f"service-{workload}", f"team-{workload % 97}"
    workload += 1
    cpu, memory = dice.choice([50, 100, 250, 333, 500, 1000, 2000]), dice.choice([64, 128, 500, 1024, 2048, 4096])
    labels = {"app": name, "team": namespace}
    spec = {"containers": [container(f"{cpu}m", f"{memory}Mi")], "schedulerName": "default-scheduler", "tolerations": tolerations,
            "serviceAccountName": "default", "terminationGracePeriodSeconds": 30, "volumes": [token()]}
    stateful = dice.random() < .15
    if dice.random() < .6:
        spec["topologySpreadConstraints"] = [{"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone",
                                              "whenUnsatisfiable": dice.choice(["ScheduleAnyway", "DoNotSchedule"]),
                                              "labelSelector": {"matchLabels": {"app": name}}}]
    if dice.random() < .5:
        put("PodDisruptionBudget", "policy/v1", name, namespace, spec={"maxUnavailable": 1, "selector": {"matchLabels": {"app": name}}},
            status={"observedGeneration": 1, "expectedPods": replicas, "currentHealthy": replicas, "desiredHealthy": max(replicas - 1, 0),
                    "disruptionsAllowed": 1})
    controller = {"replicas": replicas, "selector": {"matchLabels": {"app": name}}}
    if stateful:
        put("StatefulSet", "apps/v1", name, namespace, labels, spec={
            **controller, "template": {"metadata": {"labels": labels}, "spec": spec},
            "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {"storageClassName": "fast"}}]})
    else:
        put("Deployment", "apps/v1", name, namespace, labels, spec={**controller, "template": {"metadata": {"labels": labels}, "spec": spec}})
        for revision in range(4):
            of = {**labels, "pod-template-hash": f"old{revision}" if revision < 3 else "5d8f"}
            put("ReplicaSet", "apps/v1", f"{name}-{of['pod-template-hash']}", namespace, of, ("Deployment", name), spec={
                **controller, "replicas": replicas if revision == 3 else 0, "template": {"metadata": {"labels": of}, "spec": spec}})
    for k in range(replicas):
        node = None
        for _ in range(30):
            at = (made * 7919 + dice.randrange(nodes)) % nodes
            if zone_of[at] == f"eu-{'abc'[k % 3]}" and room[at][0] >= cpu and room[at][1] >= memory:
                node = at
                break
        own = dict(spec)
        if node is not None:
            room[node][0] -= cpu
            room[node][1] -= memory
            own["nodeName"] = f"node-{node}"
        pod = f"{name}-{k}" if stateful else f"{name}-5d8f-{k:05d}"
        if stateful:
            own["volumes"] = [token(), {"name": "data", "persistentVolumeClaim": {"claimName": f"data-{pod}"}}]
            put("PersistentVolumeClaim", "v1", f"data-{pod}", namespace, spec={"volumeName": f"pv-{made}", "storageClassName": "fast"})
            put("PersistentVolume", "v1", f"pv-{made}", spec={"csi": {"driver": "ebs.csi.aws.com", "volumeHandle": f"vol-{made}"}, "nodeAffinity": {
                "required": {"nodeSelectorTerms": [{"matchExpressions": [
                    {"key": "topology.kubernetes.io/zone", "operator": "In", "values": [f"eu-{'abc'[k % 3]}"]}]}]}}})
        put("Pod", "v1", pod, namespace, labels if stateful else {**labels, "pod-template-hash": "5d8f"},
            ("StatefulSet", name) if stateful else ("ReplicaSet", f"{name}-5d8f"), spec=own, status=status(node is not None))
        made += 1
out.write('],\n"kind": "List",\n"metadata": {"resourceVersion": ""}\n}\n')
