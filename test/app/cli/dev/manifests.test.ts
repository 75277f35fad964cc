import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  commandToTry,
  isLocalOrigin,
  listOrigins,
  readDevManifests,
  listServices,
  withServiceCa,
} from '../../../../src/app/cli/dev/manifests.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';

const folder = mkdtempSync(join(tmpdir(), 'kadmit-dev-manifests-'));
afterAll(() => rmSync(folder, { recursive: true }));

const place = { file: 'a.yaml', line: 1, column: 1 };
const manifests = (...objects: readonly JsonObject[]) => objects.map((object) => ({ object, place }));

const service = { namespace: 'shop', name: 'hooks' };
const configuration = (...clientConfigs: readonly JsonObject[]): JsonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  webhooks: clientConfigs.map((clientConfig) => ({ name: 'a', clientConfig })),
});
const definition = (clientConfig: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  spec: { group: 'x.io', conversion: { strategy: 'Webhook', webhook: { clientConfig } } },
});
const apiService: JsonObject = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', spec: { service } };

test.each<readonly [fact: string, objects: readonly JsonObject[], services: readonly string[]]>([
  ['of webhooks, each once', [configuration({ service }, { service: { ...service, path: '/b' } })], ['shop/hooks']],
  ['of a converter', [definition({ service })], ['shop/hooks']],
  ['none of a webhook with a url', [configuration({ url: 'https://a.example.com' })], []],
  ['none of an APIService', [apiService], []],
])('Services: %s', (_fact, objects, services) => {
  expect(listServices(manifests(...objects))).toEqual(services);
});

test('the hosts of webhooks with a url, each once, with their port', () => {
  const urls = ['https://localhost:8443/a', 'https://localhost:8443/b', 'https://hooks.example.com/c', 'no url'];
  const objects = manifests(configuration(...urls.map((url) => ({ url })), { service }));
  expect(listOrigins(objects)).toEqual(['https://localhost:8443', 'https://hooks.example.com']);
});

test.each([
  ['https://localhost:8443', true],
  ['https://127.0.0.1', true],
  ['https://127.1.2.3:9443', true],
  ['https://[::1]:8443', true],
  ['https://host.docker.internal:8443', true],
  ['https://hooks.example.com', false],
  ['https://10.0.0.1', false],
  ['https://localhost.example.com', false],
])('%s is routed to the command: %s', (origin, expected) => {
  expect(isLocalOrigin(origin)).toBe(expected);
});

const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
const [bundle, placeholder] = [Buffer.from(pem).toString('base64'), 'Cg=='];

test.each<readonly [fact: string, caPem: string, before: JsonObject, after: JsonObject]>([
  ['is filled in', pem, { service }, { service, caBundle: bundle }],
  ['replaces a placeholder', pem, { service, caBundle: placeholder }, { service, caBundle: bundle }],
  ['without a CA: a placeholder goes', '', { service, caBundle: placeholder }, { service }],
  ['without a CA: a certificate stays', '', { service, caBundle: bundle }, { service, caBundle: bundle }],
  [
    'of a webhook with a local url is filled in',
    pem,
    { url: 'https://localhost:8443/a' },
    { url: 'https://localhost:8443/a', caBundle: bundle },
  ],
  [
    'of a webhook with a url stays',
    pem,
    { url: 'https://a.b', caBundle: 'Cg==' },
    { url: 'https://a.b', caBundle: 'Cg==' },
  ],
])('caBundle %s', (_fact, caPem, before, after) => {
  expect(withServiceCa(configuration(before), caPem)).toEqual(configuration(after));
  expect(withServiceCa(definition(before), caPem)).toEqual(definition(after));
});

test.each<readonly [resources: readonly string[], command: string]>([
  [['pods'], 'kubectl run web --image=nginx'],
  [['*'], 'kubectl run web --image=nginx'],
  [['deployments'], 'kubectl apply -f your-deployments.yaml'],
  [['deployments/scale'], 'kubectl apply -f your-deployments-scale.yaml'],
  [[], 'kubectl run web --image=nginx'],
])('a webhook for %j: %s', (resources, command) => {
  expect(commandToTry(manifests({ webhooks: [{ name: 'a', rules: [{ resources }] }] }))).toBe(command);
});

test('manifests are read in loading order, of files and folders, YAML and JSON', () => {
  writeFileSync(join(folder, 'a.yaml'), 'apiVersion: v1\nkind: ConfigMap\n---\napiVersion: v1\nkind: Namespace\n');
  writeFileSync(join(folder, 'b.json'), JSON.stringify(definition({})));
  const kinds = readDevManifests([folder]).map(({ object }) => object['kind']);
  expect(kinds).toEqual(['Namespace', 'CustomResourceDefinition', 'ConfigMap']);
});

test.each<readonly [fact: string, text: string, line: string]>([
  ['no kind', 'apiVersion: v1\n---\na: 1\n', ':3:1: apiVersion is missing'],
  ['no YAML', 'apiVersion: v1\nkind: [a\n', ':3:1: Flow sequence'],
])('a bad manifest is named with its line: %s', (_fact, text, line) => {
  const file = join(folder, 'bad.yaml');
  writeFileSync(file, text);
  expect(() => readDevManifests([file])).toThrow(`${file}${line}`);
  rmSync(file);
});

test('a missing file is named', () => {
  expect(() => readDevManifests(['nowhere.yaml'])).toThrow('-f nowhere.yaml: there is no such file or folder');
});
