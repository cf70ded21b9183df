// The parts of Kubernetes objects that are read, and which kind of value each has to be.

type Shape = 'text' | 'number' | 'whole' | 'flag' | 'quantity' | 'number or text' | { list: Shape } | { map: Shape } | Fields;
interface Fields {
  fields: Record<string, Shape>;
}

const fields = (members: Record<string, Shape>): Fields => ({ fields: members });
const list = (of: Shape): Shape => ({ list: of });
const map = (of: Shape): Shape => ({ map: of });

const TEXTS = list('text');
const REQUIREMENTS = list(fields({ key: 'text', operator: 'text', values: TEXTS }));
const SELECTOR = fields({ matchLabels: map('text'), matchExpressions: REQUIREMENTS });
const NODE_TERM = fields({ matchExpressions: REQUIREMENTS, matchFields: REQUIREMENTS });
const NODE_TERMS = fields({ nodeSelectorTerms: list(NODE_TERM) });
const POD_TERM = fields({
  topologyKey: 'text', labelSelector: SELECTOR, namespaces: TEXTS, namespaceSelector: SELECTOR, matchLabelKeys: TEXTS,
  mismatchLabelKeys: TEXTS,
});
const POD_TERMS = fields({
  requiredDuringSchedulingIgnoredDuringExecution: list(POD_TERM),
  preferredDuringSchedulingIgnoredDuringExecution: list(fields({ weight: 'whole', podAffinityTerm: POD_TERM })),
});
const REQUESTS = fields({ requests: map('quantity'), limits: map('quantity') });
const CONTAINERS = list(
  fields({
    resources: REQUESTS,
    restartPolicy: 'text',
    ports: list(fields({ hostPort: 'whole', containerPort: 'whole', hostIP: 'text', protocol: 'text' })),
  }),
);
const POD_SPEC = fields({
  nodeName: 'text', hostNetwork: 'flag', nodeSelector: map('text'), containers: CONTAINERS, initContainers: CONTAINERS, resources: REQUESTS,
  overhead: map('quantity'), priority: 'whole', priorityClassName: 'text', schedulerName: 'text',
  tolerations: list(fields({ key: 'text', operator: 'text', value: 'text', effect: 'text' })),
  affinity: fields({
    nodeAffinity: fields({
      requiredDuringSchedulingIgnoredDuringExecution: NODE_TERMS,
      preferredDuringSchedulingIgnoredDuringExecution: list(fields({ weight: 'whole', preference: NODE_TERM })),
    }),
    podAffinity: POD_TERMS,
    podAntiAffinity: POD_TERMS,
  }),
  topologySpreadConstraints: list(
    fields({
      maxSkew: 'whole', topologyKey: 'text', whenUnsatisfiable: 'text', labelSelector: SELECTOR, minDomains: 'whole',
      nodeAffinityPolicy: 'text', nodeTaintsPolicy: 'text', matchLabelKeys: TEXTS,
    }),
  ),
  volumes: list(fields({ persistentVolumeClaim: fields({ claimName: 'text' }) })),
  schedulingGates: list(fields({})),
  resourceClaims: list(fields({})),
});
const META = fields({
  name: 'text', namespace: 'text', labels: map('text'), annotations: map('text'), deletionTimestamp: 'text',
  ownerReferences: list(fields({ kind: 'text', name: 'text', controller: 'flag' })),
});
const TEMPLATE = fields({ metadata: META, spec: POD_SPEC });
const controller = (spec: Record<string, Shape> = {}, status: Record<string, Shape> = {}): Fields =>
  fields({ metadata: META, spec: fields({ replicas: 'whole', template: TEMPLATE, ...spec }), status: fields(status) });

/** The kinds of objects that are read. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  Node: fields({
    metadata: META,
    spec: fields({ unschedulable: 'flag', taints: list(fields({ key: 'text', value: 'text', effect: 'text' })) }),
    status: fields({ allocatable: map('quantity') }),
  }),
  Pod: fields({ metadata: META, spec: POD_SPEC, status: fields({ phase: 'text' }) }),
  Deployment: controller(),
  StatefulSet: controller({ volumeClaimTemplates: list(fields({ metadata: META })), ordinals: fields({ start: 'whole' }) }),
  DaemonSet: controller(),
  ReplicaSet: controller(),
  ReplicationController: controller(),
  Job: controller(
    { parallelism: 'whole', completions: 'whole', suspend: 'flag' },
    { succeeded: 'whole', conditions: list(fields({ type: 'text', status: 'text' })) },
  ),
  CronJob: fields({ metadata: META, spec: fields({ suspend: 'flag' }) }),
  Rollout: controller({ workloadRef: fields({ kind: 'text', name: 'text' }) }),
  PodDisruptionBudget: fields({
    metadata: META,
    spec: fields({ selector: SELECTOR, minAvailable: 'number or text', maxUnavailable: 'number or text' }),
    status: fields({ observedGeneration: 'whole', expectedPods: 'whole', disruptionsAllowed: 'whole' }),
  }),
  PersistentVolume: fields({ metadata: META, spec: fields({ nodeAffinity: fields({ required: NODE_TERMS }) }) }),
  PersistentVolumeClaim: fields({ metadata: META, spec: fields({ volumeName: 'text' }) }),
  PriorityClass: fields({ metadata: META, value: 'whole', globalDefault: 'flag' }),
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SCALARS: Record<string, [words: string, test: (value: unknown) => boolean]> = {
  text: ['a string', (value) => typeof value === 'string'],
  number: ['a number', (value) => typeof value === 'number'],
  whole: ['a whole number', (value) => Number.isInteger(value)],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  quantity: ['a quantity such as "500m" or "2Gi"', (value) => parseAmount(value) !== undefined],
  'number or text': ['a number or a string', (value) => typeof value === 'string' || typeof value === 'number'],
};

/** The first part of a value that has not its shape; undefined where all have. An absent part is right. */
export function misshapen(value: unknown, shape: Shape, path: string): { path: string; wanted: string } | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof shape === 'string') {
    const [wanted, test] = SCALARS[shape]!;
    return test(value) ? undefined : { path, wanted };
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return { path, wanted: 'a list' };
    for (const [k, item] of value.entries()) {
      const wrong = misshapen(item, shape.list, `${path}[${k}]`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
  if (!isObject(value)) return { path, wanted: 'an object' };
  const members = 'map' in shape ? Object.keys(value).map((key) => [key, shape.map] as const) : Object.entries(shape.fields);
  for (const [key, member] of members) {
    const wrong = misshapen(value[key], member, path === '' ? key : `${path}.${key}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const QUANTITY = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?[0-9]+))$/;
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** A Kubernetes quantity as a number; undefined for anything else. Rounds as the reference does: digits x a power of ten. */
export function parseAmount(value: unknown): number | undefined {
  const match = QUANTITY.exec(typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '');
  if (match === null) return undefined;
  const [, sign, whole = '', part = '', binary, suffix, exponent] = match;
  if (whole + part === '') return undefined;
  const power = (exponent === undefined ? 3 * (DECIMAL.indexOf(suffix ?? '') - 3) : Number(exponent)) - part.length;
  const digits = Number(whole + part) * (binary === undefined ? 1 : 2 ** (10 * (BINARY.indexOf(binary) + 1)));
  const scale = binary === undefined ? power : -part.length;
  const size = scale === 0 ? digits : digits * Number(`1e${scale}`);
  return sign === '-' ? -size : size;
}
