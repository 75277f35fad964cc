import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { httpReply, reviewBody } from '../harness/admission.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder();
let folders = 0;

/** A fresh folder with these files. */
function write(files: Readonly<Record<string, string>>): string {
  folders += 1;
  const root = join(folder, String(folders));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const configMap = (name: string, value = 'x', namespace = 'default'): string =>
  `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ${namespace}}, data: {key: ${value}}}\n`;
const team = '{apiVersion: v1, kind: Namespace, metadata: {name: team}}\n';
const pod =
  '{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: team}, spec: {containers: [{name: c, image: i}]}}\n';

const created = (cluster: Cluster): readonly string[] =>
  cluster
    .writes()
    .filter((line) => line.startsWith('kubernetes-admin'))
    .map((line) => line.split(' ').slice(1).join(' '));
const maps = '/api/v1/namespaces/default/configmaps';

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['an object is created', { 'a.yaml': configMap('a') }, [`POST ${maps} 201`]],
  [
    'a folder is walked in order of its names, manifests only',
    { 'b.yml': configMap('b'), 'c/a.json': configMap('c'), 'a.yaml': configMap('a'), 'readme.txt': 'hello' },
    [`POST ${maps} 201`, `POST ${maps} 201`, `POST ${maps} 201`],
  ],
  [
    'a pod finds the namespace that stands after it, and its ServiceAccount',
    { 'a.yaml': `${pod}---\n${team}` },
    ['POST /api/v1/namespaces 201', 'POST /api/v1/namespaces/team/pods 201'],
  ],
  [
    'what is there is replaced',
    { 'a.yaml': configMap('a', 'x'), 'b.yaml': configMap('a', 'z') },
    [`POST ${maps} 201`, `PUT ${maps}/a 200`],
  ],
  [
    'what kubectl get -o yaml printed comes without what its server wrote, and without owners that are not here',
    {
      'a.yaml': `apiVersion: v1
kind: List
metadata: {resourceVersion: ""}
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: a
    namespace: default
    uid: 9a9b1c1e-0000-4000-8000-000000000000
    resourceVersion: "4711"
    generation: 3
    creationTimestamp: "2020-01-01T00:00:00Z"
    selfLink: /api/v1/namespaces/default/configmaps/a
    managedFields: [{manager: kubectl, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {}}]
    ownerReferences: [{apiVersion: v1, kind: Pod, name: gone, uid: 8a9b1c1e-0000-4000-8000-000000000000}]
  data: {key: x}
`,
      'b.yaml': configMap('a', 'z').replace('metadata: {', 'metadata: {uid: u, resourceVersion: "1", '),
    },
    [`POST ${maps} 201`, `PUT ${maps}/a 200`],
  ],
  [
    'without a namespace it goes to default',
    { 'a.yaml': '{apiVersion: v1, kind: ConfigMap, metadata: {generateName: a-}}' },
    [`POST ${maps} 201`],
  ],
])('%s', async (_sentence, files, writes) => {
  const cluster = await startCluster();
  expect(await cluster.load(write(files))).toBe('');
  expect(created(cluster)).toEqual(writes);
  await cluster.close();
});

test('of two files the second has the last word', async () => {
  const cluster = await startCluster();
  await cluster.load(write({ 'a.yaml': configMap('a', 'x'), 'b.yaml': configMap('a', 'z') }));
  expect((await cluster.find(`${maps}/a`))?.['data']).toEqual({ key: 'z' });
  await cluster.close();
});

test.each<[string, string, string]>([
  [
    'an object that is refused',
    configMap('A'),
    ', document 1: ConfigMap "A" is invalid: metadata.name: Invalid value: "A": ',
  ],
  [
    'a field that does not exist',
    '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, dta: {}}',
    'unknown field "dta"',
  ],
  [
    'a kind that is not served',
    `${team}---\n{apiVersion: x/v1, kind: Why}`,
    ', document 2: no matches for kind "Why" in version "x/v1"',
  ],
  [
    'a kind of a version that is gone',
    '{apiVersion: batch/v1beta1, kind: CronJob, metadata: {name: a}}',
    ', document 1: batch/v1beta1 CronJob is gone since Kubernetes 1.25: write apiVersion: batch/v1',
  ],
  ['a namespace that is not there', configMap('a', 'x', 'nowhere'), ', document 1: namespaces "nowhere" not found'],
])('%s is an error that says where', async (_sentence, text, error) => {
  const cluster = await startCluster();
  const path = join(write({ 'bad.yaml': text }), 'bad.yaml');
  const problem = await cluster.load(path);
  expect(problem.startsWith(path)).toBe(true);
  expect(problem).toContain(error);
  await cluster.close();
});

test('a webhook that refuses with Conflict each time does not keep it for ever', async () => {
  let calls = 0;
  const cluster = await startCluster(['*'], async ({ body }) => {
    calls += 1;
    if (calls > 100) throw new Error('called again and again');
    const { request } = JSON.parse(body);
    const status = { code: 409, reason: 'Conflict', message: 'never' };
    return httpReply(reviewBody('admission.k8s.io/v1', request.uid, { allowed: false, status }));
  });
  const rules = "[{operations: ['*'], apiGroups: [''], apiVersions: [v1], resources: [configmaps]}]";
  const hook = `{name: never.example.com, rules: ${rules}, clientConfig: {url: 'https://x'}, sideEffects: None, admissionReviewVersions: [v1]}`;
  const hooks = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: hooks}, webhooks: [${hook}]}\n`;
  const root = write({ 'a.yaml': hooks, 'b.yaml': configMap('a') });
  expect(await cluster.load(join(root, 'a.yaml'))).toBe('');
  expect(await cluster.load(join(root, 'b.yaml'))).toContain('denied the request: never');
  expect(calls).toBe(20);
  await cluster.close();
});

test('a path that is not there is an error', async () => {
  const cluster = await startCluster();
  expect(await cluster.load(join(folder, 'none'))).toContain('no such file or directory');
  await cluster.close();
});
