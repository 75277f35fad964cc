import { expect, test } from 'vitest';
import { withMetadata } from '../../../src/machinery/meta/object.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { accepted, create, decoded, update } from './write.ts';
import type { Manifest } from './write.ts';

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
const secret = (type: string): Manifest => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type });

const stored = (manifest: Manifest): KubernetesObject =>
  withMetadata(accepted(create(decoded(manifest))), { resourceVersion: '7' });
const sent = (manifest: Manifest): KubernetesObject => withMetadata(decoded(manifest), { resourceVersion: '7' });

const podFields =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** The texts were recorded from kube-apiserver v1.36.2 (crud-deployment-selector-immutable and its like). */
test.each<readonly [string, Manifest, Manifest, string]>([
  [
    'a deployment keeps its selector, and the template must match the new one',
    deployment({}),
    deployment({ selector: { matchLabels: { a: 'c' } } }),
    'Deployment.apps "d" is invalid: [spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`, spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable]',
  ],
  [
    'a Recreate deployment has no rollingUpdate',
    deployment({}),
    deployment({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    'Deployment.apps "d" is invalid: spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is \'Recreate\'',
  ],
  [
    'an immutable ConfigMap keeps its data',
    configMap({ immutable: true, data: { k: 'v' } }),
    configMap({ immutable: true, data: { k: 'w' } }),
    'ConfigMap "one" is invalid: data: Forbidden: field is immutable when `immutable` is set',
  ],
  [
    'an immutable ConfigMap stays immutable',
    configMap({ immutable: true, data: { k: 'v' } }),
    configMap({ data: { k: 'v' } }),
    'ConfigMap "one" is invalid: immutable: Forbidden: field is immutable when `immutable` is set',
  ],
  [
    'a Secret keeps its type',
    secret('Opaque'),
    secret('other'),
    'Secret "s" is invalid: type: Invalid value: "other": field is immutable',
  ],
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
  [
    'a uid cannot be chosen',
    configMap({}),
    configMap({}, { uid: 'nope' }),
    'ConfigMap "one" is invalid: metadata.uid: Invalid value: "nope": field is immutable',
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
