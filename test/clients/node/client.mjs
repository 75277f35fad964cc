// The official Node client against a running kadmit, whose kubeconfig is in KUBECONFIG: node client.mjs client-1
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const k8s = await import(process.argv[2]);
const config = new k8s.KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(k8s.CoreV1Api);
const namespace = `node-${process.argv[2]}`;

/** The code and the message of a refusal. */
const refused = async (call, code, says) => {
  const error = await call().then(
    () => assert.fail('it was not refused'),
    (thrown) => thrown,
  );
  const body = typeof error.body === 'string' ? JSON.parse(error.body) : error.body;
  assert.deepEqual([error.code, body.message.includes(says)], [code, true], body.message);
};

const until = async (what, holds) => {
  for (const end = Date.now() + 20_000; !(await holds()); await sleep(20))
    assert(Date.now() < end, `not within 20 s: ${what}`);
};

const configMap = (name) => ({ metadata: { name, labels: { set: 'node' } }, data: { a: '1' } });

async function objects() {
  const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: 'set=node' });
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const informer = k8s.makeInformer(config, path, list, 'set=node');
  const seen = [];
  for (const verb of ['add', 'update', 'delete'])
    informer.on(verb, ({ metadata }) => seen.push(`${verb} ${metadata.name}`));
  await informer.start();
  for (const name of ['one', 'two', 'three'])
    await core.createNamespacedConfigMap({ namespace, body: configMap(name) });
  await refused(() => core.createNamespacedConfigMap({ namespace, body: configMap('one') }), 409, 'already exists');
  const page = await core.listNamespacedConfigMap({ namespace, labelSelector: 'set=node', limit: 2 });
  assert.deepEqual([page.items.length, page.metadata.remainingItemCount], [2, undefined]);
  const stale = await core.readNamespacedConfigMap({ namespace, name: 'one' });
  const changed = { ...stale, data: { a: '2' } };
  await core.replaceNamespacedConfigMap({ namespace, name: 'one', body: changed });
  const replace = () => core.replaceNamespacedConfigMap({ namespace, name: 'one', body: stale });
  await refused(replace, 409, 'the object has been modified');
  const generic = k8s.KubernetesObjectApi.makeApiClient(config);
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'one' }, data: { a: '3' } };
  const apply = () =>
    generic.patch(applied, undefined, undefined, 'second', undefined, k8s.PatchStrategy.ServerSideApply);
  await refused(apply, 409, 'conflict with ');
  await core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector: 'set=node' });
  await until('all events came', () => seen.length === 7);
  assert.deepEqual(
    seen.toSorted((a, b) => (a < b ? -1 : 1)),
    ['add one', 'add three', 'add two', 'delete one', 'delete three', 'delete two', 'update one'],
  );
  await informer.stop();
}

async function customObjects() {
  const group = `${process.argv[2]}.example.com`;
  const spec = { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const names = { plural: 'gulls', singular: 'gull', kind: 'Gull' };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  const definition = { metadata: { name: `gulls.${group}` }, spec: { group, scope: 'Namespaced', names, versions } };
  await config.makeApiClient(k8s.ApiextensionsV1Api).createCustomResourceDefinition({ body: definition });
  const gulls = config.makeApiClient(k8s.CustomObjectsApi);
  const where = { group, version: 'v1', namespace, plural: 'gulls' };
  const gull = (name, size) => ({ apiVersion: `${group}/v1`, kind: 'Gull', metadata: { name }, spec: { size } });
  await until('they are served', () =>
    gulls.listNamespacedCustomObject(where).then(
      () => true,
      () => false,
    ),
  );
  await gulls.createNamespacedCustomObject({ ...where, body: gull('one', 2) });
  const tooSmall = () => gulls.createNamespacedCustomObject({ ...where, body: gull('two', 0) });
  await refused(tooSmall, 422, 'spec.size in body should be greater than or equal to 1');
}

async function webhook() {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-node-'));
  const [cert, key] = ['tls.crt', 'tls.key'].map((name) => join(folder, name));
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert, ...names], { stdio: 'ignore' });
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) });
  server.on('request', (request, response) => void answer(request, response));
  const answer = async (request, response) => {
    const chunks = await request.toArray();
    const review = JSON.parse(Buffer.concat(chunks).toString());
    const { uid, object } = review.request;
    const status = { code: 403, message: `no secret is called ${object.metadata.name}` };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...review, response: { uid, allowed: object.metadata.name === 'fine', status } }));
  };
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const name = `secrets.${process.argv[2]}.example.com`;
  const clientConfig = {
    url: `https://127.0.0.1:${server.address().port}/`,
    caBundle: readFileSync(cert).toString('base64'),
  };
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE'] }];
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const hook = { name, clientConfig, rules, namespaceSelector, admissionReviewVersions: ['v1'], sideEffects: 'None' };
  const configurations = config.makeApiClient(k8s.AdmissionregistrationV1Api);
  await configurations.createValidatingWebhookConfiguration({ body: { metadata: { name }, webhooks: [hook] } });
  await core.createNamespacedSecret({ namespace, body: { metadata: { name: 'fine' } } });
  const foul = () => core.createNamespacedSecret({ namespace, body: { metadata: { name: 'foul' } } });
  await refused(foul, 403, `admission webhook "${name}" denied the request: no secret is called foul`);
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
}

await core.createNamespace({ body: { metadata: { name: namespace } } });
await objects();
await customObjects();
await webhook();
process.stdout.write('all is well\n');
process.exit(0);
