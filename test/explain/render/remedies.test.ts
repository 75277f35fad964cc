import { expect, test } from 'vitest';
import { type Remedy, remediesOf } from '../../../src/explain/render/remedies.ts';
import { type RequestStory, type Hook, type SentRequest, traceOf } from '../../harness/trace-requests.ts';

const configMap = (labels: Readonly<Record<string, string>> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', labels },
});
const create: SentRequest = ['POST', '/api/v1/namespaces/default/configmaps', configMap()];
const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
const hook = (own: Hook): Hook => ({ name: 'a.example.com', ...own });
const selecting = (namespaceSelector: object): RequestStory => ({
  validating: [hook({ namespaceSelector })],
  sent: [create],
});

const remedies = async (story: RequestStory): Promise<readonly Remedy[]> => remediesOf(await traceOf(story));

test.each<[string, RequestStory, string]>([
  [
    'a label that the namespace lacks',
    selecting({ matchLabels: { env: 'prod' } }),
    'kubectl label namespace default env=prod',
  ],
  [
    'an expression with In',
    selecting({ matchExpressions: [{ key: 'env', operator: 'In', values: ['prod', 'test'] }] }),
    'kubectl label namespace default env=prod',
  ],
  [
    'an expression with Exists',
    selecting({ matchExpressions: [{ key: 'checked', operator: 'Exists' }] }),
    'kubectl label namespace default checked=true',
  ],
  [
    'another API group',
    { validating: [hook({ rules: [{ ...rule, apiGroups: ['apps'] }] })], sent: [create] },
    `kubectl patch validatingwebhookconfiguration checks --type=strategic -p '{"webhooks":[{"name":"a.example.com","rules":[{"operations":["CREATE"],"apiGroups":["apps",""],"apiVersions":["v1"],"resources":["configmaps"],"scope":"*"}]}]}'`,
  ],
  [
    'a resource in the singular, which is replaced',
    { validating: [hook({ rules: [{ ...rule, resources: ['configmap'] }] })], sent: [create] },
    `kubectl patch validatingwebhookconfiguration checks --type=strategic -p '{"webhooks":[{"name":"a.example.com","rules":[{"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"],"scope":"*"}]}]}'`,
  ],
  [
    'a version that matchPolicy Exact excludes',
    { validating: [hook({ matchPolicy: 'Exact', rules: [{ ...rule, apiVersions: ['v2'] }] })], sent: [create] },
    `kubectl patch validatingwebhookconfiguration checks --type=strategic -p '{"webhooks":[{"name":"a.example.com","matchPolicy":"Equivalent"}]}'`,
  ],
  [
    'a change that a webhook did not see',
    {
      mutating: [hook({ name: 'early.example.com' }), hook({ name: 'late.example.com' })],
      responses: {
        'late.example.com': () => ({
          allowed: true,
          patchType: 'JSONPatch',
          patch: [{ op: 'add', path: '/data', value: { a: 'b' } }],
        }),
      },
      sent: [create],
    },
    `kubectl patch mutatingwebhookconfiguration checks --type=strategic -p '{"webhooks":[{"name":"early.example.com","reinvocationPolicy":"IfNeeded"}]}'`,
  ],
])('%s has a remedy as a command', async (_, story, command) => {
  expect((await remedies(story)).map((one) => one.command)).toEqual([command]);
});

test.each<[string, RequestStory]>([
  [
    'a webhook for another resource',
    { validating: [hook({ rules: [{ ...rule, resources: ['pods'] }] })], sent: [create] },
  ],
  ['a label that only the API server sets', selecting({ matchLabels: { 'kubernetes.io/metadata.name': 'shop' } })],
  [
    'an expression with DoesNotExist',
    selecting({ matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'DoesNotExist' }] }),
  ],
  ['an objectSelector', { validating: [hook({ objectSelector: { matchLabels: { a: 'b' } } })], sent: [create] }],
  ['a webhook that was called', { validating: [hook({})], sent: [create] }],
])('%s has none', async (_, story) => {
  expect(await remedies(story)).toEqual([]);
});

test('the patch is data for the API', async () => {
  const [remedy] = await remedies(selecting({ matchLabels: { env: 'prod' } }));
  expect(remedy).toMatchObject({
    name: 'a.example.com',
    target: { apiVersion: 'v1', kind: 'Namespace', name: 'default' },
    patchType: 'strategic',
    patch: { metadata: { labels: { env: 'prod' } } },
  });
});
