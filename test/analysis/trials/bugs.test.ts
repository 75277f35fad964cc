import { afterAll, expect, test } from 'vitest';
import { asString, type JsonObject, valueAt } from '../../../src/machinery/json/json.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import { permute } from '../../../src/analysis/trials/permute-request.ts';
import { checkIdempotency } from '../../../src/analysis/trials/idempotency.ts';
import {
  add,
  addItem,
  again,
  always,
  envForEach,
  firstThen,
  imageOf,
  inject,
  itemsOf,
} from '../../harness/pod-story.ts';
import { somePod, type TrialHook, trialStory } from '../../harness/trial-story.ts';

const worlds = createWorlds((bug) => {
  throw bug;
});
afterAll(() => worlds.close());

const late = { name: 'late', image: 'late:1' };
const side: TrialHook = ['b-side', 'side.example.com', inject('containers', late)];
const hook = 'hook.example.com';
const withEnv = [somePod({ containers: [{ name: 'web', image: 'web:1', env: [{ name: 'A', value: '1' }] }] })];
const rewritten: TrialHook[2] = (request) => ({
  patch: itemsOf(request.object, 'containers').map((_one, at) => ({
    op: 'replace',
    path: `/spec/containers/${at}/image`,
    value: `mirror.local/${imageOf(request, at).replace('mirror.local/', '')}`,
  })),
});
const secured: TrialHook[2] = ({ object }) => ({
  patch: itemsOf(object, 'containers').map((_one, at) =>
    add(`/spec/containers/${at}/securityContext`, { runAsNonRoot: true }),
  ),
});
const initContainer = (name: string): TrialHook[2] => inject('initContainers', { name, image: `${name}:1` });
/** Gives istio-proxy a field, and makes the container when there is none, as Gatekeeper's Assign does. */
const assignToProxy: TrialHook[2] = ({ object }) => {
  const at = itemsOf(object, 'containers').findIndex(({ name }) => name === 'istio-proxy');
  return {
    patch:
      at < 0
        ? [addItem(object, 'containers', { name: 'istio-proxy', imagePullPolicy: 'Always' })]
        : [add(`/spec/containers/${at}/imagePullPolicy`, 'Always')],
  };
};
const proxy = { name: 'istio-proxy', image: 'proxy:1' };
const injectProxy: TrialHook[2] = ({ object }) => {
  const at = itemsOf(object, 'containers').findIndex(({ name }) => name === 'istio-proxy');
  return { patch: at < 0 ? [addItem(object, 'containers', proxy)] : [] };
};

/** The bugs of the threads named in front, as people set them up, that the order of webhooks makes: what the first pair is. */
const orders: readonly [thread: string, hooks: readonly TrialHook[], pods: readonly JsonObject[]][] = [
  [
    '15 azure-workload-identity#787: Dapr is called before a sidecar is there',
    [['a-hook', hook, envForEach('DAPR_HTTP_PORT')], side],
    [somePod()],
  ],
  ['16 kyverno#17282: the generated webhook says Never', [['a-hook', hook, secured], side], [somePod()]],
  [
    '19 istio#54562: the list is replaced, a container of another webhook is gone',
    [
      ['a-hook', hook, inject('containers', late)],
      [
        'b-side',
        'side.example.com',
        always({ op: 'replace', path: '/spec/containers', value: [{ name: 'web', image: 'web:1' }] }),
      ],
    ],
    [somePod()],
  ],
  [
    '20 istio#38354: its init container must be the last',
    [
      ['a-hook', hook, initContainer('istio-init')],
      ['b-side', 'side.example.com', initContainer('other')],
    ],
    [somePod()],
  ],
  [
    '21 istio#57386: a prefix of the name decides what is injected',
    [['a-hook', hook, envForEach('OTEL')], side],
    [somePod()],
  ],
  ['22 istio#43074: a name that begins with 0', [['0-hook', hook, envForEach('TEAM')], side], [somePod()]],
  ['23 opentelemetry-operator#3349: no reinvocation', [['a-hook', hook, envForEach('OTEL')], side], [somePod()]],
  [
    '24 amazon-eks-pod-identity-webhook#61: the second call ends early',
    [['a-hook', hook, firstThen(envForEach('AWS_ROLE_ARN'), () => ({})), again], side],
    [somePod()],
  ],
  [
    '25 gatekeeper#3858: a mutation meant for istio-proxy makes an empty container',
    [
      ['a-gatekeeper', hook, assignToProxy],
      ['b-istio', 'side.example.com', injectProxy],
    ],
    [somePod()],
  ],
  [
    '27 k8s-image-swapper#28: the image of the sidecar is not rewritten',
    [['a-hook', hook, rewritten], side],
    [somePod()],
  ],
  ['28 website#23992: which order is it', [['a-hook', hook, rewritten], side], [somePod()]],
];

test.each(orders)('permute finds %s', async (_thread, hooks, pods) => {
  const { requests } = await permute(trialStory(hooks, pods), worlds, { samples: 10, seed: 1 });
  const [request] = requests;
  expect(request?.webhooks).toEqual(hooks.map(([configuration, name]) => `${configuration}/${name}`));
  expect(request?.pairs.map(({ first, second }) => [first, second])).toEqual([request?.webhooks]);
  expect(request?.results.length).toBe(2);
});

/** Those that a webhook makes with its own work. */
const repeats: readonly [thread: string, respond: TrialHook[2], pods: readonly JsonObject[], refused: RegExp][] = [
  [
    '14 azure-workload-identity#1744: its volume is there twice',
    ({ object }) => ({ patch: [addItem(object, 'volumes', { name: 'token', emptyDir: {} })] }),
    [somePod()],
    /Duplicate value: "token"/,
  ],
  [
    '17 istio#55691: what the client had set is overwritten',
    firstThen(
      inject('initContainers', { name: 'init', image: 'init:1' }),
      always({ op: 'replace', path: '/spec/containers/0/securityContext/runAsUser', value: 1337 }),
    ),
    [somePod({ containers: [{ name: 'web', image: 'web:1', securityContext: { runAsUser: 1000 } }] })],
    /^$/,
  ],
  [
    '18 istio#25931: a path is rewritten twice',
    ({ object }) => ({
      patch: [add('/metadata/labels/probe', `app-${asString(valueAt(object, 'metadata', 'labels', 'probe'))}`)],
    }),
    [somePod({}, { labels: { probe: 'live' } })],
    /^$/,
  ],
  [
    '26 logging-operator#1503: a variable is there twice',
    always(add('/spec/containers/0/env/-', { name: 'LOG', value: 'x' })),
    withEnv,
    /^$/,
  ],
  [
    'website#50182: it refuses its own label',
    ({ object }) =>
      valueAt(object, 'metadata', 'labels', 'own') === undefined
        ? { patch: [add('/metadata/labels', { own: '1' })] }
        : { allowed: false, status: { message: 'own is ours' } },
    [somePod()],
    /own is ours/,
  ],
];

test.each(repeats)('checkIdempotency finds %s', async (_thread, respond, pods, refused) => {
  const { requests } = await checkIdempotency(trialStory([['a-hook', hook, respond, again]], pods), worlds);
  expect(requests[0]?.unstable).toMatchObject([
    { webhook: 'a-hook/hook.example.com', after: 'own', refused: expect.stringMatching(refused) as string },
  ]);
});

test('checkIdempotency finds 29 kubernetes#65716: the sidecar is refused by Pod security', async () => {
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'safe', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
  };
  const story = trialStory(
    [['a-hook', hook, inject('containers', { ...late, securityContext: { privileged: true } })]],
    [somePod({}, { namespace: 'safe' })],
  );
  const { requests } = await checkIdempotency(
    { ...story, load: [{ object: namespace, place: { file: '', line: 1, column: 1 } }, ...story.load] },
    worlds,
  );
  expect(requests[0]?.findings.map(({ rule }) => rule)).toContain('refused-others-work');
});

const toggles =
  (from: string, to: string): TrialHook[2] =>
  ({ object }) => ({
    patch: valueAt(object, 'metadata', 'labels', 'side') === from ? [add('/metadata/labels/side', to)] : [],
  });

// users.md row 103: what the one writes the other takes back.
const rounds: readonly [fact: string, hooks: readonly TrialHook[], rounds: JsonObject][] = [
  [
    'two that are at rest',
    [
      ['a', hook, inject('containers', late)],
      ['b', 'side.example.com', inject('containers', proxy)],
    ],
    { outcome: 'settles', after: 1 },
  ],
  [
    'two that undo each other within a round settle as a round',
    [
      ['a', hook, toggles('l', 'r')],
      ['b', 'side.example.com', toggles('r', 'l')],
    ],
    { outcome: 'settles', after: 1 },
  ],
  [
    'one that turns back and forth is a cycle of two',
    [
      [
        'a',
        hook,
        ({ object }) => ({
          patch: [add('/metadata/labels/side', valueAt(object, 'metadata', 'labels', 'side') === 'l' ? 'r' : 'l')],
        }),
      ],
    ],
    { outcome: 'cycle', length: 2 },
  ],
  [
    'three in turn are a cycle of three',
    [
      [
        'a',
        hook,
        ({ object }) => ({
          patch: [
            add(
              '/metadata/labels/side',
              { l: 'm', m: 'r' }[asString(valueAt(object, 'metadata', 'labels', 'side'))] ?? 'l',
            ),
          ],
        }),
      ],
    ],
    { outcome: 'cycle', length: 3 },
  ],
  ['one that adds each time grows', [['a', hook, always(add('/spec/containers/0/args/-', 'x'))]], { outcome: 'grows' }],
];

test.each(rounds)('checkIdempotency: %s', async (_fact, hooks, expected) => {
  const pod = somePod({ containers: [{ name: 'web', image: 'web:1', args: ['a'] }] }, { labels: { side: 'l' } });
  const { requests } = await checkIdempotency(trialStory(hooks, [pod]), worlds);
  expect(requests[0]?.rounds).toMatchObject(expected);
});
