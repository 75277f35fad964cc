import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asList, asObject, asString, type JsonObject } from '../../src/machinery/json/json.ts';

const client = new Client({ name: 'test', version: '1' });

beforeAll(async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['dist/main.js', 'mcp'],
    stderr: 'ignore',
  });
  await client.connect(transport);
});
afterAll(() => client.close());
beforeEach(async () => void (await call('reset')));

interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: JsonObject;
}

async function call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const [first] = asList(JSON.parse(JSON.stringify(content)));
  return {
    isError: isError === true,
    text: asString(asObject(first)['text']),
    data: asObject(JSON.parse(JSON.stringify(structuredContent ?? {}))),
  };
}

const firstRemedy = ({ data }: Answer): JsonObject =>
  asObject(asList(asObject(asList(data['explanations'])[0])['remedies'])[0]);

const applyRemedy = ({ target, patchType, patch }: JsonObject): Promise<Answer> =>
  call('patch', { target, patchType, patch });

const pod = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'web', image: 'web:1' }] },
  });

const labels = { name: 'labels.example.com', type: 'mutating', rules: 'CREATE pods', does: { label: { team: 'a' } } };

test.each<[string, object, string]>([
  ['a namespaceSelector', { namespaceSelector: { matchLabels: { env: 'prod' } } }, 'default'],
  [
    'a singular resource',
    { rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pod'] }] },
    'labels.example.com',
  ],
  [
    'another operation',
    { rules: [{ operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }] },
    'labels.example.com',
  ],
])(
  'the remedy for a webhook that %s excludes is applied as data, and the webhook is called',
  async (_, own, target) => {
    expect(await call('webhook_stub', { webhooks: [{ ...labels, ...own }] })).toMatchObject({ isError: false });
    expect((await call('apply', { manifests: pod('first') })).text).toContain(
      '0 of 1 webhook called, 1 nearly matched',
    );
    const remedy = firstRemedy(await call('explain', { request: 'pod/first' }));
    expect(remedy).toMatchObject({ name: 'labels.example.com', target: { name: target } });
    expect(await applyRemedy(remedy)).toMatchObject({ isError: false });
    expect((await call('apply', { manifests: pod('second') })).text).toContain('was called and added label team');
  },
);

test('a stub without a type answers for a webhook of a stored configuration, which stays as it is', async () => {
  const webhook = {
    name: 'labels.example.com',
    clientConfig: { url: 'https://127.0.0.1:9/' },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const kind = 'MutatingWebhookConfiguration';
  const stored = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'stored' },
    webhooks: [webhook],
  };
  await call('apply', { manifests: JSON.stringify(stored) });
  expect((await call('apply', { manifests: pod('first') })).text).toContain('failed while connecting');
  const { name, does } = labels;
  expect(await call('webhook_stub', { webhooks: [{ name, does }] })).toMatchObject({ isError: false });
  expect((await call('apply', { manifests: pod('second') })).text).toContain(
    `${name} (stored, all namespaces) was called`,
  );
});

test('a stub runs a script whose output does not disturb the protocol', async () => {
  const script = "export default function () { console.log('called'); return { warnings: ['from the script'] } }";
  const webhooks = [{ ...labels, does: { script: 'review.js' } }];
  await call('webhook_stub', { webhooks, files: { 'review.js': script } });
  expect((await call('apply', { manifests: pod('web') })).text).toContain('Warning: from the script');
});

const policy = (expression: string): string =>
  JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'replicas' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
        ],
      },
      validations: [{ expression }],
    },
  });

const binding = JSON.stringify({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'replicas' },
  spec: { policyName: 'replicas', validationActions: ['Deny'] },
});

const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
});

test('the remedy for a policy with a wrong field is a patch of its expression', async () => {
  await call('apply', { manifests: [policy('object.spec.replica <= 5'), binding].join('\n---\n') });
  const refused = await call('apply', { manifests: deployment });
  expect(refused).toMatchObject({ isError: true });
  expect(refused.text).toContain('no such key: replica');
  const remedy = firstRemedy(await call('explain'));
  expect(remedy).toMatchObject({ patch: [{ op: 'replace', value: 'object.spec.replicas <= 5' }] });
  expect(await applyRemedy(remedy)).toMatchObject({ isError: false });
  expect(await call('apply', { manifests: deployment })).toMatchObject({ isError: false });
});

const scenario = (expected: string): string =>
  JSON.stringify({
    webhooks: [{ ...labels, does: { deny: 'no' }, type: 'validating' }],
    steps: [{ name: 'create', create: JSON.parse(pod('web')) as object, expect: { deniedBy: expected } }],
  });

test('a failing scenario says what it expected, and passes when that is corrected', async () => {
  const failing = await call('test', { scenario: scenario('labels.example.org') });
  expect(failing.data).toMatchObject({ totals: { failed: 1 } });
  expect(failing.text).toContain('labels.example.com');
  expect((await call('test', { scenario: scenario('labels.example.com') })).data).toMatchObject({
    totals: { passed: 1, failed: 0 },
  });
});

test('a webhook that was not called is unknown, not the same', async () => {
  const webhooks = ['a', 'b'].map((name) => ({
    name: `${name}.example.com`,
    clientConfig: { url: `https://${name}.example.com/` },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }));
  const load = JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'two' },
    webhooks,
  });
  const answer = await call('order', { load, objects: pod('web') });
  expect(answer).toMatchObject({ isError: true });
  expect(answer.text).toContain('a.example.com');
});

test.each<[string, string, Readonly<Record<string, unknown>>, string]>([
  ['an unknown tool', 'aply', {}, 'there is no tool "aply"; did you mean "apply"?'],
  ['an unknown argument', 'apply', { manifest: '' }, 'there is no argument "manifest"; did you mean "manifests"?'],
  ['an unknown value', 'apply', { manifests: '', operation: 'replace' }, 'apply, create, delete'],
  ['10 MB of YAML', 'apply', { manifests: `${pod('web')}\n# ${'x'.repeat(10_000_000)}` }, 'admitted'],
  ['10 MB of an object', 'apply', { manifests: pod('x'.repeat(10_000_000)) }, 'is longer than 12000 characters'],
])('%s gets a result that says what to change', async (_, name, args, text) => {
  expect((await call(name, args)).text).toContain(text);
  expect(await call('apply', { manifests: pod('still-there') })).toMatchObject({ isError: false });
});

test('the resources are listed and read', async () => {
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining([
      'kadmit://schemas/scenario',
      'kadmit://findings',
      'kadmit://lint-rules',
      'kadmit://docs/findings',
    ]),
  );
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    expect(JSON.stringify(contents).length).toBeGreaterThan(100);
  }
  await expect(client.readResource({ uri: 'kadmit://nope' })).rejects.toThrow('there is kadmit://schemas/scenario');
});
