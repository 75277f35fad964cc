/** A collection and a valid body without its name. */
export type Sample = readonly [collection: string, body: object];

const inDefault = (group: string, resource: string): string => `${group}/namespaces/default/${resource}`;
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { a: 'b' } };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' }];
const admission = '/apis/admissionregistration.k8s.io/v1';
const webhooks = [
  {
    name: 'w.example.com',
    clientConfig: { url: 'https://example.com/w' },
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'pods/*'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    matchConditions: [{ name: 'c', expression: 'object.metadata.name != "x"' }],
  },
];

export const samples: readonly [Sample, ...Sample[]] = [
  [inDefault('/api/v1', 'configmaps'), { data: { k: 'v' }, binaryData: { b: 'AA==' } }],
  [inDefault('/api/v1', 'secrets'), { type: 'Opaque', stringData: { k: 'v' } }],
  [inDefault('/api/v1', 'pods'), { spec: { ...template.spec, volumes: [{ name: 'v', emptyDir: {} }], nodeName: 'n' } }],
  [inDefault('/api/v1', 'services'), { spec: { ports: [{ name: 'p', port: 80 }], selector: { a: 'b' } } }],
  [inDefault('/api/v1', 'serviceaccounts'), { automountServiceAccountToken: true }],
  [inDefault('/api/v1', 'events'), { involvedObject: { namespace: 'default', name: 'x' }, reason: 'r' }],
  [inDefault('/api/v1', 'endpoints'), { subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 1 }] }] }],
  [inDefault('/api/v1', 'limitranges'), { spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } }],
  [inDefault('/api/v1', 'resourcequotas'), { spec: { hard: { pods: '4' } } }],
  [inDefault('/api/v1', 'replicationcontrollers'), { spec: { replicas: 1, selector: { a: 'b' }, template } }],
  [
    inDefault('/api/v1', 'persistentvolumeclaims'),
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
  ['/api/v1/namespaces', { spec: { finalizers: ['kubernetes'] } }],
  ['/api/v1/nodes', { spec: { podCIDR: '10.0.0.0/24', taints: [{ key: 'a', effect: 'NoSchedule' }] } }],
  [
    '/api/v1/persistentvolumes',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
  ],
  [inDefault('/apis/apps/v1', 'deployments'), { spec: { replicas: 2, selector, template } }],
  [inDefault('/apis/apps/v1', 'statefulsets'), { spec: { selector, template, serviceName: 's' } }],
  [inDefault('/apis/apps/v1', 'daemonsets'), { spec: { selector, template } }],
  [inDefault('/apis/apps/v1', 'replicasets'), { spec: { selector, template } }],
  [
    inDefault('/apis/batch/v1', 'jobs'),
    { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } }, completions: 1 } },
  ],
  [
    inDefault('/apis/batch/v1', 'cronjobs'),
    {
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
      },
    },
  ],
  [inDefault('/apis/coordination.k8s.io/v1', 'leases'), { spec: { holderIdentity: 'h', leaseDurationSeconds: 1 } }],
  [inDefault('/apis/policy/v1', 'poddisruptionbudgets'), { spec: { minAvailable: 1, selector } }],
  [
    inDefault('/apis/networking.k8s.io/v1', 'ingresses'),
    { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  ],
  [
    inDefault('/apis/networking.k8s.io/v1', 'networkpolicies'),
    { spec: { podSelector: selector, ingress: [{ ports: [{ port: 1 }] }] } },
  ],
  [
    inDefault('/apis/autoscaling/v2', 'horizontalpodautoscalers'),
    { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' } } },
  ],
  [
    inDefault('/apis/rbac.authorization.k8s.io/v1', 'roles'),
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  ],
  [inDefault('/apis/rbac.authorization.k8s.io/v1', 'rolebindings'), { roleRef, subjects }],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    { aggregationRule: { clusterRoleSelectors: [selector] }, rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
  ],
  ['/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { roleRef, subjects }],
  ['/apis/storage.k8s.io/v1/storageclasses', { provisioner: 'p.example.com', parameters: { a: 'b' } }],
  ['/apis/scheduling.k8s.io/v1/priorityclasses', { value: 5, globalDefault: true }],
  ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'h' }],
  [
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    { spec: { request: 'AA==', signerName: 'x.example.com/y', usages: ['client auth'] } },
  ],
  [
    inDefault('/apis/discovery.k8s.io/v1', 'endpointslices'),
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ port: 1 }] },
  ],
  [`${admission}/mutatingwebhookconfigurations`, { webhooks }],
  [`${admission}/validatingwebhookconfigurations`, { webhooks }],
  [
    `${admission}/validatingadmissionpolicies`,
    {
      spec: {
        matchConstraints: {
          resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
        },
        validations: [{ expression: 'true' }],
      },
    },
  ],
  [
    `${admission}/validatingadmissionpolicybindings`,
    { spec: { policyName: 'a', validationActions: ['Deny'], matchResources: { namespaceSelector: selector } } },
  ],
  [
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    { spec: { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods' } } },
  ],
  ['/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: 'default' } }],
  ['/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x.y.z' } }],
  ['/apis/authentication.k8s.io/v1/selfsubjectreviews', {}],
];

const pod = '/api/v1/namespaces/default/pods/NAME';
const deployment = '/apis/apps/v1/namespaces/default/deployments/NAME';
const replicas = { kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 3 } };

/** Writes of subresources; null is the parent's own body. */
export const subresourceWrites: readonly [SubresourceWrite, ...SubresourceWrite[]] = [
  ['PUT', `${deployment}/scale`, replicas],
  ['PATCH', `${deployment}/scale`, { spec: { replicas: 2 } }],
  ['PUT', '/api/v1/namespaces/default/replicationcontrollers/NAME/scale', replicas],
  ['PATCH', `${deployment}/status`, { status: { replicas: 1, conditions: [{ type: 'A', status: 'True' }] } }],
  ['POST', `${pod}/eviction`, { kind: 'Eviction', apiVersion: 'policy/v1', deleteOptions: { dryRun: ['All'] } }],
  ['POST', `${pod}/binding`, { kind: 'Binding', apiVersion: 'v1', target: { name: 'n', kind: 'Node' } }],
  ['POST', '/api/v1/namespaces/default/bindings', { kind: 'Binding', apiVersion: 'v1', target: { name: 'n' } }],
  ['PATCH', `${pod}/status`, { status: { phase: 'Running', podIPs: [{ ip: '10.1.2.3' }] } }],
  ['PUT', `${pod}/status`, null],
  ['PATCH', `${pod}/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } }],
  ['PATCH', `${pod}/resize`, { spec: { containers: [{ name: 'c', resources: { limits: { cpu: '1' } } }] } }],
  ['POST', `${pod}/exec`, {}],
  ['GET', `${pod}/proxy/x/y`, {}],
  ['GET', `${pod}/log`, {}],
  ['POST', '/api/v1/namespaces/default/serviceaccounts/NAME/token', { spec: { audiences: ['a'] } }],
  ['PUT', '/api/v1/namespaces/NAME/finalize', { spec: { finalizers: [] } }],
  ['PUT', '/api/v1/namespaces/NAME/status', { status: { phase: 'Active' } }],
  [
    'PATCH',
    '/apis/certificates.k8s.io/v1/certificatesigningrequests/NAME/approval',
    { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'x' }] } },
  ],
];

export type SubresourceWrite = readonly [method: string, path: string, body: object | null];

export const deletion = {
  gracePeriodSeconds: 1,
  propagationPolicy: 'Background',
  preconditions: { uid: 'x' },
  dryRun: ['All'],
};
