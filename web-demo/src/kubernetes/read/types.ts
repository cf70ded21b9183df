// Kubernetes objects, as far as they are read. Every part may be absent or null.
type Maybe<Value> = Value | null | undefined;
type Part<Of> = { readonly [Key in keyof Of]?: Maybe<Of[Key]> };
export type Texts = Readonly<Record<string, string>>;
export type Requests = Readonly<Record<string, string | number>>;

export type Requirement = Part<{ key: string; operator: string; values: readonly string[] }>;
export type Selector = Part<{ matchLabels: Texts; matchExpressions: readonly Requirement[] }>;
export type NodeTerm = Part<{ matchExpressions: readonly Requirement[]; matchFields: readonly Requirement[] }>;
export type NodeTerms = Part<{ nodeSelectorTerms: readonly NodeTerm[] }>;
export type PodTerm = Part<{
  topologyKey: string;
  labelSelector: Selector;
  namespaces: readonly string[];
  namespaceSelector: Selector;
  matchLabelKeys: readonly string[];
  mismatchLabelKeys: readonly string[];
}>;
export type PodTerms = Part<{
  requiredDuringSchedulingIgnoredDuringExecution: readonly PodTerm[];
  preferredDuringSchedulingIgnoredDuringExecution: readonly Part<{ weight: number; podAffinityTerm: PodTerm }>[];
}>;
export type Spread = Part<{
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: string;
  labelSelector: Selector;
  minDomains: number;
  nodeAffinityPolicy: string;
  nodeTaintsPolicy: string;
  matchLabelKeys: readonly string[];
}>;
export type Taint = Part<{ key: string; value: string; effect: string }>;
export type Toleration = Part<{ key: string; operator: string; value: string; effect: string }>;
export type Port = Part<{ hostPort: number; containerPort: number; hostIP: string; protocol: string }>;
export type Resources = Part<{ requests: Requests; limits: Requests }>;
export type Container = Part<{ resources: Resources; restartPolicy: string; ports: readonly Port[] }>;
export type PodSpec = Part<{
  nodeName: string;
  hostNetwork: boolean;
  nodeSelector: Texts;
  containers: readonly Container[];
  initContainers: readonly Container[];
  resources: Resources;
  overhead: Requests;
  priority: number;
  priorityClassName: string;
  schedulerName: string;
  tolerations: readonly Toleration[];
  affinity: Part<{
    nodeAffinity: Part<{
      requiredDuringSchedulingIgnoredDuringExecution: NodeTerms;
      preferredDuringSchedulingIgnoredDuringExecution: readonly Part<{ weight: number; preference: NodeTerm }>[];
    }>;
    podAffinity: PodTerms;
    podAntiAffinity: PodTerms;
  }>;
  topologySpreadConstraints: readonly Spread[];
  volumes: readonly Part<{ persistentVolumeClaim: Part<{ claimName: string }> }>[];
  schedulingGates: readonly unknown[];
  resourceClaims: readonly unknown[];
}>;
export type Owner = Part<{ kind: string; name: string; controller: boolean }>;
export type Meta = Part<{
  name: string;
  namespace: string;
  labels: Texts;
  annotations: Texts;
  deletionTimestamp: string;
  ownerReferences: readonly Owner[];
}>;
export type Template = Part<{ metadata: Meta; spec: PodSpec }>;
export type NodeObject = Part<{
  metadata: Meta;
  spec: Part<{ unschedulable: boolean; taints: readonly Taint[] }>;
  status: Part<{ allocatable: Requests }>;
}>;
export type Pod = Part<{ metadata: Meta; spec: PodSpec; status: Part<{ phase: string }> }>;
/** Deployments, stateful sets and all others that make pods. */
export type Controller = Part<{
  metadata: Meta;
  spec: Part<{
    replicas: number;
    template: Template;
    volumeClaimTemplates: readonly Part<{ metadata: Meta }>[];
    ordinals: Part<{ start: number }>;
    parallelism: number;
    completions: number;
    suspend: boolean;
    workloadRef: Part<{ kind: string; name: string }>;
  }>;
  status: Part<{ succeeded: number; conditions: readonly Part<{ type: string; status: string }>[] }>;
}>;
export type Budget = Part<{
  metadata: Meta;
  spec: Part<{ selector: Selector; minAvailable: number | string; maxUnavailable: number | string }>;
  status: Part<{ observedGeneration: number; expectedPods: number; disruptionsAllowed: number }>;
}>;
export type Volume = Part<{ metadata: Meta; spec: Part<{ nodeAffinity: Part<{ required: NodeTerms }> }> }>;
export type Claim = Part<{ metadata: Meta; spec: Part<{ volumeName: string }> }>;
export type PriorityClass = Part<{ metadata: Meta; value: number; globalDefault: boolean }>;

/** What `kubectl get -o json` printed, by kind. */
export interface Objects {
  Node: NodeObject[];
  Pod: Pod[];
  Deployment: Controller[];
  StatefulSet: Controller[];
  DaemonSet: Controller[];
  ReplicaSet: Controller[];
  ReplicationController: Controller[];
  Job: Controller[];
  CronJob: Controller[];
  Rollout: Controller[];
  PodDisruptionBudget: Budget[];
  PersistentVolume: Volume[];
  PersistentVolumeClaim: Claim[];
  PriorityClass: PriorityClass[];
  /** Numbers of objects of kinds that are not read. */
  others: Map<string, number>;
}
