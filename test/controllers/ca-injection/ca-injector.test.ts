import { afterEach, expect, test } from 'vitest';
import { asString, type JsonObject, valueAt } from '../../../src/machinery/json/json.ts';
import { caInjector } from '../../../src/controllers/ca-injection/ca-injector.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { makeNamespace } from '../controller-cases.ts';

const open: Cluster[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((cluster) => cluster.close()));
});

/** A cluster with a namespace; certificates are the names that they are for. */
async function start(): Promise<Cluster> {
  const issue = caInjector(async (names) => ({ certificate: `for ${names.join(' ')}`, key: 'a key' }));
  const cluster = await startCluster(['*'], undefined, [issue]);
  open.push(cluster);
  await makeNamespace(cluster, 'shop');
  return cluster;
}

const registration = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const secrets = '/api/v1/namespaces/shop/secrets';
const hook = (clientConfig: JsonObject): JsonObject => ({
  name: 'a.example.com',
  clientConfig: { service: { namespace: 'shop', name: 'hook' }, ...clientConfig },
  rules: [{ apiGroups: ['x.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
});
const gate = (annotations: JsonObject, clientConfig: JsonObject = {}): JsonObject => ({
  metadata: { name: 'gate', annotations },
  webhooks: [hook(clientConfig), { ...hook(clientConfig), name: 'b.example.com' }],
});

const pem = (text: string): string => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
/** What the harness gives the server for its CA. */
const rootCa = 'the CA';

async function bundlesOf(cluster: Cluster): Promise<readonly string[]> {
  await cluster.settle();
  const found = await cluster.find(`${registration}/gate`);
  const webhooks = (found?.['webhooks'] ?? []) as readonly JsonObject[];
  return webhooks.map((one) => atob(asString(valueAt(one, 'clientConfig', 'caBundle'))));
}

const secret = (data: Readonly<Record<string, string>>): JsonObject => ({
  metadata: { name: 'ca' },
  data: Object.fromEntries(Object.entries(data).map(([name, text]) => [name, btoa(text)])),
});

// cert-manager pkg/controller/cainjector: the annotations, and which field of the Secret counts.
test('the CA of an existing Secret is injected, and the Secret does not change', async () => {
  const cluster = await start();
  await cluster.send('POST', secrets, secret({ 'ca.crt': pem('QUJD'), 'tls.crt': 'other' }));
  await cluster.send('POST', registration, gate({ 'cert-manager.io/inject-ca-from-secret': 'shop/ca' }));
  expect(await bundlesOf(cluster)).toEqual([pem('QUJD'), pem('QUJD')]);
  expect(await cluster.names(secrets)).toEqual(['ca']);
});

test('a Secret that changes is injected anew', async () => {
  const cluster = await start();
  await cluster.send('POST', secrets, secret({ 'ca.crt': pem('QUJD') }));
  await cluster.send('POST', registration, gate({ 'cert-manager.io/inject-ca-from-secret': 'shop/ca' }));
  await cluster.settle();
  const changed = { data: { 'ca.crt': btoa(pem('REVG')) } };
  await cluster.send('PATCH', `${secrets}/ca`, changed, 'application/merge-patch+json');
  expect(await bundlesOf(cluster)).toEqual([pem('REVG'), pem('REVG')]);
});

test('the Secret of a Certificate without an issuer is created for the called Services', async () => {
  const cluster = await start();
  // Not a certificate, so that the API would refuse it as a caBundle: what it is for is looked at in the Secret.
  await cluster.send('POST', registration, gate({ 'cert-manager.io/inject-ca-from': 'shop/serving' }));
  await cluster.settle();
  const made = await cluster.find(`${secrets}/serving`);
  expect(made).toMatchObject({
    type: 'kubernetes.io/tls',
    metadata: { annotations: { 'cert-manager.io/certificate-name': 'serving' } },
    data: { 'ca.crt': btoa(rootCa), 'tls.crt': btoa('for hook.shop.svc hook.shop.svc.cluster.local hook.shop') },
  });
});

test('a Service of OpenShift gets the Secret that it names; a ConfigMap the bundle', async () => {
  const cluster = await start();
  const annotations = { 'service.beta.openshift.io/serving-cert-secret-name': 'tls' };
  const spec = { ports: [{ port: 443 }] };
  await cluster.send('POST', '/api/v1/namespaces/shop/services', { metadata: { name: 'api', annotations }, spec });
  const inject = { 'service.beta.openshift.io/inject-cabundle': 'true' };
  await cluster.send('POST', '/api/v1/namespaces/shop/configmaps', { metadata: { name: 'ca', annotations: inject } });
  await cluster.settle();
  expect((await cluster.find(`${secrets}/tls`))?.['data']).toMatchObject({
    'tls.crt': btoa('for api.shop.svc api.shop.svc.cluster.local api.shop'),
  });
  expect((await cluster.find('/api/v1/namespaces/shop/configmaps/ca'))?.['data']).toEqual({ 'service-ca.crt': rootCa });
});

test.each([
  ['one without annotations', {}],
  ['one whose annotation is no place', { 'cert-manager.io/inject-ca-from': 'serving' }],
  ['one that does not want it', { 'cert-manager.io/inject-apiserver-ca': 'false' }],
])('%s is left alone', async (_fact, annotations) => {
  const cluster = await start();
  await cluster.send('POST', registration, gate(annotations));
  expect(await bundlesOf(cluster)).toEqual(['', '']);
  expect(await cluster.names(secrets)).toEqual([]);
});
