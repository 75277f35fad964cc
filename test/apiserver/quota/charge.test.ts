import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import {
  chargeQuota,
  type ChargedWrite,
  type LimitedResource,
  createQuotaState,
} from '../../../src/apiserver/quota/charge.ts';
import { evaluatorFor } from '../../../src/apiserver/quota/evaluator-for.ts';
import { usageList } from '../../../src/apiserver/quota/usage.ts';
import { clusterOf, object } from '../../harness/builtin-plugin.ts';

const pods = { group: '', resource: 'pods' };

const quota = (name: string, hard: JsonObject, used: JsonObject, spec: JsonObject = {}): KubernetesObject =>
  object('v1', 'ResourceQuota', name, { spec: { hard, ...spec }, status: { hard, used } });

const stored = (of: KubernetesObject): KubernetesObject => ({
  ...of,
  metadata: { ...of.metadata, resourceVersion: '1' },
});

const pod = (spec: JsonObject, status: JsonObject = {}): KubernetesObject => object('v1', 'Pod', 'p', { spec, status });

const asking = (requests: JsonObject, limits: JsonObject = {}): JsonObject => ({
  name: 'c',
  resources: { requests, limits },
});

interface Row {
  readonly write?: Partial<ChargedWrite>;
  readonly object: KubernetesObject;
  readonly quotas: readonly KubernetesObject[];
  readonly limited?: readonly LimitedResource[];
  readonly classes?: readonly KubernetesObject[];
}

/** What the quotas have used afterwards, or why not. */
function outcomeOf({ write, object: written, quotas, limited = [], classes = [] }: Row): unknown {
  const request: ChargedWrite = {
    operation: 'CREATE',
    subresource: '',
    object: written,
    oldObject: null,
    resource: pods,
    now: 0,
    ...write,
  };
  const evaluator = evaluatorFor(request.resource, clusterOf({ 'deviceclasses.resource.k8s.io': classes }));
  if (evaluator === undefined) return 'not counted';
  const result = chargeQuota(request, quotas.map(createQuotaState), evaluator, limited);
  if (result.outcome !== 'charged') return 'reason' in result ? result.reason : result.message;
  return result.quotas.map(({ used }) => usageList(used));
}

const one = pod({ containers: [asking({ cpu: '500m' }, { memory: '1Gi' })] });
const gpu: LimitedResource = { resource: pods, matchContains: ['requests.example.com/gpu'], matchScopes: [] };
const critical = { scopeName: 'PriorityClass', operator: 'In', values: ['critical'] };

// Source: apiserver pkg/admission/plugin/resourcequota/admission_test.go, kubernetes pkg/quota/v1/evaluator/core/*_test.go, facts of group quota.
const facts: Readonly<Record<string, readonly [Row, unknown]>> = {
  'what is used is added': [
    { object: one, quotas: [quota('q', { pods: '2', 'requests.cpu': '1' }, { pods: '1', 'requests.cpu': '500m' })] },
    [{ pods: '2', 'requests.cpu': '1' }],
  ],
  'the limit itself may be reached, one more may not': [
    { object: one, quotas: [quota('q', { pods: '2' }, { pods: '2' })] },
    'exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
  ],
  'all that is exceeded is said, by name, and nothing else': [
    {
      object: one,
      quotas: [
        quota(
          'q',
          { pods: '1', 'limits.memory': '1Gi', 'requests.cpu': '9' },
          { pods: '1', 'limits.memory': '512Mi', 'requests.cpu': '0' },
        ),
      ],
    },
    'exceeded quota: q, requested: limits.memory=1Gi,pods=1, used: limits.memory=512Mi,pods=1, limited: limits.memory=1Gi,pods=1',
  ],
  'every quota counts, and the second refuses': [
    {
      object: one,
      quotas: [quota('a', { pods: '5' }, { pods: '0' }), quota('b', { 'count/pods': '0' }, { 'count/pods': '0' })],
    },
    'exceeded quota: b, requested: count/pods=1, used: count/pods=0, limited: count/pods=0',
  ],
  'a quota of other things is left alone': [
    {
      object: one,
      quotas: [quota('a', { configmaps: '0' }, { configmaps: '0' }), quota('b', { pods: '1' }, { pods: '0' })],
    },
    [{ configmaps: '0' }, { pods: '1' }],
  ],
  'a quota whose usage is not known yet refuses': [
    { object: one, quotas: [quota('q', { pods: '1', 'requests.cpu': '1' }, { pods: '0' })] },
    'status unknown for quota: q, resources: pods,requests.cpu',
  ],
  'under a quota of cpu each container says what it needs': [
    {
      object: pod({ containers: [asking({ cpu: '1' }), { name: 'b' }], initContainers: [{ name: 'a' }] }),
      quotas: [
        quota('q', { 'requests.cpu': '1', 'limits.memory': '1' }, { 'requests.cpu': '0', 'limits.memory': '0' }),
      ],
    },
    'failed quota: q: must specify limits.memory for: a,b,c; requests.cpu for: a,b',
  ],
  'a Pod that says as a whole what it needs has nothing more to say': [
    {
      object: pod({ containers: [{ name: 'a' }, { name: 'b' }], resources: { requests: { cpu: '2' } } }),
      quotas: [quota('q', { 'requests.cpu': '5' }, { 'requests.cpu': '1' })],
    },
    [{ 'requests.cpu': '3' }],
  ],
  'an empty list for the whole Pod says nothing': [
    {
      object: pod({ containers: [{ name: 'a' }], resources: { requests: {} } }),
      quotas: [quota('q', { 'requests.cpu': '5' }, { 'requests.cpu': '1' })],
    },
    'failed quota: q: must specify requests.cpu for: a',
  ],
  'a deadline that is set later moves a Pod to quotas of what terminates': [
    {
      write: { operation: 'UPDATE', oldObject: stored(pod({ containers: [] })) },
      object: stored(pod({ containers: [], activeDeadlineSeconds: 60 })),
      quotas: [quota('q', { pods: '0' }, { pods: '0' }, { scopes: ['Terminating'] })],
    },
    'exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
  ],
  'devices asked for by class are an extended resource of the Pod': [
    {
      object: pod({ containers: [asking({ 'deviceclass.resource.kubernetes.io/gpu': '2' })] }),
      quotas: [
        quota(
          'q',
          { 'requests.deviceclass.resource.kubernetes.io/gpu': '2' },
          { 'requests.deviceclass.resource.kubernetes.io/gpu': '1' },
        ),
      ],
    },
    'exceeded quota: q, requested: requests.deviceclass.resource.kubernetes.io/gpu=2, used: requests.deviceclass.resource.kubernetes.io/gpu=1, limited: requests.deviceclass.resource.kubernetes.io/gpu=2',
  ],
  'init containers run before, sidecars beside': [
    {
      object: pod({
        containers: [asking({ cpu: '300m' })],
        initContainers: [asking({ cpu: '900m' }), { ...asking({ cpu: '100m' }), restartPolicy: 'Always' }],
        overhead: { cpu: '50m' },
      }),
      quotas: [quota('q', { cpu: '9' }, { cpu: '0' })],
    },
    [{ cpu: '950m' }],
  ],
  'extended resources and huge pages are charged as requests': [
    {
      object: pod({ containers: [asking({ 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi' })] }),
      quotas: [
        quota(
          'q',
          { 'requests.example.com/gpu': '2', 'hugepages-2Mi': '4Mi' },
          { 'requests.example.com/gpu': '0', 'hugepages-2Mi': '0' },
        ),
      ],
    },
    [{ 'hugepages-2Mi': '4Mi', 'requests.example.com/gpu': '2' }],
  ],
  'a pod that has ended is counted, but asks for nothing': [
    {
      object: pod({ containers: [asking({ cpu: '1' })] }, { phase: 'Succeeded' }),
      quotas: [quota('q', { 'count/pods': '9', pods: '0', cpu: '0' }, { 'count/pods': '0', pods: '0', cpu: '0' })],
    },
    [{ 'count/pods': '1', cpu: '0', pods: '0' }],
  ],
  'a quota of a scope is for what is in it': [
    {
      object: pod({ containers: [], activeDeadlineSeconds: 0 }),
      quotas: [
        quota('a', { pods: '0' }, { pods: '0' }, { scopes: ['NotTerminating'] }),
        quota('b', { pods: '1' }, { pods: '0' }, { scopes: ['Terminating', 'BestEffort'] }),
      ],
    },
    [{ pods: '0' }, { pods: '1' }],
  ],
  'a selector of priority classes matches by name, NotIn also without one': [
    {
      object: pod({ containers: [] }),
      quotas: [
        quota('a', { pods: '0' }, { pods: '0' }, { scopeSelector: { matchExpressions: [critical] } }),
        quota(
          'b',
          { pods: '1' },
          { pods: '0' },
          {
            scopeSelector: { matchExpressions: [{ ...critical, operator: 'NotIn' }] },
          },
        ),
      ],
    },
    [{ pods: '0' }, { pods: '1' }],
  ],
  'an update is charged with what it grows by': [
    {
      write: {
        operation: 'UPDATE',
        subresource: 'resize',
        oldObject: { ...one, metadata: { resourceVersion: '1' } },
      },
      object: pod({ containers: [asking({ cpu: '700m' }, { memory: '512Mi' })] }),
      quotas: [
        quota('q', { 'requests.cpu': '1', 'limits.memory': '1Gi' }, { 'requests.cpu': '500m', 'limits.memory': '1Gi' }),
      ],
    },
    [{ 'limits.memory': '1Gi', 'requests.cpu': '700m' }],
  ],
  'a service that becomes a load balancer needs node ports': [
    {
      write: {
        operation: 'UPDATE',
        resource: { group: '', resource: 'services' },
        oldObject: object('v1', 'Service', 's', { metadata: { resourceVersion: '1' }, spec: { ports: [{}, {}] } }),
      },
      object: object('v1', 'Service', 's', { spec: { type: 'LoadBalancer', ports: [{}, {}] } }),
      quotas: [quota('q', { services: '1', 'services.nodeports': '1' }, { services: '1', 'services.nodeports': '0' })],
    },
    'exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1',
  ],
  'a load balancer without node ports counts those it names': [
    {
      write: { resource: { group: '', resource: 'services' } },
      object: object('v1', 'Service', 's', {
        spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ nodePort: 30000 }, {}] },
      }),
      quotas: [
        quota(
          'q',
          { 'services.loadbalancers': '1', 'services.nodeports': '9' },
          { 'services.loadbalancers': '0', 'services.nodeports': '0' },
        ),
      ],
    },
    [{ 'services.loadbalancers': '1', 'services.nodeports': '1' }],
  ],
  'claims are charged by storage class too, in whole bytes': [
    {
      write: { resource: { group: '', resource: 'persistentvolumeclaims' } },
      object: object('v1', 'PersistentVolumeClaim', 'c', {
        spec: { storageClassName: 'gold', resources: { requests: { storage: '1500m' } } },
      }),
      quotas: [
        quota(
          'q',
          { 'gold.storageclass.storage.k8s.io/requests.storage': '2', 'requests.storage': '1' },
          { 'gold.storageclass.storage.k8s.io/requests.storage': '0', 'requests.storage': '0' },
        ),
      ],
    },
    'exceeded quota: q, requested: requests.storage=2, used: requests.storage=0, limited: requests.storage=1',
  ],
  'devices are charged by class, of alternatives the largest': [
    {
      write: { resource: { group: 'resource.k8s.io', resource: 'resourceclaims' } },
      object: object('resource.k8s.io/v1', 'ResourceClaim', 'c', {
        spec: {
          devices: {
            requests: [
              { exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 } },
              {
                firstAvailable: [
                  { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 },
                  { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 3 },
                ],
              },
            ],
          },
        },
      }),
      quotas: [
        quota(
          'q',
          { 'gpu.deviceclass.resource.k8s.io/devices': '9' },
          { 'gpu.deviceclass.resource.k8s.io/devices': '0' },
        ),
      ],
    },
    [{ 'gpu.deviceclass.resource.k8s.io/devices': '5' }],
  ],
  'a class that stands for an extended resource is charged as that too': [
    {
      write: { resource: { group: 'resource.k8s.io', resource: 'resourceclaims' } },
      classes: [
        object('resource.k8s.io/v1', 'DeviceClass', 'gpu', { spec: { extendedResourceName: 'example.com/gpu' } }),
      ],
      object: object('resource.k8s.io/v1', 'ResourceClaim', 'c', {
        spec: { devices: { requests: [{ exactly: { deviceClassName: 'gpu', allocationMode: 'All' } }] } },
      }),
      quotas: [
        quota(
          'q',
          {
            'requests.deviceclass.resource.kubernetes.io/gpu': '99',
            'requests.example.com/gpu': '99',
            'requests.example.com/tpu': '0',
          },
          {
            'requests.deviceclass.resource.kubernetes.io/gpu': '0',
            'requests.example.com/gpu': '1',
            'requests.example.com/tpu': '0',
          },
        ),
      ],
    },
    [
      {
        'requests.deviceclass.resource.kubernetes.io/gpu': '32',
        'requests.example.com/gpu': '33',
        'requests.example.com/tpu': '0',
      },
    ],
  ],
  'any other resource is counted': [
    {
      write: { resource: { group: 'apps', resource: 'deployments' } },
      object: object('apps/v1', 'Deployment', 'd'),
      quotas: [quota('q', { 'count/deployments.apps': '0' }, { 'count/deployments.apps': '0' })],
    },
    'exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
  ],
  'events are not': [
    { write: { resource: { group: '', resource: 'events' } }, object: object('v1', 'Event', 'e'), quotas: [] },
    'not counted',
  ],
  'a limited resource needs a quota': [
    { object: pod({ containers: [asking({ 'example.com/gpu': '1' })] }), quotas: [], limited: [gpu] },
    'insufficient quota to consume: requests.example.com/gpu',
  ],
  'who does not use it needs none': [{ object: one, quotas: [], limited: [gpu] }, []],
  'a limited scope needs a quota of that scope': [
    {
      object: pod({ containers: [], priorityClassName: 'critical' }),
      quotas: [quota('q', { pods: '1' }, { pods: '0' })],
      limited: [{ resource: pods, matchContains: [], matchScopes: [critical] }],
    },
    'insufficient quota to match these scopes: [{PriorityClass In [critical]}]',
  ],
};

test.each(Object.entries(facts))('%s', (_fact, [row, expected]) => {
  expect(outcomeOf(row)).toEqual(expected);
});
