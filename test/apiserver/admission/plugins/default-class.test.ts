import { expect, test } from 'vitest';
import { defaultIngressClass } from '../../../../src/apiserver/admission/plugins/default-class.ts';
import { defaultStorageClass } from '../../../../src/apiserver/admission/plugins/default-class.ts';
import type { SyncPlugin } from '../../../../src/apiserver/admission/chain/plugin.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { type KubernetesObject, withMetadata } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const marked = (name: string, second: number, key: string): KubernetesObject =>
  withMetadata(object('v1', 'Class', name), {
    creationTimestamp: `2026-01-01T00:00:0${second}Z`,
    annotations: { [key]: 'true' },
  });
const storage = 'storageclass.kubernetes.io/is-default-class';
const ingress = 'ingressclass.kubernetes.io/is-default-class';
const none = clusterOf({
  'storageclasses.storage.k8s.io': [object('storage.k8s.io/v1', 'StorageClass', 'plain')],
  'ingressclasses.networking.k8s.io': [object('networking.k8s.io/v1', 'IngressClass', 'plain')],
});
const several = clusterOf({
  'storageclasses.storage.k8s.io': [marked('z', 1, storage), marked('a', 2, storage), marked('b', 2, storage)],
  'ingressclasses.networking.k8s.io': [marked('z', 1, ingress), marked('a', 2, ingress), marked('b', 2, ingress)],
});
const claim = (spec: JsonObject, annotations?: Record<string, string>): AdmissionAttributes =>
  creating(
    withMetadata(object('v1', 'PersistentVolumeClaim', 'c', { spec }), { annotations }),
    'persistentvolumeclaims',
  );
const ingressOf = (spec: JsonObject, annotations?: Record<string, string>): AdmissionAttributes =>
  creating(withMetadata(object('networking.k8s.io/v1', 'Ingress', 'i', { spec }), { annotations }), 'ingresses');
const field = 'storageClassName';
const ingressField = 'ingressClassName';

// Source: kubernetes plugin/pkg/admission/storage/storageclass/setdefault/admission_test.go,
// plugin/pkg/admission/network/defaultingressclass/admission_test.go and the recorded conversation
// plugins-default-storage-class
const facts: readonly [
  fact: string,
  plugin: SyncPlugin,
  cluster: typeof none,
  request: AdmissionAttributes,
  spec: unknown,
][] = [
  ['a claim gets no class where none is the default', defaultStorageClass, none, claim({}), {}],
  ['a claim gets the newest default class', defaultStorageClass, several, claim({}), { [field]: 'a' }],
  ['a claim keeps the class it names', defaultStorageClass, several, claim({ [field]: 'x' }), { [field]: 'x' }],
  ['even the empty one', defaultStorageClass, several, claim({ [field]: '' }), { [field]: '' }],
  [
    'also when it names it in the old way',
    defaultStorageClass,
    several,
    claim({}, { 'volume.beta.kubernetes.io/storage-class': 'x' }),
    {},
  ],
  ['an Ingress gets the newest default class', defaultIngressClass, several, ingressOf({}), { [ingressField]: 'a' }],
  [
    'an Ingress keeps the class it names',
    defaultIngressClass,
    several,
    ingressOf({ [ingressField]: 'x' }),
    { [ingressField]: 'x' },
  ],
  [
    'also when it is annotated with it',
    defaultIngressClass,
    several,
    ingressOf({}, { 'kubernetes.io/ingress.class': 'x' }),
    {},
  ],
];
test.each(facts)('%s', (_fact, ...[plugin, cluster, request, spec]) => {
  expect(outcomeOf(plugin, 'mutate', { request, cluster, path: ['spec'] })).toEqual(spec);
});
