import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { blameOf, type FieldBlame, writerText } from '../../../src/explain/trace/field-blame.ts';
import { type RequestStory, type SentRequest, traceOf } from '../../harness/trace-requests.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const create = (data: JsonObject): SentRequest => ['POST', configMaps, { metadata: { name: 'm' }, data }];
const operation = (op: string, path: string, value?: JsonValue): JsonObject => ({
  op,
  path,
  ...(value === undefined ? {} : { value }),
});
const webhook = (patch: readonly JsonObject[], more: object = {}): RequestStory => ({
  mutating: [{ name: 'a.example.com', ...more }],
  responses: { 'a.example.com': () => ({ patch }) },
  sent: [create({ k: 'v' })],
});

/** `k: "v" by the client < "w" by …`: the newest first. */
const line = ({ path, value, by, previous }: FieldBlame): string =>
  [{ value, by }, ...previous.toReversed()]
    .map((one) => `${JSON.stringify(one.value)} by ${writerText(one.by)}`)
    .reduce((all, one) => `${all} < ${one}`, `${path}:`)
    .replace(': <', ':');

// Ours: who is said to have set a field.
const stories: readonly [fact: string, story: RequestStory, path: string, said: string][] = [
  ['what the client sent', webhook([]), 'data.k', 'data.k: "v" by the client'],
  ['what the server fills in', webhook([]), 'metadata.uid', 'metadata.uid: <uid> by the server'],
  [
    'what a webhook adds',
    webhook([operation('add', '/data/a', 'x')]),
    'data.a',
    'data.a: "x" by webhook a.example.com (checks)',
  ],
  [
    'what a webhook changes, with what was there before',
    webhook([operation('replace', '/data/k', 'w')]),
    'data.k',
    'data.k: "w" by webhook a.example.com (checks) < "v" by the client',
  ],
  [
    'what a webhook takes away',
    webhook([operation('remove', '/data/k')]),
    'data.k',
    'data.k: undefined by webhook a.example.com (checks) < "v" by the client',
  ],
  [
    'what a second call changes again',
    {
      mutating: [{ name: 'a.example.com', reinvocationPolicy: 'IfNeeded' }, { name: 'b.example.com' }],
      responses: {
        'a.example.com': ({ object }) => ({
          patch: [operation('add', '/data/seen', String(Object.keys((object?.['data'] ?? {}) as object)))],
        }),
        'b.example.com': () => ({ patch: [operation('add', '/data/b', '1')] }),
      },
      sent: [create({ k: 'v' })],
    },
    'data.seen',
    'data.seen: "b,k,seen" by webhook a.example.com (checks), second round < "k" by webhook a.example.com (checks)',
  ],
  [
    'what was stored before and is not touched',
    { ...webhook([]), sent: [create({ k: 'v' }), ['PATCH', `${configMaps}/m`, { data: { l: 'w' } }]] },
    'data.k',
    'data.k: "v" by stored before',
  ],
  [
    'what a patch says',
    { ...webhook([]), sent: [create({ k: 'v' }), ['PATCH', `${configMaps}/m`, { data: { l: 'w' } }]] },
    'data.l',
    'data.l: "w" by the client',
  ],
  [
    'what a JSON patch says',
    {
      ...webhook([]),
      sent: [
        create({ k: 'v' }),
        ['PATCH', `${configMaps}/m`, [operation('replace', '/data/k', 'w')], 'application/json-patch+json'],
      ],
    },
    'data.k',
    'data.k: "w" by the client',
  ],
];

const uid = /"00000000-0000-4000-8000-\d{12}"/g;

test.each(stories)('%s', async (_fact, story, path, said) => {
  const found = blameOf(await traceOf(story)).filter((one) => one.path === path);
  expect(found.map((one) => line(one).replaceAll(uid, '<uid>'))).toEqual([said]);
});

test('fields of plugins have a writer, managedFields have none', async () => {
  const serviceAccount: SentRequest = [
    'POST',
    '/api/v1/namespaces/default/serviceaccounts',
    { metadata: { name: 'default' } },
  ];
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const trace = await traceOf({ sent: [serviceAccount, ['POST', '/api/v1/namespaces/default/pods', pod]] });
  const blame = blameOf(trace).map(line);
  expect(blame).toContain('spec.serviceAccountName: "default" by plugin ServiceAccount');
  expect(blame).toContain('spec.containers[name=c].image: "i" by the client');
  expect(blame).toContain('spec.restartPolicy: "Always" by the server');
  expect(blame.filter((one) => one.includes('managedFields'))).toEqual([]);
});
