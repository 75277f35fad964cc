import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asList, asObject, asString } from '../../src/machinery/json/json.ts';
import { tools } from '../../src/app/cli/mcp/mcp-server.ts';

// Every tool of one `kadmit mcp` gets what is wrong for it; the server answers the next call all the same.
const client = new Client({ name: 'test', version: '1' });

beforeAll(() =>
  client.connect(
    new StdioClientTransport({ command: process.execPath, args: ['dist/main.js', 'mcp'], stderr: 'ignore' }),
  ),
);
afterAll(() => client.close());

type Arguments = Readonly<Record<string, unknown>>;

async function call(name: string, args: Arguments): Promise<{ readonly isError: boolean; readonly text: string }> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = asList(JSON.parse(JSON.stringify(content)));
  return { isError: isError === true, text: asString(asObject(first)['text']) };
}

/** The text of an error result; the server still answers. */
async function refusal(name: string, args: Arguments): Promise<string> {
  const { isError, text } = await call(name, args);
  expect(text.length).toBeLessThan(41_000);
  expect(text).not.toMatch(/kadmit-mcp-|this is a bug| at .*\.js:\d+/);
  expect((await call('cel', { expression: '1 + 1' })).text).toContain('"value": 2');
  return isError ? text : `no error: ${text}`;
}

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: web:1}]}';
const scenario = JSON.stringify({ steps: [{ name: 'a', delete: 'configmaps/a' }] });
const configuration = (name: string): string =>
  JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { url: 'https://127.0.0.1:9/' },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });

/** Arguments that are right. */
const right: Readonly<Record<string, Arguments>> = {
  apply: { manifests: pod },
  patch: { target: { apiVersion: 'v1', kind: 'Pod', name: 'web' }, patchType: 'merge', patch: {} },
  webhook_stub: { webhooks: [{ name: 'a.example.com', does: 'allow' }] },
  reset: {},
  explain: {},
  requests: {},
  chain: { resource: 'pods' },
  cel: { expression: '1' },
  lint: { manifests: pod },
  test: { scenario },
  order: { load: configuration('a'), objects: pod },
  idempotency: { load: configuration('a'), objects: pod },
  compat: { from: '1.36', to: '1.37', manifests: pod },
};

test('the rows below have every tool', () => {
  expect(Object.keys(right).toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
});

test.each(tools.map(({ name }) => name))('%s: an unknown argument', async (name) => {
  expect(await refusal(name, { ...right[name], nonsense: 1 })).toBe(`${name}: there is no argument "nonsense"`);
});

const required = tools.flatMap((tool) => tool.required.map((field) => [tool.name, field] as const));
test.each(required)('%s: %s is missing', async (name, field) => {
  const { [field]: _, ...others } = right[name] ?? {};
  expect(await refusal(name, others)).toContain(`must have required property '${field}'`);
});

/** No tool takes one of these for the other. */
const wrongValue = (schema: object): unknown => ('type' in schema && schema.type === 'string' ? { a: 1 } : 'text');
const all = tools.flatMap((tool) =>
  Object.entries(tool.properties).map(([field, schema]) => [tool.name, field, schema] as const),
);
test.each(all)('%s: %s has another type', async (name, field, schema) => {
  const text = await refusal(name, { ...right[name], [field]: wrongValue(schema) });
  expect(text).toContain(`${name}: ${field} must be `);
});

const large = 'x'.repeat(10_000_000);

/** 10 MB in place of a value of this schema; undefined for switches and numbers. */
function largeValue(field: string, schema: Schema): unknown {
  if (schema.type === 'string') return large;
  if (schema.type === 'array')
    return schema.items?.type === 'string' ? [large] : [{ name: 'a.example.com', does: large }];
  if (schema.type !== 'object') return undefined;
  return { [field === 'to' ? 'a.example.com' : 'a']: large };
}

interface Schema {
  readonly type?: unknown;
  readonly items?: { readonly type?: unknown };
}

/** Filters match nothing, and variables and files are not used. */
const harmless = new Set(
  ['namespace', 'webhook', 'user']
    .map((field) => `requests ${field}`)
    .concat(
      ['object', 'oldObject', 'request', 'namespaceObject'].map((field) => `cel ${field}`),
      'test files',
    ),
);

const large10 = all.filter(([, field, schema]) => largeValue(field, schema) !== undefined);
test.each(large10)('%s: %s of 10 MB', async (name, field, schema) => {
  const args = { ...right[name], [field]: largeValue(field, schema) };
  const isHarmless = harmless.has(`${name} ${field}`);
  expect((await refusal(name, args)).startsWith('no error: ')).toBe(isHarmless);
});

const two = `${configuration('a')}\n---\n${configuration('b')}`;

test.each<[name: string, fact: string, args: Arguments, text: string]>([
  ['apply', 'no object', { manifests: '' }, 'contains no object'],
  ['apply', 'YAML that is none', { manifests: 'a: [' }, 'manifests.yaml'],
  ['apply', 'a text', { manifests: 'pod' }, 'manifests.yaml: an object is expected'],
  ['apply', 'an object without a name', { manifests: 'apiVersion: v1\nkind: Pod' }, 'name'],
  ['apply', 'an unknown kind', { manifests: 'apiVersion: a/v1\nkind: B\nmetadata: {name: c}' }, 'no kind B in a/v1'],
  ['apply', 'an unknown namespace', { manifests: pod, namespace: 'none' }, 'namespaces "none" not found'],
  ['apply', 'an unknown field', { manifests: `${pod}\nspek: {}` }, 'unknown field'],
  ['apply', 'groups without a user', { manifests: pod, groups: ['a'] }, 'groups: give a user, too'],
  ['apply', 'a user without permission', { manifests: pod, user: 'bob' }, 'bob'],
  ['apply', 'an object to delete that is not there', { manifests: pod, operation: 'delete' }, 'not found'],
  ['patch', 'an unknown object', { ...right['patch'] }, 'not found'],
  [
    'patch',
    'an unknown kind',
    { ...right['patch'], target: { apiVersion: 'a/v1', kind: 'B', name: 'c' } },
    'no kind B',
  ],
  [
    'patch',
    'an empty name',
    { ...right['patch'], target: { apiVersion: 'v1', kind: 'Pod', name: '' } },
    'target.name must',
  ],
  ['patch', 'a patch of another type', { ...right['patch'], patchType: 'json' }, 'refused'],
  ['webhook_stub', 'no webhook', { webhooks: [] }, 'must NOT have fewer than 1 items'],
  ['webhook_stub', 'no name', { webhooks: [{ does: 'allow' }] }, 'name'],
  ['webhook_stub', 'an unknown behaviour', { webhooks: [{ name: 'a.b.c', does: 'alow' }] }, 'did you mean "allow"?'],
  ['webhook_stub', 'an unknown field', { webhooks: [{ name: 'a.b.c', do: 'allow' }] }, 'unknown field'],
  [
    'webhook_stub',
    'a webhook without a configuration',
    { webhooks: [{ name: 'a.b.c', does: 'allow' }] },
    'or type: mutating or validating here',
  ],
  [
    'webhook_stub',
    'a name of two parts',
    { webhooks: [{ name: 'a.b', type: 'mutating', rules: 'pods', does: 'allow' }] },
    'at least three segments',
  ],
  [
    'webhook_stub',
    'a script that is missing',
    { webhooks: [{ name: 'a.b.c', type: 'mutating', rules: 'pods', does: { script: 'a.js' } }] },
    'a.js',
  ],
  [
    'webhook_stub',
    'a script with a syntax error',
    {
      webhooks: [{ name: 'a.b.c', type: 'mutating', rules: 'pods', does: { script: 'a.js' } }],
      files: { 'a.js': 'export default (' },
    },
    'a.js',
  ],
  [
    'webhook_stub',
    'a file outside the folder',
    { webhooks: [{ name: 'a.b.c', does: 'allow' }], files: { '../x': '' } },
    'must be a path below the folder',
  ],
  ['explain', 'an unknown request', { request: 'nope' }, 'no trace "nope"'],
  ['explain', 'an object that was not written', { request: 'pod/nope' }, 'nope'],
  ['explain', 'an unknown type', { request: 'pot/nope' }, 'pot'],
  ['requests', 'an unknown resource', { resource: 'pots' }, 'there is no resource "pots"'],
  ['requests', 'a number that is too large', { last: 1000 }, 'last must be <= 200'],
  ['chain', 'nothing', {}, 'RESOURCE or -f FILE is required'],
  ['chain', 'an unknown resource', { resource: 'pots' }, 'there is no resource "pots"'],
  ['chain', 'YAML that is none', { manifest: 'a: [' }, 'object.yaml'],
  ['chain', 'an unknown verb', { resource: 'pods', verb: 'get' }, 'create, update, patch, delete, connect'],
  ['cel', 'a syntax error', { expression: '1 +' }, 'Syntax error'],
  ['cel', 'an unknown variable', { expression: 'nope', context: 'validation' }, 'undeclared reference'],
  ['cel', 'params without a context', { expression: '1', params: {} }, '--params needs --context validation'],
  ['cel', 'an unknown context', { expression: '1', context: 'nope' }, 'matchConditions'],
  ['lint', 'nothing', {}, 'give manifests, paths or server'],
  ['lint', 'YAML that is none', { manifests: 'a: [' }, 'manifests.yaml:1:'],
  ['lint', 'an unknown path', { paths: ['nope.yaml'] }, 'there is no such file or folder'],
  ['lint', 'an unknown rule', { manifests: pod, ignore: ['nope'] }, 'unknown rule nope'],
  ['test', 'nothing', {}, 'give scenario or paths'],
  ['test', 'YAML that is none', { scenario: 'a: [' }, 'scenario.yaml:1:'],
  ['test', 'an unknown field', { scenario: 'step: []' }, 'unknown field'],
  ['test', 'an unknown path', { paths: ['nope'] }, 'there is no such file or folder'],
  ['test', 'a file outside the folder', { scenario, files: { '../x': '' } }, 'must be a path below the folder'],
  ['test', 'an unknown release', { scenario, kubernetesVersion: '1.20' }, '1.20'],
  ['order', 'nothing', {}, 'give scenario, paths or load'],
  ['order', 'YAML that is none', { load: 'a: [', objects: pod }, 'load.yaml'],
  ['order', 'no object', { load: two }, 'objects.yaml: there is no object'],
  ['order', 'an unknown webhook', { load: two, objects: pod, to: { nope: 'http://127.0.0.1:9/' } }, 'nope'],
  ['order', 'a URL that is none', { load: two, objects: pod, to: { 'a.example.com': 'nope' } }, 'give one such as'],
  ['order', 'a scenario with an unknown field', { scenario: 'step: []' }, 'unknown field'],
  ['idempotency', 'nothing', {}, 'give scenario, paths or load'],
  ['idempotency', 'YAML that is none', { load: 'a: [', objects: pod }, 'load.yaml'],
  ['idempotency', 'an unknown path', { paths: ['nope'] }, 'nope'],
  ['compat', 'nothing', { from: '1.36', to: '1.37' }, 'give manifests or paths'],
  ['compat', 'YAML that is none', { from: '1.36', to: '1.37', manifests: 'a: [' }, 'manifests.yaml'],
  ['compat', 'an unknown release', { from: '1.20', to: '1.37', manifests: pod }, '1.20'],
  ['compat', 'an older release', { from: '1.37', to: '1.36', manifests: pod }, 'is not after --from 1.37'],
])('%s: %s', async (name, _, args, text) => {
  const refused = await refusal(name, args);
  expect(refused).toContain(text);
  expect(refused).not.toMatch(/^no error/);
});

const notCalled = { load: configuration('a'), objects: pod };
const dead = { ...notCalled, to: { 'a.example.com': 'http://127.0.0.1:9/' } };
const withoutWebhooks = JSON.stringify({
  steps: [{ name: 'a', create: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } }],
});

// What could not be decided is no pass.
test.each<[name: string, fact: string, args: Arguments, text: string]>([
  ['order', 'webhooks without a URL', { ...notCalled, load: two }, 'nothing is known of webhooks that were not called'],
  ['order', 'a webhook that does not listen', { ...dead }, 'unknown: a webhook could not be called'],
  ['order', 'no mutating webhook', { scenario: withoutWebhooks }, 'unknown: no mutating webhook or policy matches'],
  ['idempotency', 'a webhook without a URL', notCalled, 'nothing is known of webhooks that were not called'],
  ['idempotency', 'a webhook that does not listen', dead, 'unknown: a webhook could not be called'],
  [
    'idempotency',
    'no mutating webhook',
    { scenario: withoutWebhooks },
    'unknown: no mutating webhook or policy matches',
  ],
  [
    'compat',
    'a kind that no release has',
    { from: '1.36', to: '1.37', manifests: 'apiVersion: a.b/v1\nkind: C\nmetadata: {name: d}' },
    'nothing is known: no request could be compared',
  ],
  ['lint', 'no object', { manifests: 'text' }, 'unknown: there is no object to check'],
  [
    'lint',
    'a file that cannot be read beside one that can',
    { manifests: pod, paths: ['nope.yaml'] },
    'there is no such file',
  ],
  ['test', 'a filter that matches nothing', { scenario, filter: 'nope' }, 'none of the 1 scenarios is wanted'],
  ['test', 'an empty scenario', { scenario: 'steps: []' }, 'must not be empty'],
  [
    'cel',
    'a variable that needs a server',
    { expression: 'authorizer.group("").resource("pods").check("get").allowed()', context: 'validation' },
    'authorizer',
  ],
])('unknown: %s with %s', async (name, _, args, text) => {
  const refused = await refusal(name, args);
  expect(refused).toContain(text);
  expect(refused).not.toMatch(/^no error/);
});
