import { expect, test } from 'vitest';
import { alwaysDenyPlugin } from '../../../../src/apiserver/admission/plugins/always.ts';
import { alwaysPullImages } from '../../../../src/apiserver/admission/plugins/always-pull-images.ts';
import { denyServiceExternalIPs } from '../../../../src/apiserver/admission/plugins/deny-service-external-ips.ts';
import { createEventRateLimit } from '../../../../src/apiserver/admission/plugins/event-rate-limit.ts';
import { extendedResourceToleration } from '../../../../src/apiserver/admission/plugins/extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from '../../../../src/apiserver/admission/plugins/limit-pod-hard-anti-affinity-topology.ts';
import { namespaceExists } from '../../../../src/apiserver/admission/plugins/namespace-plugins.ts';
import { ownerReferencesPermissionEnforcement } from '../../../../src/apiserver/admission/plugins/owner-references-permission-enforcement.ts';
import { createPodNodeSelector } from '../../../../src/apiserver/admission/plugins/pod-node-selector.ts';
import { createPodTolerationRestriction } from '../../../../src/apiserver/admission/plugins/pod-toleration-restriction/pod-toleration-restriction.ts';
import { taintNodesByCondition } from '../../../../src/apiserver/admission/plugins/taint-nodes-by-condition.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import type { BuiltinPlugin } from '../../../../src/apiserver/admission/chain/plugin.ts';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, outcomeOf, portsOf, refusalOf } from '../../../harness/builtin-plugin.ts';

const pod = (spec: JsonObject): AdmissionAttributes => creating(object('v1', 'Pod', 'p', { spec }), 'pods');

const updating = (old: KubernetesObject, request: AdmissionAttributes): AdmissionAttributes => ({
  ...request,
  operation: 'UPDATE',
  oldObject: old,
});

const service = (addresses: readonly string[]): KubernetesObject =>
  object('v1', 'Service', 's', { spec: { externalIPs: addresses } });

const node = (taints: readonly JsonObject[]): AdmissionAttributes =>
  creating(object('v1', 'Node', 'n', { spec: { taints } }), 'nodes', { namespace: '' });
const notReady = (effect: string): JsonObject => ({ key: 'node.kubernetes.io/not-ready', effect });

const ns = (annotations: JsonObject): Record<string, readonly KubernetesObject[]> => ({
  namespaces: [object('v1', 'Namespace', 'ns', { metadata: { name: 'ns', annotations } })],
});

const images = { containers: [{ name: 'c', image: 'a', imagePullPolicy: 'Never' }] };
const gpu = { containers: [{ resources: { requests: { 'example.com/gpu': '1', cpu: '1' } } }] };
const gpuToleration = { key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' };
const antiAffinity = (topologyKey: string): JsonObject => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
});
const nodeSelector = createPodNodeSelector(
  new Map(Object.entries({ clusterDefaultNodeSelector: 'env=dev', ns: 'env=dev,team=a' })),
);
const selectorKey = 'scheduler.alpha.kubernetes.io/node-selector';
const anyone = { operator: 'Exists' };
const restriction = createPodTolerationRestriction({
  default: [{ key: 'free', operator: 'Exists' }],
  whitelist: [{ key: 'free', operator: 'Exists' }],
});
const notListed = (scope: string): string =>
  `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`;

interface Row {
  readonly plugin: BuiltinPlugin;
  readonly pass: 'mutate' | 'validate';
  readonly request: AdmissionAttributes;
  readonly objects?: Readonly<Record<string, readonly KubernetesObject[]>>;
  readonly path?: readonly string[];
  readonly expected: JsonValue | undefined;
}

// Source: kubernetes plugin/pkg/admission/*/admission_test.go and facts of the profiles p-*.
const facts: Readonly<Record<string, Row>> = {
  'AlwaysDeny refuses everything': {
    plugin: alwaysDenyPlugin,
    pass: 'mutate',
    request: pod({}),
    expected: 'pods "p" is forbidden: admission control is denying all modifications',
  },
  'AlwaysPullImages pulls the image of each container': {
    plugin: alwaysPullImages,
    pass: 'mutate',
    request: pod(images),
    path: ['spec', 'containers'],
    expected: [{ name: 'c', image: 'a', imagePullPolicy: 'Always' }],
  },
  'and of a volume': {
    plugin: alwaysPullImages,
    pass: 'mutate',
    request: pod({ volumes: [{ name: 'v', image: { reference: 'r', pullPolicy: 'Never' } }] }),
    path: ['spec', 'volumes'],
    expected: [{ name: 'v', image: { reference: 'r', pullPolicy: 'Always' } }],
  },
  'an update without a new image is left alone': {
    plugin: alwaysPullImages,
    pass: 'mutate',
    request: updating(object('v1', 'Pod', 'p', { spec: images }), pod(images)),
    path: ['spec', 'containers'],
    expected: images.containers,
  },
  'another policy is refused afterwards': {
    plugin: alwaysPullImages,
    pass: 'validate',
    request: pod(images),
    expected:
      'pods "p" is forbidden: spec.containers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"',
  },
  'several are refused as one error': {
    plugin: alwaysPullImages,
    pass: 'validate',
    request: pod({ ...images, initContainers: [{ image: 'b' }] }),
    expected:
      '[pods "p" is forbidden: spec.initContainers[0].imagePullPolicy: Unsupported value: "": supported values: "Always", ' +
      'pods "p" is forbidden: spec.containers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"]',
  },
  'a volume without an image has no policy': {
    plugin: alwaysPullImages,
    pass: 'validate',
    request: pod({
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'w', image: { pullPolicy: 'Always' } },
      ],
    }),
    path: ['metadata', 'name'],
    expected: 'p',
  },
  'the policy of a volume is refused afterwards too': {
    plugin: alwaysPullImages,
    pass: 'validate',
    request: pod({
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'w', image: { pullPolicy: 'Never' } },
      ],
    }),
    expected:
      'pods "p" is forbidden: spec.volumes[1].image.pullPolicy: Unsupported value: "Never": supported values: "Always"',
  },
  'TaintNodesByCondition taints a new Node': {
    plugin: taintNodesByCondition,
    pass: 'mutate',
    request: node([{ key: 'a', effect: 'NoSchedule' }]),
    path: ['spec', 'taints'],
    expected: [{ key: 'a', effect: 'NoSchedule' }, notReady('NoSchedule')],
  },
  'one that has the taint stays as it is': {
    plugin: taintNodesByCondition,
    pass: 'mutate',
    request: node([notReady('NoSchedule')]),
    path: ['spec', 'taints'],
    expected: [notReady('NoSchedule')],
  },
  'the taint with another effect is another one': {
    plugin: taintNodesByCondition,
    pass: 'mutate',
    request: node([notReady('NoExecute')]),
    path: ['spec', 'taints'],
    expected: [notReady('NoExecute'), notReady('NoSchedule')],
  },
  'DenyServiceExternalIPs refuses an address': {
    plugin: denyServiceExternalIPs,
    pass: 'validate',
    request: creating(service(['1.2.3.4']), 'services'),
    expected: 'services "s" is forbidden: Use of external IPs is denied by admission control',
  },
  'one that was there may stay': {
    plugin: denyServiceExternalIPs,
    pass: 'validate',
    request: updating(service(['1.2.3.4', '5.6.7.8']), creating(service(['5.6.7.8']), 'services')),
    path: ['metadata', 'name'],
    expected: 's',
  },
  'one beside it may not': {
    plugin: denyServiceExternalIPs,
    pass: 'validate',
    request: updating(service(['1.2.3.4']), creating(service(['1.2.3.4', '5.6.7.8']), 'services')),
    expected: 'services "s" is forbidden: Use of external IPs is denied by admission control',
  },
  'ExtendedResourceToleration tolerates what is asked for': {
    plugin: extendedResourceToleration,
    pass: 'mutate',
    request: pod(gpu),
    path: ['spec', 'tolerations'],
    expected: [gpuToleration],
  },
  'the same with a time is replaced': {
    plugin: extendedResourceToleration,
    pass: 'mutate',
    request: pod({ ...gpu, tolerations: [{ ...gpuToleration, tolerationSeconds: 3 }] }),
    path: ['spec', 'tolerations'],
    expected: [gpuToleration],
  },
  'LimitPodHardAntiAffinityTopology lets a Pod have its node for itself': {
    plugin: limitPodHardAntiAffinityTopology,
    pass: 'validate',
    request: pod(antiAffinity('kubernetes.io/hostname')),
    path: ['metadata', 'name'],
    expected: 'p',
  },
  'and no zone': {
    plugin: limitPodHardAntiAffinityTopology,
    pass: 'validate',
    request: pod(antiAffinity('zone')),
    expected:
      'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  },
  'NamespaceExists misses a namespace': {
    plugin: namespaceExists,
    pass: 'validate',
    request: pod({}),
    expected: 'namespaces "ns" not found',
  },
  'PodNodeSelector puts the selector of the cluster in': {
    plugin: nodeSelector,
    pass: 'mutate',
    request: pod({ nodeSelector: { team: 'a' } }),
    path: ['spec', 'nodeSelector'],
    expected: { env: 'dev', team: 'a' },
  },
  'the one of the namespace wins': {
    plugin: nodeSelector,
    pass: 'mutate',
    request: pod({}),
    objects: ns({ [selectorKey]: 'team=a' }),
    path: ['spec', 'nodeSelector'],
    expected: { team: 'a' },
  },
  'a Pod that wants another is refused': {
    plugin: nodeSelector,
    pass: 'mutate',
    request: pod({ nodeSelector: { env: 'live' } }),
    expected: 'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector',
  },
  'only what is listed may be asked for': {
    plugin: nodeSelector,
    pass: 'mutate',
    request: pod({ nodeSelector: { disk: 'ssd' } }),
    expected: 'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist',
  },
  'an annotation that makes no sense is a fault of the server': {
    plugin: nodeSelector,
    pass: 'mutate',
    request: pod({}),
    objects: ns({ [selectorKey]: 'not a b c' }),
    expected: 'invalid selector: [not a b c]',
  },
  'a namespace named like what every object has is one like others': {
    plugin: nodeSelector,
    pass: 'mutate',
    request: { ...pod({}), namespace: 'constructor' },
    path: ['spec', 'nodeSelector'],
    expected: { env: 'dev' },
  },
  'PodTolerationRestriction adds what is tolerated by default': {
    plugin: restriction,
    pass: 'mutate',
    request: pod({}),
    path: ['spec', 'tolerations'],
    expected: [{ key: 'free', operator: 'Exists' }],
  },
  'what is not listed is refused': {
    plugin: restriction,
    pass: 'mutate',
    request: pod({ tolerations: [anyone] }),
    expected: notListed('cluster'),
  },
  'and by the list of its namespace, which the refusal names': {
    plugin: restriction,
    pass: 'mutate',
    request: pod({ tolerations: [anyone] }),
    objects: ns({ 'scheduler.alpha.kubernetes.io/tolerationsWhitelist': '[{"key":"other","operator":"Exists"}]' }),
    expected: notListed('namespace'),
  },
  'a list that is an object is a fault of the server': {
    plugin: restriction,
    pass: 'mutate',
    request: pod({ tolerations: [anyone] }),
    objects: ns({ 'scheduler.alpha.kubernetes.io/tolerationsWhitelist': '{}' }),
    expected: 'json: cannot unmarshal object into Go value of type []v1.Toleration',
  },
  'a selector with a key that is no label is a fault of the server': {
    plugin: nodeSelector,
    pass: 'mutate',
    request: pod({}),
    objects: ns({ [selectorKey]: 'a b=c' }),
    expected: expect.stringMatching(/^<nil>: Invalid value: "a b": name part must consist of/),
  },
  'and so is one with such a value': {
    plugin: nodeSelector,
    pass: 'mutate',
    request: pod({}),
    objects: ns({ [selectorKey]: 'a=-' }),
    expected: expect.stringMatching(/^\[a\]: Invalid value: "-": a valid label must be an empty string or/),
  },
  'the list of the namespace wins': {
    plugin: restriction,
    pass: 'mutate',
    request: pod({ tolerations: [anyone] }),
    objects: ns({ 'scheduler.alpha.kubernetes.io/tolerationsWhitelist': '[{"operator":"Exists"}]' }),
    path: ['spec', 'tolerations'],
    expected: [anyone],
  },
  'an annotation that is no list is a fault of the server': {
    plugin: restriction,
    pass: 'mutate',
    request: pod({}),
    objects: ns({ 'scheduler.alpha.kubernetes.io/defaultTolerations': 'nonsense' }),
    expected: "invalid character 'o' in literal null (expecting 'u')",
  },
};

test.each(Object.entries(facts))('%s', (_fact, { plugin, pass, request, objects = {}, path = [], expected }) => {
  expect(outcomeOf(plugin, pass, { request, cluster: clusterOf(objects), path })).toEqual(expected);
});

const owned = (refs: readonly JsonObject[]): KubernetesObject =>
  object('v1', 'ConfigMap', 'c', { metadata: { name: 'c', ownerReferences: [...refs] } });
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
const blocking = { ...owner, blockOwnerDeletion: true };

/** Whoever may do that is asked no more. */
const anything = 'update */finalizers *';

// Source: kubernetes plugin/pkg/admission/gc/gc_admission_test.go, facts p-ownerrefs-*.
const ownerFacts: readonly [fact: string, old: JsonObject[] | undefined, refs: JsonObject[], asked: string[]][] = [
  ['who creates may name an owner', undefined, [owner], []],
  ['who blocks its deletion must be allowed to', undefined, [blocking], [anything, 'update configmaps/finalizers o']],
  ['an update needs the right to delete', [], [owner], ['delete configmaps/ c']],
  ['and both', [], [blocking], ['delete configmaps/ c', anything, 'update configmaps/finalizers o']],
  ['one that blocked before is not asked again', [blocking], [blocking, owner], ['delete configmaps/ c']],
  ['what stays as it is needs nothing', [blocking], [blocking], []],
];
test.each(ownerFacts)('OwnerReferencesPermissionEnforcement: %s', async (_fact, old, refs, expected) => {
  const asked: string[] = [];
  const create = creating(owned(refs), 'configmaps');
  const request = old ? updating(owned(old), create) : create;
  await ownerReferencesPermissionEnforcement.validate?.(request, {
    ...portsOf(clusterOf({})),
    authorize: async (question) => {
      if (question.type === 'resource') {
        asked.push(`${question.verb} ${question.resource}/${question.subresource} ${question.name}`);
      }
      return { allowed: asked.at(-1) !== anything, reason: '' };
    },
  });
  expect(asked).toEqual(expected);
});

const event = (involved: string): AdmissionAttributes =>
  creating(object('v1', 'Event', 'e', { involvedObject: { name: involved }, source: { component: 'c' } }), 'events');

// Source: kubernetes plugin/pkg/admission/eventratelimit/admission_test.go
test('EventRateLimit counts by key, forgets the oldest key and fills again with time', () => {
  const { validate } = createEventRateLimit([{ type: 'SourceAndObject', qps: 1, burst: 1, cacheSize: 2 }]);
  const told: (string | undefined)[] = [];
  const times: readonly [time: number, involved: string][] = [
    [0, 'a'],
    [999, 'a'],
    [1000, 'a'],
    [1000, 'b'],
    [1000, 'd'],
    [1000, 'a'],
  ];
  for (const [time, involved] of times) {
    const answer = validate?.(event(involved), { ...portsOf(clusterOf({})), now: () => time });
    told.push(refusalOf(answer)?.message);
  }
  const refused = 'Too many requests: limit reached on type SourceAndObject for key ca';
  expect(told).toEqual([undefined, refused, undefined, undefined, undefined, undefined]);
});
