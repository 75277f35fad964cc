import { expect, test } from 'vitest';
import { withMetadata, asKubernetesObject, type KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { accepted, create, decoded, update, begun, type Manifest } from './write.ts';
import { asList, asObject, valueAt, type JsonValue } from '../../../src/machinery/json/json.ts';
import { dropTopologyOnV1 } from '../../../src/api/strategy/simple-rules.ts';
import recorded from '../../facts/strategy/between.json' with { type: 'json' };

const podSpec = { containers: [{ name: 'c', image: 'nginx:1.23' }] };
const deployment = (spec: Manifest, metadata: Manifest = {}): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', ...metadata },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: podSpec },
    ...spec,
  },
});
const pod = (spec: Manifest): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { ...podSpec, ...spec },
});
const configMap = (fields: Manifest, metadata: Manifest = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'one', ...metadata },
  ...fields,
});

const stored = (manifest: Manifest): KubernetesObject =>
  withMetadata(accepted(create(decoded(manifest))), { resourceVersion: '7' });
const sent = (manifest: Manifest): KubernetesObject => withMetadata(decoded(manifest), { resourceVersion: '7' });

const podFields =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** The texts were recorded from kube-apiserver v1.36.2 (crud-deployment-selector-immutable and its like). */
test.each<readonly [string, Manifest, Manifest, string]>([
  [
    'a pod keeps its command',
    pod({}),
    pod({ containers: [{ name: 'c', image: 'nginx:1.23', command: ['x'] }] }),
    `Pod "p" is invalid: spec: Forbidden: pod updates may not change fields other than ${podFields}
@@ -5,7 +5,9 @@
   {
    "Name": "c",
    "Image": "nginx:1.23",
-   "Command": null,
+   "Command": [
+    "x"
+   ],
    "Args": null,
    "WorkingDir": "",
    "Ports": null,
`,
  ],
  [
    'a pod keeps its nodeSelector',
    pod({}),
    pod({ nodeSelector: { a: 'b' } }),
    `Pod "p" is invalid: spec: Forbidden: pod updates may not change fields other than ${podFields}
@@ -39,7 +39,9 @@
  "TerminationGracePeriodSeconds": 30,
  "ActiveDeadlineSeconds": null,
  "DNSPolicy": "ClusterFirst",
- "NodeSelector": null,
+ "NodeSelector": {
+  "a": "b"
+ },
  "ServiceAccountName": "",
  "AutomountServiceAccountToken": null,
  "NodeName": "",
`,
  ],
])('%s', (_sentence, before, after, message) => {
  expect(update(sent(after), stored(before))).toBe(message);
});

/** Spec/kubectl.md section 13.1 and the recording crud-generation. */
test.each<readonly [string, Manifest, Manifest, number | undefined]>([
  ['labels make no new generation', deployment({}), deployment({}, { labels: { x: 'y' } }), 1],
  ['annotations of a deployment do', deployment({}), deployment({}, { annotations: { x: 'y' } }), 2],
  ['a changed spec does', deployment({}), deployment({ replicas: 2 }), 2],
  ['a changed image does', pod({}), pod({ containers: [{ name: 'c', image: 'nginx:2' }] }), 2],
  ['a ConfigMap has none', configMap({}), configMap({ data: { a: 'b' } }), undefined],
])('generation: %s', (_sentence, before, after, generation) => {
  expect(accepted(update(sent(after), stored(before))).metadata?.generation).toBe(generation);
});

test('generation: a status makes no new one, and leaves the spec alone', () => {
  const before = stored(deployment({}));
  const after = accepted(update(sent(deployment({ replicas: 2 })), before, 'status'));
  expect(after.metadata?.generation).toBe(1);
  expect(after['spec']).toEqual(before['spec']);
});

const slice = (...endpoints: readonly object[]): KubernetesObject =>
  JSON.parse(JSON.stringify({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', endpoints }));
const old = { addresses: ['1.2.3.4'], deprecatedTopology: { zone: 'z' } };

// Source: kubernetes pkg/registry/discovery/endpointslice/strategy.go dropTopologyOnV1, and a real kube-apiserver 1.36.2.
test.each<readonly [fact: string, sent: KubernetesObject, before: KubernetesObject | undefined, kept: boolean]>([
  ['a new slice loses it', slice(old), undefined, false],
  ['other endpoints lose it', slice({ ...old, addresses: ['1.2.3.5'] }), slice(old), false],
  ['endpoints that stay keep it', slice(old), slice(old), true],
])('deprecatedTopology: %s', (_fact, sent, before, kept) => {
  const prepared = dropTopologyOnV1(sent, before);
  const first = prepared.ok ? asObject(asList(valueAt(prepared.value, 'endpoints'))[0]) : {};
  expect('deprecatedTopology' in first).toBe(kept);
});

// Source: kubernetes pkg/registry/core/limitrange/strategy.go PrepareForCreate: of all kinds only this one is given a name.
test.each<readonly [kind: string, name: string | undefined, stored: string]>([
  ['LimitRange', undefined, '1b4e28ba-2fa1-41d2-883f-0016d3cca427'],
  ['LimitRange', 'mine', 'mine'],
])('a %s called %s is stored as %s', (kind, name, stored) => {
  const object = decoded({
    apiVersion: 'v1',
    kind,
    metadata: { namespace: 'default', ...(name && { name }) },
    spec: { limits: [] },
  });
  expect(create(object)).toMatchObject({ metadata: { name: stored } });
});

test('a ResourceQuota without a name is refused', () => {
  const object = decoded({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace: 'default' } });
  expect(create(object)).toContain('name or generateName is required');
});

/**
 * What a kube-apiserver v1.36.2 changed between mutating and validating webhooks. Each row of the recording says
 * `+path=value`, `-path=value` or `~path: old→new`; values that differ from run to run count as `<any>`.
 */
test.each(recorded.map((row) => [row.case, row] as const))('%s', async (_name, { object, between }) => {
  const sent = asKubernetesObject(withNamespace(object));
  if (!sent) throw new Error('the recording is broken');
  const generated = withMetadata(sent, { name: sent.metadata?.name ?? generatedName(between) });
  const result = accepted(create(await begun(generated)));
  expect(changes(sent, result).toSorted()).toEqual(between.map(anyFor).filter(isComparable).toSorted());
});

const withNamespace = (object: unknown): JsonValue =>
  JSON.parse(JSON.stringify(object).replaceAll('"NS"', '"ns"').replaceAll('<rand5>', 'abcde'));

const generatedName = (rows: readonly string[]): string =>
  rows.find((row) => row.startsWith('+metadata.name='))?.slice('+metadata.name="'.length, -1) ?? '';

/** An empty object is a leaf here; the recording has it only where nothing took its place. */
const isComparable = (row: string): boolean => !row.endsWith('={}');

const varying = /(clusterIPs?(\[0\])?|[nN]odePort|uid|Timestamp|Time)$/;

function anyFor(row: string): string {
  const [, sign = '', path = ''] = /^([+~-])(.*?)(=|: )/.exec(row) ?? [];
  const isVarying = varying.test(path) || row.includes('<uid>');
  const isNone = row.includes('"None"');
  return isVarying && !isNone ? `${sign}${path}` : row;
}

function changes(before: JsonValue, after: JsonValue): readonly string[] {
  const old = new Map(leaves('', before));
  const now = new Map(leaves('', after));
  const rows = [...new Set([...old.keys(), ...now.keys()])].flatMap((path) => {
    const [a, b] = [old.get(path), now.get(path)];
    if (a === b) return [];
    if (a === undefined) return [`+${path}=${b}`];
    return [b === undefined ? `-${path}=${a}` : `~${path}: ${a}→${b}`];
  });
  return rows
    .map((row) => row.replaceAll('the-uid', '<uid>'))
    .map(anyFor)
    .filter(isComparable);
}

function leaves(path: string, value: JsonValue | undefined): readonly (readonly [string, string])[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => leaves(`${path}[${index}]`, item));
  }
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item]) => leaves(path === '' ? key : `${path}.${key}`, item));
  }
  return [[path, JSON.stringify(value)]];
}
