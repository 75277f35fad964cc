import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { pluralOf, printers } from '../../../../src/adapters/http/tables/table.ts';
import columns from '../../../../src/api/release/newest/columns.json' with { type: 'json' };

const now = Date.parse('2026-01-02T00:00:00Z');
const metadata = { name: 'x', creationTimestamp: '2026-01-01T23:55:00Z' };
const ago = '2026-01-01T23:59:50Z';
const template = {
  spec: {
    containers: [
      { name: 'a', image: 'one' },
      { name: 'b', image: 'two:3' },
    ],
  },
};
const selector = { matchLabels: { b: '2', a: '1' } };
const none = '<none>';
const condition = (type: string): object => ({ status: { conditions: [{ type, status: 'True' }] } });
const metric = (type: string, source: object): object => ({ type, ...source });
const cpu = metric('Resource', { resource: { name: 'cpu', target: { averageUtilization: 80 } } });

const hpa = (metrics: readonly object[], currentMetrics: readonly object[] = []): object => ({
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 5, metrics },
  status: { currentMetrics, currentReplicas: 2 },
});
const hpaCells = (targets: string): readonly unknown[] => ['x', 'Deployment/d', targets, '<unset>', 5, 2, '5m'];
const service = (spec: object, status: object = {}): object => ({ spec, status });
const serviceCells = (...[type, ip, external, ports, labels]: readonly string[]): readonly unknown[] => [
  'x',
  type,
  ip,
  external,
  ports,
  '5m',
  labels,
];
const volume = { capacity: { storage: '5Gi' }, accessModes: ['ReadOnlyMany', 'ReadWriteOnce'] };

// Source: kubernetes pkg/printers/internalversion/printers_test.go and printers.go
const facts: readonly [kind: string, fact: string, object: object, cells: readonly unknown[]][] = [
  ['/Namespace', 'phase', { status: { phase: 'Active' } }, ['x', 'Active', '5m']],
  ['/ConfigMap', 'both kinds of data', { data: { a: '1', ['__proto__']: '2' }, binaryData: { c: '' } }, ['x', 3, '5m']],
  ['/Secret', 'type and data', { type: 'Opaque', data: { a: '' } }, ['x', 'Opaque', 1, '5m']],
  ['/ServiceAccount', 'just its age', { secrets: [{}] }, ['x', '5m']],
  [
    '/Node',
    'ready, with roles and addresses',
    {
      metadata: { ...metadata, labels: { 'node-role.kubernetes.io/b': '', 'kubernetes.io/role': 'a', other: 'c' } },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        nodeInfo: { kubeletVersion: 'v1', osImage: 'os', kernelVersion: 'k', containerRuntimeVersion: 'c' },
        addresses: [
          { type: 'InternalIP', address: '1.1.1.1' },
          { type: 'ExternalIP', address: '2.2.2.2' },
        ],
      },
    },
    ['x', 'Ready', 'a,b', '5m', 'v1', '1.1.1.1', '2.2.2.2', 'os', 'k', 'c'],
  ],
  [
    '/Node',
    'of which nothing is known',
    { spec: { unschedulable: true } },
    ['x', 'Unknown,SchedulingDisabled', none, '5m', '', none, none, '<unknown>', '<unknown>', '<unknown>'],
  ],
  [
    '/ResourceQuota',
    'requests and limits apart',
    {
      status: {
        hard: { 'limits.cpu': '2', pods: '4', 'count/x': '1', limits: '3' },
        used: { 'limits.cpu': '1', pods: '0' },
      },
    },
    ['x', 'count/x: 0/1, limits: 0/3, pods: 0/4', 'limits.cpu: 1/2', '5m'],
  ],
  [
    'apps/Deployment',
    'counts, containers and selector',
    {
      spec: { replicas: 3, selector, template },
      status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
    },
    ['x', '1/3', 2, 1, '5m', 'a,b', 'one,two:3', 'a=1,b=2'],
  ],
  ['apps/Deployment', 'no selector', { spec: {} }, ['x', '0/0', 0, 0, '5m', '', '', '']],
  [
    'apps/ReplicaSet',
    'no selector',
    { spec: { replicas: 2, template }, status: { replicas: 2 } },
    ['x', 2, 2, 0, '5m', 'a,b', 'one,two:3', none],
  ],
  [
    '/ReplicationController',
    'labels as selector',
    { spec: { replicas: 1, selector: { z: '1', y: '2' } } },
    ['x', 1, 0, 0, '5m', '', '', 'y=2,z=1'],
  ],
  ['apps/StatefulSet', 'ready of wanted', { spec: { replicas: 2, template } }, ['x', '0/2', '5m', 'a,b', 'one,two:3']],
  [
    'apps/DaemonSet',
    'a node selector',
    {
      spec: { selector, template: { spec: { nodeSelector: { os: 'linux' } } } },
      status: { desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, updatedNumberScheduled: 2 },
    },
    ['x', 5, 4, 3, 2, 0, 'os=linux', '5m', '', '', 'a=1,b=2'],
  ],
  ['batch/Job', 'wanted once', { spec: {} }, ['x', 'Running', '0/1', '', '5m', '', '', none]],
  [
    'batch/Job',
    'running for a while',
    { spec: { completions: 2 }, status: { succeeded: 1, startTime: ago } },
    ['x', 'Running', '1/2', '10s', '5m', '', '', none],
  ],
  [
    'batch/Job',
    'complete',
    {
      spec: { parallelism: 3 },
      status: {
        succeeded: 1,
        startTime: '2026-01-01T23:58:00Z',
        completionTime: ago,
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    },
    ['x', 'Complete', '1/1 of 3', '110s', '5m', '', '', none],
  ],
  ['batch/Job', 'suspended', condition('Suspended'), ['x', 'Suspended', '0/1', '', '5m', '', '', none]],
  ['batch/Job', 'failed', condition('Failed'), ['x', 'Failed', '0/1', '', '5m', '', '', none]],
  [
    'batch/CronJob',
    'scheduled once',
    {
      spec: { schedule: '* * * * *', timeZone: 'UTC', suspend: true, jobTemplate: { spec: { template } } },
      status: { active: [{}], lastScheduleTime: ago },
    },
    ['x', '* * * * *', 'UTC', 'True', 1, '10s', '5m', 'a,b', 'one,two:3', none],
  ],
  ['batch/CronJob', 'never scheduled', { spec: {} }, ['x', '', none, '<unset>', 0, none, '5m', '', '', none]],
  [
    'policy/PodDisruptionBudget',
    'a share',
    { spec: { minAvailable: '50%' }, status: { disruptionsAllowed: 2 } },
    ['x', '50%', 'N/A', 2, '5m'],
  ],
  ['policy/PodDisruptionBudget', 'a number', { spec: { maxUnavailable: 1 } }, ['x', 'N/A', '1', 0, '5m']],
  [
    'apps/ControllerRevision',
    'its controller',
    {
      metadata: {
        ...metadata,
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'w', controller: true }],
      },
      revision: 2,
    },
    ['x', 'statefulset.apps/w', 2, '5m'],
  ],
  [
    '/Service',
    'ports and node ports',
    service({
      type: 'NodePort',
      clusterIPs: ['10.0.0.7'],
      ports: [
        { port: 80, nodePort: 30080, protocol: 'TCP' },
        { port: 53, protocol: 'UDP' },
      ],
      selector: { a: '1' },
    }),
    serviceCells('NodePort', '10.0.0.7', none, '80:30080/TCP,53/UDP', 'a=1'),
  ],
  [
    '/Service',
    'a load balancer that waits',
    service({ type: 'LoadBalancer' }),
    serviceCells('LoadBalancer', none, '<pending>', none, none),
  ],
  [
    '/Service',
    'a load balancer that has addresses',
    service(
      { type: 'LoadBalancer', externalIPs: ['9.9.9.9'] },
      { loadBalancer: { ingress: [{ ip: '2.2.2.2' }, { hostname: 'h' }, { ip: '1.1.1.1' }] } },
    ),
    serviceCells('LoadBalancer', none, '1.1.1.1,2.2.2.2,h,9.9.9.9', none, none),
  ],
  [
    '/Service',
    'an external name',
    service({ type: 'ExternalName', externalName: 'example.com' }),
    serviceCells('ExternalName', none, 'example.com', none, none),
  ],
  [
    'networking.k8s.io/Ingress',
    'class, hosts and TLS',
    { spec: { ingressClassName: 'c', rules: [{ host: 'h1' }, { host: 'h2' }], tls: [{}] } },
    ['x', 'c', 'h1,h2', '', '80, 443', '5m'],
  ],
  [
    'networking.k8s.io/Ingress',
    'more hosts than fit',
    { spec: { rules: [{ host: 'h1' }, { host: 'h2' }, { host: 'h3' }, {}, { host: 'h5' }] } },
    ['x', none, 'h1,h2,h3 + 2 more...', '', '80', '5m'],
  ],
  ['networking.k8s.io/Ingress', 'any host', { spec: { rules: [{}] } }, ['x', none, '*', '', '80', '5m']],
  [
    'networking.k8s.io/IngressClass',
    'parameters',
    { spec: { controller: 'c', parameters: { apiGroup: 'g', kind: 'K', name: 'n' } } },
    ['x', 'c', 'K.g/n', '5m'],
  ],
  ['networking.k8s.io/NetworkPolicy', 'every pod', { spec: { podSelector: {} } }, ['x', none, '5m']],
  [
    'networking.k8s.io/NetworkPolicy',
    'an expression',
    { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['2', '1'] }] } } },
    ['x', 'a in (1,2)', '5m'],
  ],
  ['/Endpoints', 'none', {}, ['x', none, '5m']],
  [
    '/Endpoints',
    'more than fit',
    {
      subsets: [
        { addresses: [{ ip: '1.1.1.1' }, { ip: '::2' }], ports: [{ port: 80 }, { port: 81 }] },
        { addresses: [{ ip: '3.3.3.3' }] },
      ],
    },
    ['x', '1.1.1.1:80,[::2]:80,1.1.1.1:81 + 2 more...', '5m'],
  ],
  ['discovery.k8s.io/EndpointSlice', 'empty', { addressType: 'IPv4' }, ['x', 'IPv4', '<unset>', '<unset>', '5m']],
  [
    'discovery.k8s.io/EndpointSlice',
    'ports by number, by name and any',
    { addressType: 'IPv4', ports: [{ port: 80 }, { name: 'n' }, {}, {}], endpoints: [{ addresses: ['1.1.1.1'] }] },
    ['x', 'IPv4', '80,n,* + 1 more...', '1.1.1.1', '5m'],
  ],
  [
    'networking.k8s.io/IPAddress',
    'a cell more than columns',
    { spec: { parentRef: { group: '', resource: 'services', namespace: 'n', name: 's' } } },
    ['x', 'services/n/s', '5m'],
  ],
  [
    '/PersistentVolume',
    'bound',
    {
      spec: {
        ...volume,
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'n', name: 'c' },
        storageClassName: 's',
        volumeMode: 'Block',
      },
      status: { phase: 'Bound' },
    },
    ['x', '5Gi', 'RWO,ROX', 'Retain', 'Bound', 'n/c', 's', '<unset>', '', '5m', 'Block'],
  ],
  [
    '/PersistentVolumeClaim',
    'pending',
    { spec: { storageClassName: 's' }, status: { phase: 'Pending' } },
    ['x', 'Pending', '', '', '', 's', '<unset>', '5m', '<unset>'],
  ],
  [
    '/PersistentVolumeClaim',
    'bound, by the annotation of old, being deleted',
    {
      metadata: {
        ...metadata,
        deletionTimestamp: ago,
        annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' },
      },
      spec: { volumeName: 'v', storageClassName: 's', volumeMode: 'Filesystem' },
      status: { phase: 'Bound', ...volume },
    },
    ['x', 'Terminating', 'v', '5Gi', 'RWO,ROX', 'old', '<unset>', '5m', 'Filesystem'],
  ],
  [
    'storage.k8s.io/StorageClass',
    'the default one',
    {
      metadata: { ...metadata, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'p',
      allowVolumeExpansion: true,
    },
    ['x (default)', 'p', 'Delete', 'Immediate', true, '5m'],
  ],
  ['storage.k8s.io/CSIDriver', 'defaults', { spec: {} }, ['x', true, false, false, '<unset>', false, none, '5m']],
  [
    'storage.k8s.io/VolumeAttachment',
    'attached',
    { spec: { attacher: 'a', nodeName: 'n' }, status: { attached: true } },
    ['x', 'a', '', 'n', true, '5m'],
  ],
  [
    'rbac.authorization.k8s.io/RoleBinding',
    'subjects by kind',
    {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'User', name: 'v' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', namespace: 'n', name: 's' },
      ],
    },
    ['x', 'Role/r', '5m', 'u, v', 'g', 'n/s'],
  ],
  [
    'certificates.k8s.io/CertificateSigningRequest',
    'approved and issued',
    {
      spec: { signerName: 's', username: 'u', expirationSeconds: 3600 },
      status: { conditions: [{ type: 'Approved' }], certificate: 'c' },
    },
    ['x', '5m', 's', 'u', '60m', 'Approved,Issued'],
  ],
  ['certificates.k8s.io/CertificateSigningRequest', 'new', {}, ['x', '5m', none, '', none, 'Pending']],
  [
    'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
    'how many webhooks',
    { webhooks: [{}, {}] },
    ['x', 2, '5m'],
  ],
  [
    'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
    'a parameter kind',
    { spec: { validations: [{}], paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } },
    ['x', 1, 'v1/ConfigMap', '5m'],
  ],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicy', 'no parameters', { spec: {} }, ['x', 0, '<unset>', '5m']],
  [
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
    'a parameter in any namespace',
    { spec: { policyName: 'p', paramRef: { name: 'c' } } },
    ['x', 'p', '*/c', '5m'],
  ],
  [
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
    'parameters by label',
    { spec: { policyName: 'p', paramRef: { selector: { matchLabels: { b: '2', a: '1' } } } } },
    [
      'x',
      'p',
      '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{},}',
      '5m',
    ],
  ],
  [
    '/Event',
    'seen once',
    {
      type: 'Warning',
      reason: 'r',
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'f' },
      source: { component: 'c', host: 'h' },
      message: ' m\n',
      firstTimestamp: ago,
    },
    ['10s', 'Warning', 'r', 'pod/p', 'f', 'c, h', 'm', '10s', 1, 'x'],
  ],
  [
    '/Event',
    'a series',
    {
      eventTime: '2026-01-01T23:58:20.000000Z',
      series: { count: 4, lastObservedTime: '2026-01-01T23:59:50.000000Z' },
      reportingComponent: 'c',
    },
    ['10s', '', '', '', '', 'c', '', '100s', 4, 'x'],
  ],
  [
    'events.k8s.io/Event',
    'the new fields',
    {
      apiVersion: 'events.k8s.io/v1',
      type: 'Normal',
      reason: 'r',
      regarding: { kind: 'Pod', name: 'p' },
      note: 'm',
      eventTime: '2026-01-01T23:59:50.000000Z',
      reportingController: 'c',
      reportingInstance: 'i',
    },
    ['10s', 'Normal', 'r', 'pod/p', '', 'c, i', 'm', '10s', 1, 'x'],
  ],
  ['autoscaling/HorizontalPodAutoscaler', 'no metrics', hpa([]), hpaCells(none)],
  ['autoscaling/HorizontalPodAutoscaler', 'an unknown value', hpa([cpu]), hpaCells('cpu: <unknown>/80%')],
  [
    'autoscaling/HorizontalPodAutoscaler',
    'a value',
    hpa([cpu], [metric('Resource', { resource: { name: 'cpu', current: { averageUtilization: 50 } } })]),
    hpaCells('cpu: 50%/80%'),
  ],
  [
    'autoscaling/HorizontalPodAutoscaler',
    'averages and totals, and more than fit',
    hpa(
      [
        metric('Pods', { pods: { target: { averageValue: '10' } } }),
        metric('External', { external: { target: { averageValue: '20' } } }),
        metric('Object', { object: { target: { value: '30' } } }),
      ],
      [metric('Pods', { pods: { current: { averageValue: '5' } } })],
    ),
    hpaCells('5/10, <unknown>/20 (avg) + 1 more...'),
  ],
  [
    'autoscaling/HorizontalPodAutoscaler',
    'the first version',
    {
      apiVersion: 'autoscaling/v1',
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        maxReplicas: 5,
        minReplicas: 1,
        targetCPUUtilizationPercentage: 70,
      },
      status: { currentReplicas: 2 },
    },
    ['x', 'Deployment/d', 'cpu: <unknown>/70%', '1', 5, 2, '5m'],
  ],
  ['coordination.k8s.io/Lease', 'its holder', { spec: { holderIdentity: 'h' } }, ['x', 'h', '5m']],
  [
    'scheduling.k8s.io/PriorityClass',
    'value and policy',
    { value: 5, globalDefault: true, preemptionPolicy: 'Never' },
    ['x', 5, true, '5m', 'Never'],
  ],
  ['node.k8s.io/RuntimeClass', 'its handler', { handler: 'h' }, ['x', 'h', '5m']],
  [
    'flowcontrol.apiserver.k8s.io/FlowSchema',
    'nothing dangling yet',
    { spec: { priorityLevelConfiguration: { name: 'p' }, matchingPrecedence: 9 } },
    ['x', 'p', 9, none, '5m', '?'],
  ],
  [
    'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
    'limited, without queues',
    { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } } },
    ['x', 'Limited', 5, none, none, none, '5m'],
  ],
  ['resource.k8s.io/ResourceClaim', 'pending', {}, ['x', 'pending', '5m']],
  [
    'resource.k8s.io/ResourceClaim',
    'allocated and reserved',
    { status: { allocation: {}, reservedFor: [{}] } },
    ['x', 'allocated,reserved', '5m'],
  ],
  [
    'apiregistration.k8s.io/APIService',
    'not available',
    {
      spec: { service: { namespace: 'n', name: 's' } },
      status: { conditions: [{ type: 'Available', status: 'False', reason: 'R' }] },
    },
    ['x', 'n/s', 'False (R)', '5m'],
  ],
  ['certificates.k8s.io/ClusterTrustBundle', 'without a signer', { spec: {} }, ['x', none]],
  [
    'certificates.k8s.io/PodCertificateRequest',
    'denied',
    {
      spec: { podName: 'p', serviceAccountName: 's', nodeName: 'n', signerName: 'a.b/c' },
      status: { conditions: [{ type: 'Other' }, { type: 'Denied' }] },
    },
    ['x', 'p', 's', 'n', 'a.b/c', 'Denied', none],
  ],
  [
    'internal.apiserver.k8s.io/StorageVersion',
    'three servers and more',
    { status: { storageVersions: ['a', 'b', 'c', 'd'].map((id) => ({ apiServerID: id, encodingVersion: 'v1' })) } },
    ['x', '<unset>', 'a=v1,b=v1,c=v1 + 1 more...', '5m'],
  ],
  [
    'resource.k8s.io/DeviceTaintRule',
    'its taint',
    { spec: { taint: { key: 'k', value: 'v', effect: 'NoExecute', timeAdded: ago } } },
    ['x', 'k', 'v', 'NoExecute', '10s', '5m'],
  ],
  [
    'resource.k8s.io/ResourcePoolStatusRequest',
    'complete, with fewer pools than there are',
    {
      spec: { driver: 'd' },
      status: {
        poolCount: 2,
        pools: [{ totalDevices: 4, availableDevices: 1, allocatedDevices: 3 }],
        conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: ago }],
      },
    },
    ['x', 'd', '4', '1', '3', '0', '0', 2, 'Complete (1/2 pools)', '10s'],
  ],
  [
    'resource.k8s.io/ResourcePoolStatusRequest',
    'not answered',
    { spec: { driver: 'd' } },
    ['x', 'd', '-', '-', '-', '-', '-', 0, 'Pending', none],
  ],
  [
    'scheduling.k8s.io/PodGroup',
    'a gang that waits',
    {
      spec: { schedulingPolicy: { gang: { minCount: 2 } }, podGroupTemplateRef: { workload: { workloadName: 'w' } } },
      status: { conditions: [{ type: 'PodGroupScheduled', status: 'False' }] },
    },
    ['x', 'Gang', 'w', 'Unschedulable', '5m'],
  ],
  [
    'scheduling.k8s.io/PodGroup',
    'a group of 1.37',
    {
      spec: { schedulingPolicy: { basic: {} }, workloadRef: { workloadName: 'w' } },
      status: { conditions: [{ type: 'PodGroupInitiallyScheduled', status: 'True' }] },
    },
    ['x', 'Basic', 'w', 'Scheduled', '5m'],
  ],
  [
    'scheduling.k8s.io/CompositePodGroup',
    'a gang of groups',
    { spec: { schedulingPolicy: { gang: { minGroupCount: 2 } } } },
    ['x', 'Gang', '<none>', '5m'],
  ],
  [
    'apiextensions.k8s.io/CustomResourceDefinition',
    'an established one with three versions',
    {
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Widget', shortNames: ['w', 'wd'] },
        versions: [
          { name: 'v2', served: true, storage: true },
          { name: 'v1', served: true, storage: false },
          { name: 'v0', served: false, storage: false },
        ],
      },
      status: { conditions: [{ type: 'Established', status: 'True' }] },
    },
    ['x', 'Namespaced', 'v1,v2(storage)', metadata.creationTimestamp, 'example.com', 'Widget', 'w,wd', true],
  ],
  [
    'lifecycle.k8s.io/EvictionRequest',
    'a new one',
    { spec: { target: { pod: { name: 'p' } }, requester: 'r.example.com', intent: 'Eviction' } },
    ['x', 'p', 'Pod', 'Pending', 'r.example.com', 'Eviction', '5m'],
  ],
  [
    'lifecycle.k8s.io/Eviction',
    'nothing yet',
    {},
    [
      'x',
      '<unset>',
      '<unset>',
      'Pending',
      '<unset> (0/0)',
      '<unset>',
      '<unknown>',
      '<none>',
      '5m',
      '<unset>',
      '<unset>',
    ],
  ],
  [
    'lifecycle.k8s.io/Eviction',
    'the second of two responders works',
    {
      spec: { target: { pod: { name: 'p' } } },
      status: {
        observedGeneration: 1,
        requesters: [
          { name: 'b', intent: 'Eviction' },
          { name: 'a', intent: 'Eviction' },
        ],
        targetResponders: [
          { name: 'one', state: 'Completed' },
          { name: 'two', state: 'Active' },
        ],
        responders: [{ name: 'two', startTime: ago, heartbeatTime: ago, message: ' busy ' }],
      },
    },
    [
      'x',
      'p',
      'Pod',
      'Progressing',
      'two (2/2)',
      'Started (10s ago)',
      '<unknown>',
      'a + 1 more...',
      '5m',
      '10s ago',
      'busy',
    ],
  ],
  [
    'lifecycle.k8s.io/Eviction',
    'a Pod that is gone',
    {
      status: {
        conditions: [{ type: 'TargetEvicted', status: 'True', reason: 'PodDeleted' }],
        requesters: [{ name: 'a', intent: 'Withdrawn' }],
        targetResponders: [{ name: 'one', state: 'Completed' }],
        responders: [{ name: 'one', completionTime: ago }],
      },
    },
    [
      'x',
      '<unset>',
      '<unset>',
      'TargetEvicted (PodDeleted)',
      'one (1/1)',
      'Completed (10s ago)',
      '-',
      '<withdrawn>',
      '5m',
      '<unset>',
      '<unset>',
    ],
  ],
  [
    'storagemigration.k8s.io/StorageVersionMigration',
    'what runs',
    { spec: { resource: { group: 'apps', resource: 'deployments' } }, ...condition('Running') },
    ['x', 'deployments.apps', 'Running'],
  ],
];

test.each(facts)('%s: %s', (kind, _fact, object, cells) => {
  const printed: JsonObject = { metadata, ...object };
  expect(printers.get(kind)?.(printed, now)).toEqual(cells);
});

const columnsOf: ReadonlyMap<string, readonly object[]> = new Map(Object.entries(columns));
const versions = ['v1', 'v2', 'v1beta1', 'v1beta2', 'v1alpha1', 'v1alpha2', 'v1alpha3'];

// A bookmark is an object with nothing but a version; upstream has one cell too many for an IPAddress.
test.each([...printers])('%s has a cell for each column, even of an empty object', (printed, cells) => {
  const [group = '', kind = ''] = printed.split('/');
  const resource = pluralOf(kind);
  const served = versions.map((version) => columnsOf.get(`${group}/${version}/${resource}`));
  const defined = served.find((one) => one !== undefined) ?? [];
  expect(cells({}, now)).toHaveLength(resource === 'ipaddresses' ? defined.length + 1 : defined.length);
});

const unprinted = [...columnsOf].filter(
  ([resource]) => ![...printers.keys()].some((kind) => resource.endsWith(`/${pluralOf(kind.split('/')[1] ?? '')}`)),
);

test.each(unprinted)('%s, which has no printer, has the default columns', (_resource, defined) => {
  expect(defined).toEqual([
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Created At', type: 'date' },
  ]);
});
