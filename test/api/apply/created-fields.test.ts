import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { parseApiVersion } from '../../../src/machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { compare } from '../../../src/api/apply/compare.ts';
import { createdFields } from '../../../src/api/apply/update-managers.ts';
import { sorted } from '../../../src/api/apply/element-order.ts';
import { createFieldKinds } from '../../../src/api/apply/field-kinds.ts';
import { leaf, recursiveDifference } from '../../../src/api/apply/field-set.ts';
import { withoutMeta } from '../../../src/api/apply/unowned-fields.ts';
import { currentRelease } from '../../../src/api/release/current-release.ts';

const { codec } = currentRelease;
const kinds = createFieldKinds(codec, () => undefined);

/** The object as it is when its managers are told. */
function arrived(object: KubernetesObject): KubernetesObject {
  const kind = { ...parseApiVersion(object.apiVersion), kind: object.kind };
  const decoded = codec.decodeValue(object, kind);
  if (decoded.outcome !== 'decoded') throw new Error(decoded.error);
  return codec.applyDefaults(decoded.object);
}

/** What is owned of it, written as text and as the general comparison says. */
function bothWays(object: KubernetesObject): readonly [written: string, compared: string] {
  const after = arrived(object);
  const { type, emptyObject, reset } = kinds.find(after.apiVersion, after.kind);
  if (!type) throw new Error(`nobody knows ${after.kind}`);
  const written = createdFields({ type, before: emptyObject, after, reset: reset('') });
  const { changed = leaf } = compare(type, emptyObject, after);
  const compared = sorted(withoutMeta(recursiveDifference(changed, reset(''))));
  return [JSON.stringify(written), JSON.stringify(compared)];
}

const made = (apiVersion: string, kind: string, fields: JsonObject): KubernetesObject => ({
  kind,
  apiVersion,
  metadata: { name: 'one', namespace: 'default' },
  ...fields,
});

/** A Pod with variables, ports, probes and amounts. */
const pod = (name: string): KubernetesObject =>
  made('v1', 'Pod', {
    metadata: { name, namespace: 'default', labels: { tier: 'front', app: 'shop' } },
    spec: {
      containers: ['shop', 'proxy'].map((container, at) => ({
        name: container,
        image: `registry.example.com/${container}`,
        args: ['--verbose'],
        ports: [{ name: 'http', containerPort: 8080 + at }],
        env: ['B', 'A', 'C'].map((variable) => ({ name: variable, value: container })),
        resources: { requests: { memory: '1Gi', cpu: '100m' } },
        readinessProbe: { httpGet: { path: '/', port: 'http' } },
      })),
    },
  });

const service = (...ports: readonly JsonObject[]): KubernetesObject => made('v1', 'Service', { spec: { ports } });

const objects: readonly [what: string, object: KubernetesObject][] = [
  ['a Pod of three containers', pod('p')],
  ['a Pod that says nothing', made('v1', 'Pod', { spec: { containers: [] } })],
  ['a Pod with a status, which is reset', made('v1', 'Pod', { spec: {}, status: { phase: 'Running' } })],
  [
    'containers of one name, which are a leaf together',
    made('v1', 'Pod', { spec: { containers: [{ name: 'a', image: 'x' }, { name: 'a' }, { name: 'b' }] } }),
  ],
  ['an object with its name alone', made('v1', 'ConfigMap', {})],
  [
    'keys that JSON escapes, and names of objects',
    made('v1', 'ConfigMap', { data: { 'a"b': '1', '\u2028': '2', ['__proto__']: '3', constructor: '4', Ä: '5' } }),
  ],
  ['an empty map and an empty list', made('v1', 'ConfigMap', { data: {}, metadata: { name: 'a', finalizers: [] } })],
  [
    'a set, labels and owners',
    made('v1', 'ConfigMap', {
      metadata: {
        name: 'a',
        labels: { b: '', a: '' },
        finalizers: ['x/b', 'x/a'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }],
      },
    }),
  ],
  [
    'ports with two keys, one of them a number',
    service({ port: 443, name: 'b' }, { port: 80, name: 'a' }, { port: 9 }),
  ],
  [
    'a Deployment, whose struct holds structs that are always printed',
    made('apps/v1', 'Deployment', {
      spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: {} } },
    }),
  ],
  [
    'webhooks',
    made('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', { webhooks: [{ name: 'a' }] }),
  ],
  [
    'webhooks that are none',
    made('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', { webhooks: [] }),
  ],
  ['a RawExtension', made('apps/v1', 'ControllerRevision', { data: { a: { b: [1] } }, revision: 0 })],
  ['a list that is printed when it is null', made('rbac.authorization.k8s.io/v1', 'Role', { rules: [] })],
];

test.each(objects)('%s is owned as the comparison with nothing says', (_what, object) => {
  const [written, compared] = bothWays(object);
  expect(written).toBe(compared);
  expect(bothWays(object)[0]).toBe(compared); // The second time the set is known.
});

test('equal ones share a set, those of which another endpoint resets more do not', () => {
  const after = arrived(pod('p'));
  const { type, emptyObject: before, reset } = kinds.find('v1', 'Pod');
  if (!type) throw new Error('no Pods');
  const owned = (what: string): unknown => createdFields({ type, before, after, reset: reset(what) });
  expect(owned('')).toBe(createdFields({ type, before, after: arrived(pod('q')), reset: reset('') }));
  expect(JSON.stringify(owned('status'))).not.toContain('f:spec');
  expect(JSON.stringify(owned(''))).toContain('f:spec');
});
