import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/machinery/json/json.ts';

// Bodies that repeat one field, one text or one operation until they have about so many bytes.

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
}

/** Requests of about so many bytes. */
type Case = (bytes: number) => readonly SentRequest[];

const core = '/api/v1/namespaces/default';
const rbac = 'rbac.authorization.k8s.io/v1';
const admission = 'admissionregistration.k8s.io/v1';
const containers = [{ name: 'c', image: 'a' }];
const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
const deployment = { selector: { matchLabels: { a: 'b' } }, template };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' };
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const webhook = {
  name: 'a.b.c',
  clientConfig: { url: 'https://127.0.0.1:1/' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [rule],
};
const version = { served: true, schema: { openAPIV3Schema: { type: 'object' } } };

/** By resource: apiVersion, kind, the path of its collection and the fields beside the repeated one. */
const resources: Readonly<Record<string, readonly [version: string, kind: string, path: string, fields: JsonObject]>> =
  {
    configmaps: ['v1', 'ConfigMap', core, {}],
    endpoints: ['v1', 'Endpoints', core, {}],
    events: ['v1', 'Event', core, { involvedObject: { namespace: 'default' } }],
    limitranges: ['v1', 'LimitRange', core, { spec: { limits: [{ type: 'Container' }] } }],
    namespaces: ['v1', 'Namespace', '/api/v1', {}],
    nodes: ['v1', 'Node', '/api/v1', {}],
    persistentvolumeclaims: ['v1', 'PersistentVolumeClaim', core, {}],
    pods: ['v1', 'Pod', core, { spec: { containers, volumes: [{ name: 'v', projected: {} }] } }],
    resourcequotas: ['v1', 'ResourceQuota', core, {}],
    secrets: ['v1', 'Secret', core, {}],
    services: ['v1', 'Service', core, { spec: { ports: [{ port: 1 }] } }],
    'serviceaccounts/default/token': ['authentication.k8s.io/v1', 'TokenRequest', core, {}],
    deployments: ['apps/v1', 'Deployment', 'default', { spec: deployment }],
    statefulsets: ['apps/v1', 'StatefulSet', 'default', { spec: { ...deployment, serviceName: 'a' } }],
    jobs: ['batch/v1', 'Job', 'default', { spec: { template: { spec: { restartPolicy: 'Never', containers } } } }],
    horizontalpodautoscalers: [
      'autoscaling/v2',
      'HorizontalPodAutoscaler',
      'default',
      { spec: { maxReplicas: 2, scaleTargetRef } },
    ],
    endpointslices: ['discovery.k8s.io/v1', 'EndpointSlice', 'default', { addressType: 'IPv4', ports: [] }],
    ingresses: ['networking.k8s.io/v1', 'Ingress', 'default', {}],
    networkpolicies: ['networking.k8s.io/v1', 'NetworkPolicy', 'default', { spec: { podSelector: {} } }],
    clusterroles: [rbac, 'ClusterRole', '', {}],
    clusterrolebindings: [
      rbac,
      'ClusterRoleBinding',
      '',
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' } },
    ],
    storageclasses: ['storage.k8s.io/v1', 'StorageClass', '', { provisioner: 'a.b/c' }],
    certificatesigningrequests: [
      'certificates.k8s.io/v1',
      'CertificateSigningRequest',
      '',
      { spec: { request: 'YQ==', signerName: 'a.b/c' } },
    ],
    subjectaccessreviews: [
      'authorization.k8s.io/v1',
      'SubjectAccessReview',
      '',
      { spec: { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods' } } },
    ],
    tokenreviews: ['authentication.k8s.io/v1', 'TokenReview', '', {}],
    validatingwebhookconfigurations: [admission, 'ValidatingWebhookConfiguration', '', { webhooks: [webhook] }],
    validatingadmissionpolicybindings: [
      admission,
      'ValidatingAdmissionPolicyBinding',
      '',
      { spec: { policyName: 'p' } },
    ],
    customresourcedefinitions: [
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      '',
      {
        metadata: { name: 'as.x.io' },
        spec: { group: 'x.io', scope: 'Namespaced', names: { plural: 'as', kind: 'A' } },
      },
    ],
  };

const objectOf = (resource: string, name: string): JsonObject => {
  const [apiVersion = '', kind = '', , fields = {}] = resources[resource] ?? [];
  return { apiVersion, kind, metadata: { name }, ...fields };
};

function collectionOf(resource: string): string {
  const [apiVersion = '', , path = ''] = resources[resource] ?? [];
  if (path.startsWith('/')) return `${path}/${resource}`;
  return `/apis/${apiVersion}/${path === '' ? '' : `namespaces/${path}/`}${resource}`;
}

/** The value with this at the path `spec.containers.0.env`; missing objects and lists on the way are made. */
function placed(target: JsonValue | undefined, [key, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (key === undefined) return value;
  if (key === '0') return [placed(Array.isArray(target) ? target[0] : undefined, rest, value)];
  const fields = isJsonObject(target) ? target : {};
  return { ...fields, [key]: placed(fields[key], rest, value) };
}

const post = (resource: string, body: unknown, type = 'application/json'): SentRequest => ({
  method: 'POST',
  path: collectionOf(resource),
  type,
  body,
});

const posted = (resource: string, path: string, value: JsonValue): readonly SentRequest[] => [
  post(resource, placed(objectOf(resource, 'k'), path.split('.'), value)),
];

/** As many items as fit into so many bytes. */
function fill<Item extends JsonValue>(bytes: number, item: (at: number) => Item): readonly Item[] {
  const items: Item[] = [];
  for (let size = 0; size < bytes; size += JSON.stringify(items.at(-1)).length + 1) items.push(item(items.length));
  return items;
}

const entries = (bytes: number, key: string, value: JsonValue): JsonObject =>
  Object.fromEntries(fill(bytes, (at) => [`${key}${at}`, value]));

const named =
  (name: string, fields: JsonObject) =>
  (at: number): JsonObject => ({ name: `${name}${at}`, ...fields });
const text =
  (start: string) =>
  (at: number): string =>
    `${start}${at}`;
const port = (at: number): number => 1 + (at % 60_000);
const address = (at: number): string => `10.${(at >> 16) % 250}.${(at >> 8) % 250}.${at % 250}`;
const owner = (at: number): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', name: `n${at}`, uid: `u${at}` });
const exists = (at: number): JsonObject => ({ key: `k${at}`, operator: 'Exists' });
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const managed = { operation: 'Update', apiVersion: 'v1', time: '2020-01-01T00:00:00Z', fieldsType: 'FieldsV1' };
const always = { name: 'd', expression: 'true' };

type List = readonly [
  resource: string,
  path: string,
  item: (at: number) => JsonValue,
  around?: (items: readonly JsonValue[]) => JsonValue,
];

const lists: readonly List[] = [
  ['configmaps', 'unknown', () => 1],
  ['configmaps', 'metadata.ownerReferences', owner],
  ['configmaps', 'metadata.ownerReferences', () => owner(1)],
  ['configmaps', 'metadata.ownerReferences', (at) => ({ ...owner(at), controller: true })],
  ['configmaps', 'metadata.finalizers', text('a.b/')],
  ['configmaps', 'metadata.managedFields', (at) => ({ ...managed, manager: `m${at}`, fieldsV1: { 'f:data': {} } })],
  ['pods', 'spec.containers', named('c', { image: 'a' })],
  ['pods', 'spec.containers', () => ({ name: 'c', image: 'a' })],
  ['pods', 'spec.containers', () => ({})],
  ['pods', 'spec.initContainers', named('i', { image: 'a' })],
  ['pods', 'spec.ephemeralContainers', named('e', { image: 'a' })],
  ['pods', 'spec.containers.0.env', named('E', { value: 'v' })],
  ['pods', 'spec.containers.0.env', () => ({ name: 'E', value: 'v' })],
  ['pods', 'spec.containers.0.envFrom', (at) => ({ configMapRef: { name: `e${at}` } })],
  ['pods', 'spec.containers.0.ports', (at) => ({ containerPort: port(at) })],
  ['pods', 'spec.containers.0.ports', (at) => ({ name: `p${at}`, containerPort: port(at), hostPort: port(at) })],
  ['pods', 'spec.containers.0.args', text('a')],
  ['pods', 'spec.containers.0.volumeMounts', (at) => ({ name: `v${at}`, mountPath: `/m${at}` })],
  ['pods', 'spec.volumes', named('v', { emptyDir: {} })],
  [
    'pods',
    'spec.volumes',
    (at) => ({ configMap: { name: `c${at}`, items: [{ key: 'a', path: `p${at}` }] } }),
    (sources) => [{ name: 'v', projected: { sources } }],
  ],
  ['pods', 'spec.tolerations', exists],
  ['pods', 'spec.imagePullSecrets', named('s', {})],
  ['pods', 'spec.hostAliases', (at) => ({ ip: address(at), hostnames: ['a'] })],
  [
    'pods',
    'spec.topologySpreadConstraints',
    (at) => ({ maxSkew: 1, topologyKey: `k${at}`, whenUnsatisfiable: 'DoNotSchedule' }),
  ],
  ['pods', 'spec.readinessGates', (at) => ({ conditionType: `c${at}` })],
  ['pods', 'spec.schedulingGates', named('c', {})],
  ['pods', 'spec.resourceClaims', named('c', { resourceClaimName: 'a' })],
  ['pods', 'spec.securityContext.sysctls', (at) => ({ name: `a.b${at}`, value: '1' })],
  ['pods', 'spec.securityContext.supplementalGroups', (at) => at],
  [
    'pods',
    `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`,
    text('v'),
    (values) => [{ matchExpressions: [{ key: 'a', operator: 'In', values }] }],
  ],
  ['pods', `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`, (at) => ({ matchExpressions: [exists(at)] })],
  [
    'pods',
    `spec.affinity.podAntiAffinity.${required}`,
    (at) => ({ topologyKey: `k${at}`, labelSelector: { matchLabels: { a: 'b' } } }),
  ],
  ['deployments', 'spec.template.spec.containers.0.env', named('E', { value: 'v' })],
  ['deployments', 'spec.selector.matchExpressions', exists],
  ['deployments', 'spec.selector.matchExpressions', text('v'), (values) => [{ key: 'a', operator: 'In', values }]],
  ['services', 'spec.ports', (at) => ({ name: `p${at}`, port: port(at) })],
  ['services', 'spec.externalIPs', address],
  ['services', 'spec.clusterIPs', text('a')],
  ['services', 'spec.ipFamilies', text('a')],
  ['endpoints', 'subsets', (at) => ({ ip: address(at) }), (addresses) => [{ addresses, ports: [{ port: 1 }] }]],
  ['endpoints', 'subsets', (at) => ({ addresses: [{ ip: address(at) }], ports: [{ port: port(at) }] })],
  ['endpointslices', 'endpoints', (at) => ({ addresses: [address(at)] })],
  ['ingresses', 'spec.rules', (at) => ({ host: `h${at}.a.b` })],
  [
    'ingresses',
    'spec.rules',
    (at) => ({
      path: `/${at}`,
      pathType: 'Prefix',
      backend: { service: { name: 'a', port: { number: 1 } } },
    }),
    (paths) => [{ http: { paths } }],
  ],
  ['networkpolicies', 'spec.ingress.0.from', (at) => ({ ipBlock: { cidr: `10.0.${at % 250}.0/24` } })],
  ['clusterroles', 'rules', (at) => ({ apiGroups: [''], resources: [`r${at}`], verbs: ['get'] })],
  ['clusterroles', 'rules', text('r'), (all) => [{ apiGroups: [''], resources: all, verbs: ['get'] }]],
  ['clusterroles', 'aggregationRule.clusterRoleSelectors', (at) => ({ matchLabels: { [`a.b/${at}`]: 'c' } })],
  ['clusterrolebindings', 'subjects', named('u', { kind: 'User', apiGroup: 'rbac.authorization.k8s.io' })],
  ['persistentvolumeclaims', 'spec.accessModes', text('a')],
  ['resourcequotas', 'spec.scopes', text('a')],
  ['storageclasses', 'allowedTopologies', text('v'), (values) => [{ matchLabelExpressions: [{ key: 'a', values }] }]],
  [
    'jobs',
    'spec.podFailurePolicy.rules',
    (at) => at,
    (values) => [{ action: 'Ignore', onExitCodes: { operator: 'In', values } }],
  ],
  ['namespaces', 'spec.finalizers', text('a ')],
  ['nodes', 'spec.taints', (at) => ({ key: `k${at}`, effect: 'NoSchedule' })],
  ['limitranges', 'spec.limits', (at) => ({ type: `a.b/T${at}`, max: { cpu: '1' } })],
  [
    'horizontalpodautoscalers',
    'spec.metrics',
    () => ({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } } }),
  ],
  ['statefulsets', 'spec.volumeClaimTemplates', (at) => ({ metadata: { name: `v${at}` }, spec: {} })],
  ['certificatesigningrequests', 'spec.usages', () => 'client auth'],
  ['subjectaccessreviews', 'spec.groups', text('g')],
  ['serviceaccounts/default/token', 'spec.audiences', text('a')],
  ['validatingwebhookconfigurations', 'webhooks', (at) => ({ ...webhook, name: `a${at}.b.c` })],
  ['validatingwebhookconfigurations', 'webhooks.0.rules', (at) => ({ ...rule, resources: [`r${at}`] })],
  ['validatingwebhookconfigurations', 'webhooks.0.rules.0.resources', text('r')],
  ['validatingwebhookconfigurations', 'webhooks.0.namespaceSelector.matchExpressions', exists],
  ['validatingwebhookconfigurations', 'webhooks.0.admissionReviewVersions', text('v')],
  ['validatingwebhookconfigurations', 'webhooks.0.matchConditions', (at) => ({ ...always, name: `c${at}` })],
  // An error of a declarative rule for each item.
  ['clusterroles', 'rules', () => ({ verbs: [] })],
  ['clusterrolebindings', 'subjects', () => ({})],
  ['configmaps', 'metadata.ownerReferences', () => ({})],
  ['endpointslices', 'endpoints', () => ({ addresses: [] })],
  ['networkpolicies', 'spec.ingress', () => ({ from: [{ ipBlock: { cidr: '' } }] })],
  ['networkpolicies', 'spec.ingress.0.from', () => ({ ipBlock: { cidr: '' } })],
  ['networkpolicies', 'spec.egress.0.to', () => ({ ipBlock: { cidr: '' } })],
  ['validatingadmissionpolicybindings', 'spec.validationActions', text('a')],
  ['customresourcedefinitions', 'spec.versions', (at) => ({ ...version, name: `v${at}`, storage: at === 0 })],
];

const maps: readonly (readonly [resource: string, path: string, key: string, value: JsonValue])[] = [
  ['configmaps', '', 'field', 1],
  ['configmaps', 'data', 'k', 'v'],
  ['configmaps', 'metadata.labels', 'a', 'b'],
  ['configmaps', 'metadata.annotations', 'a', 'b'],
  ['secrets', 'data', 'k', 'YQ=='],
  ['secrets', 'stringData', 'k', 'v'],
  ['pods', 'spec.nodeSelector', 'k', 'v'],
  ['pods', 'spec.containers.0.resources.limits', 'a.b/r', '1'],
  ['pods', 'spec.containers.0.resources.limits', 'a.b/r', '1e999'],
  ['limitranges', 'spec.limits.0.max', 'a.b/r', '1'],
  ['resourcequotas', 'spec.hard', 'count/a.b/r', '1'],
  ['storageclasses', 'parameters', 'k', 'v'],
  ['subjectaccessreviews', 'spec.extra', 'a', ['b']],
];

const configMap = (bytes: number, text: string): JsonObject => ({
  ...objectOf('configmaps', 'm'),
  data: { a: text.repeat(bytes / text.length) },
});
/** JSON of a ConfigMap whose data is this text. */
const rawMap = (data: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n"},"data":${data}}`;
const nested = (bytes: number): string => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`;
const requesting = (cpu: string): readonly SentRequest[] =>
  posted('pods', 'spec.containers.0.resources.limits.cpu', cpu);
const condition = (expression: string): readonly SentRequest[] =>
  posted('validatingwebhookconfigurations', 'webhooks.0.matchConditions', [{ name: 'd', expression }]);

const texts: Readonly<Record<string, Case>> = {
  'one long string': (bytes) => [post('configmaps', configMap(bytes, 'x'))],
  'escapes everywhere': (bytes) => [post('configmaps', configMap(bytes / 2, '\n"'))],
  'not ASCII': (bytes) => [post('configmaps', configMap(bytes / 2, 'é'))],
  'numbers with a fraction of 0': (bytes) => [post('configmaps', rawMap(`[${'1.0,'.repeat(bytes / 4)}1]`))],
  'a key many times': (bytes) => [post('configmaps', rawMap(`{${'"a":"b",'.repeat(bytes / 8)}"a":"c"}`))],
  'nested lists': (bytes) => [post('configmaps', `{"a":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`)],
  'nested objects': (bytes) => [post('configmaps', rawMap(nested(bytes)))],
  'an integer of many digits': (bytes) => [
    post('pods', `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"},"spec":{"priority":${'9'.repeat(bytes)}}}`),
  ],
  'a quantity of many digits': (bytes) => requesting('9'.repeat(bytes)),
  'a quantity of many decimals': (bytes) => requesting(`0.${'0'.repeat(bytes)}1`),
  'a long secret': (bytes) => posted('secrets', 'data.a', 'YWFh'.repeat(bytes / 4)),
  'a long secret text': (bytes) => posted('secrets', 'stringData.a', 'é'.repeat(bytes / 2)),
  'a long message of an event': (bytes) => posted('events', 'message', 'm'.repeat(bytes)),
  'a long token': (bytes) => posted('tokenreviews', 'spec.token', `a.${'b'.repeat(bytes)}.c`),
  'a caBundle of beginnings': (bytes) =>
    posted(
      'validatingwebhookconfigurations',
      'webhooks.0.clientConfig.caBundle',
      Buffer.from('-----BEGIN A-----\n'.repeat(bytes / 25)).toString('base64'),
    ),
  'a long match condition': (bytes) => condition('object.metadata.name != "x" && '.repeat(bytes / 31) + 'true'),
  'a nested match condition': (bytes) => condition(`${'('.repeat(bytes / 8)}true${')'.repeat(bytes / 8)}`),
  'a match condition with a long list': (bytes) => condition(`1 in [${'1,'.repeat(bytes / 2)}1]`),
  'a match condition with a long string': (bytes) => condition(`"${'a'.repeat(bytes)}" == ""`),
  'a match condition that does not parse': (bytes) => condition('&'.repeat(bytes)),
};

const yaml = (body: string): readonly SentRequest[] => [post('configmaps', body, 'application/yaml')];
const yamlMap = (fields: string): readonly SentRequest[] =>
  yaml(`apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: y\n${fields}`);
const lines = (bytes: number, line: (at: number) => string): string => fill(bytes, line).join('\n');

const yamls: Readonly<Record<string, Case>> = {
  keys: (bytes) => yamlMap(`data:\n${lines(bytes, (at) => `  k${at}: "v"`)}`),
  'a list': (bytes) => yamlMap(`finalizers:\n${lines(bytes, (at) => `- a.b/${at}`)}`),
  'a flow map': (bytes) => yamlMap(`data: {${lines(bytes, (at) => `k${at}: v,`)}}`),
  'a block text': (bytes) => yamlMap(`data:\n  a: |\n${lines(bytes, () => '    a line of text')}`),
  'a plain text': (bytes) => yamlMap(`data:\n  a: ${'b '.repeat(bytes / 2)}`),
  colons: (bytes) => yamlMap(`data: ${': '.repeat(bytes / 2)}`),
  brackets: (bytes) => yaml('['.repeat(bytes)),
  dashes: (bytes) => yaml('- '.repeat(bytes / 2)),
  'a quoted text': (bytes) => yamlMap(`data:\n  a: "${'b\\n'.repeat(bytes / 3)}"`),
  comments: (bytes) => yamlMap(lines(bytes, () => '# comment')),
  anchors: (bytes) => yamlMap(`x:\n${lines(bytes, (at) => `- &a${at} b`)}`),
  aliases: (bytes) => yamlMap(`y: &a b\nx:\n${lines(bytes, () => '- *a')}`),
  documents: (bytes) => yaml(lines(bytes, () => '---')),
};

const patchTypes = { merge: 'merge-patch+json', strategic: 'strategic-merge-patch+json', json: 'json-patch+json' };

/** A patch of an object that exists. */
const patch = (type: keyof typeof patchTypes, body: unknown, resource = 'configmaps'): readonly SentRequest[] => [
  { method: 'PATCH', path: `${collectionOf(resource)}/here`, type: `application/${patchTypes[type]}`, body },
];
const finalizers = (bytes: number) => fill(bytes, text('a.b/'));
const addFinalizers = (bytes: number) => ({ op: 'add', path: '/metadata/finalizers', value: finalizers(bytes) });
const many = (bytes: number, operation: JsonObject) => fill(bytes, () => operation);
const envOf = (bytes: number, value: string) => ({
  spec: { template: { spec: { containers: [{ name: 'c', env: fill(bytes, named('E', { value })) }] } } },
});

const patches: Readonly<Record<string, Case>> = {
  'finalizers, strategic': (bytes) => patch('strategic', { metadata: { finalizers: finalizers(bytes) } }),
  'finalizers, merge': (bytes) => patch('merge', { metadata: { finalizers: finalizers(bytes) } }),
  'deleted finalizers': (bytes) =>
    patch('strategic', { metadata: { '$deleteFromPrimitiveList/finalizers': finalizers(bytes) } }),
  'ordered finalizers': (bytes) =>
    patch('strategic', {
      metadata: { finalizers: finalizers(bytes / 2), '$setElementOrder/finalizers': finalizers(bytes / 2) },
    }),
  'owners, strategic': (bytes) => patch('strategic', { metadata: { ownerReferences: fill(bytes, owner) } }),
  'data, merge': (bytes) => patch('merge', { data: entries(bytes, 'k', 'v') }),
  'data, strategic': (bytes) => patch('strategic', { data: entries(bytes, 'k', 'v') }),
  'nulls, merge': (bytes) => patch('merge', { data: entries(bytes, 'k', null) }),
  'nested, merge': (bytes) => patch('merge', `{"x":${nested(bytes)}}`),
  'nested, strategic': (bytes) => patch('strategic', `{"data":${nested(bytes)}}`),
  'containers, strategic': (bytes) =>
    patch('strategic', { spec: { containers: fill(bytes, named('c', { image: 'a' })) } }, 'pods'),
  'ordered containers': (bytes) =>
    patch(
      'strategic',
      {
        spec: {
          containers: fill(bytes / 2, named('c', { image: 'a' })),
          '$setElementOrder/containers': fill(bytes / 2, named('c', {})),
        },
      },
      'pods',
    ),
  'deleted containers': (bytes) =>
    patch('strategic', { spec: { containers: fill(bytes, named('c', { $patch: 'delete' })) } }, 'pods'),
  'env, then other values': (bytes) =>
    ['v', 'w'].flatMap((value) => patch('strategic', envOf(bytes / 2, value), 'deployments')),
  additions: (bytes) =>
    patch(
      'json',
      fill(bytes, (at) => ({ op: 'add', path: `/data/k${at}`, value: 'v' })),
    ),
  insertions: (bytes) =>
    patch('json', [
      addFinalizers(bytes / 3),
      ...many(bytes / 2, { op: 'add', path: '/metadata/finalizers/0', value: 'a.b/c' }),
    ]),
  moves: (bytes) =>
    patch('json', [
      addFinalizers(bytes / 3),
      ...many(bytes / 2, { op: 'move', from: '/metadata/finalizers/0', path: '/metadata/finalizers/-' }),
    ]),
  'a long pointer': (bytes) => patch('json', [{ op: 'add', path: '/a'.repeat(bytes / 2), value: 1 }]),
};

const apply = (resource: string, body: unknown, manager = 'm'): SentRequest => ({
  method: 'PATCH',
  path: `${collectionOf(resource)}/k?fieldManager=${manager}&force=true`,
  type: 'application/apply-patch+yaml',
  body,
});
const appliedData = (bytes: number, value: string, manager = value): SentRequest =>
  apply('configmaps', { ...objectOf('configmaps', 'k'), data: entries(bytes, 'k', value) }, manager);
const applied = (resource: string, path: string, value: JsonValue): SentRequest =>
  apply(resource, placed(objectOf(resource, 'k'), path.split('.'), value));

const applies: Readonly<Record<string, Case>> = {
  'a key of three managers': (bytes) => ['m', 'n', 'o'].map((value) => appliedData(bytes, value)),
  'fewer keys': (bytes) => [bytes, bytes / 2].map((some) => appliedData(some, 'v', 'm')),
  containers: (bytes) => [applied('pods', 'spec.containers', fill(bytes, named('c', { image: 'a' })))],
  'containers again': (bytes) =>
    ['a', 'b'].map((image) =>
      applied('deployments', 'spec.template.spec.containers', fill(bytes, named('c', { image }))),
    ),
  ports: (bytes) => [
    applied(
      'services',
      'spec.ports',
      fill(bytes, (at) => ({ port: port(at), protocol: 'TCP' })),
    ),
  ],
  finalizers: (bytes) => [applied('configmaps', 'metadata.finalizers', finalizers(bytes))],
  'unknown fields': (bytes) => [apply('configmaps', { ...objectOf('configmaps', 'k'), ...entries(bytes, 'field', 1) })],
  'a key many times': (bytes) => [apply('configmaps', rawMap(`{${'"a":"b",\n'.repeat(bytes / 9)}"a":"c"}`))],
  'nested objects': (bytes) => [apply('configmaps', rawMap(nested(bytes)))],
};

const listCase = ([resource, path, item, around = (items) => items]: List): readonly [name: string, Case] => [
  `${resource} ${path} with ${JSON.stringify(around([item(0)])).slice(0, 60)}`,
  (bytes) => posted(resource, path, around(fill(bytes, item))),
];

const mapCase = ([resource, path, key, value]: (typeof maps)[number]): readonly [name: string, Case] => [
  `${resource} ${path} with ${key}: ${JSON.stringify(value)}`,
  (bytes) =>
    path === ''
      ? [post(resource, { ...objectOf(resource, 'k'), ...entries(bytes, key, value) })]
      : posted(resource, path, entries(bytes, key, value)),
];

const prefixed = (prefix: string, cases: Readonly<Record<string, Case>>) =>
  Object.entries(cases).map(([name, requests]) => [`${prefix}: ${name}`, requests] as const);

export const hostileCases: ReadonlyMap<string, Case> = new Map<string, Case>([
  ...lists.map(listCase),
  ...maps.map(mapCase),
  ...prefixed('text', texts),
  ...prefixed('YAML', yamls),
  ...prefixed('patch', patches),
  ...prefixed('apply', applies),
  [
    'options of a deletion',
    (bytes) => [
      {
        method: 'DELETE',
        path: `${core}/configmaps/none`,
        type: 'application/json',
        body: { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: fill(bytes, text('d')) },
      },
    ],
  ],
]);

/** The objects that the patches change. */
export const beforehand: readonly SentRequest[] = ['configmaps', 'pods', 'deployments'].map((resource) =>
  post(resource, objectOf(resource, 'here')),
);
