import { afterAll, expect, test } from 'vitest';
import { meaningText, normalizeStored } from '../../../src/analysis/trials/compare-sets.ts';
import { trialOrders } from '../../../src/analysis/trials/orders.ts';
import { permute, permuteRequest } from '../../../src/analysis/trials/permute-request.ts';
import { openTrials } from '../../../src/analysis/trials/trial-setup.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import { type JsonObject, valueAt } from '../../../src/machinery/json/json.ts';
import { createSeededRandom } from '../../../src/testing/stubs/seeded-random.ts';
import { add, again, envForEach, inject } from '../../harness/pod-story.ts';
import { somePod, type TrialHook, trialStory } from '../../harness/trial-story.ts';

const worlds = createWorlds((bug) => {
  throw bug;
});
afterAll(() => worlds.close());

const label =
  (key: string, value: string): TrialHook[2] =>
  ({ object }) => ({
    patch: [
      valueAt(object, 'metadata', 'labels') === undefined
        ? add('/metadata/labels', { [key]: value })
        : add(`/metadata/labels/${key}`, value),
    ],
  });
const hooks = (...says: readonly (readonly [respond: TrialHook[2], fields?: JsonObject])[]): readonly TrialHook[] =>
  says.map(([respond, fields], at) => [`c-${at}`, `h${at}.example.com`, respond, fields ?? {}]);
const sidecar = (name: string): TrialHook[2] => inject('containers', { name, image: `${name}:1` });
const wants = (key: string): JsonObject => ({ objectSelector: { matchExpressions: [{ key, operator: 'Exists' }] } });

/** Sets of webhooks, and to how many results their orders come. */
const sets: readonly [fact: string, hooks: readonly TrialHook[], results: number][] = [
  ['labels of their own go with each other', hooks([label('a', '1')], [label('b', '1')], [label('c', '1')]), 1],
  ['sidecars too: the order of containers means nothing', hooks([sidecar('a')], [sidecar('b')], [sidecar('c')]), 1],
  ['the same label, the last one wins', hooks([label('a', '1')], [label('a', '2')], [label('b', '1')]), 2],
  ['variables for each container, called again', hooks([envForEach('X'), again], [sidecar('a')], [sidecar('b')]), 1],
  ['variables for each container, called once', hooks([envForEach('X')], [sidecar('a')], [sidecar('b')]), 4],
  [
    'one wants a label that another one sets',
    hooks([envForEach('X'), wants('a')], [label('a', '1')], [sidecar('b')]),
    3,
  ],
  [
    'one refuses what another one adds',
    hooks(
      [
        ({ object }) =>
          valueAt(object, 'metadata', 'labels', 'a') === undefined ? {} : { allowed: false, status: { message: 'no' } },
      ],
      [label('a', '1')],
      [sidecar('b')],
    ),
    2,
  ],
  [
    'two that ask to be called again',
    hooks([envForEach('X'), again], [envForEach('Y'), again], [sidecar('b')], [label('a', '1')]),
    1,
  ],
];

// What is composed of turns that were seen is what a run of that order shows.
test.each(sets)('%s', async (_fact, all, count) => {
  const story = trialStory(all);
  const { requests } = await permute(story, worlds, { samples: 0, seed: 1 });
  const trialWorld = await openTrials(story, worlds);
  const shown: string[] = [];
  const [step] = story.steps;
  if (step === undefined) throw new Error('there is no step');
  for (const order of trialOrders(requests[0]?.webhooks ?? [], 0, Math.random).orders) {
    const answer = await trialWorld.attempt(step, order);
    shown.push(
      answer && answer.code < 400 ? meaningText(normalizeStored(answer.body)) : JSON.stringify(answer?.body['message']),
    );
  }
  await trialWorld.close();
  const groups = [...new Set(shown)].map((one) => shown.filter((other) => other === one).length);
  expect(requests[0]?.results.map(({ orders }) => orders).toSorted((one, other) => one - other)).toEqual(
    groups.toSorted((one, other) => one - other),
  );
  expect(groups.length).toBe(count);
  expect(requests[0]?.ran).toBeLessThanOrEqual(shown.length);
});

test('of many webhooks each pair has both orders, and chance draws others, the same for the same seed', async () => {
  const many = hooks(...Array.from({ length: 7 }, (_one, at) => [label(at < 2 ? 'same' : `l${at}`, `${at}`)] as const));
  const options = { samples: 3, seed: 7 };
  const one = await permute(trialStory(many), worlds, options);
  const [request] = one.requests;
  expect(request).toMatchObject({ choice: 'pairwise and sampled' });
  expect(request?.orders).toBeGreaterThan(21);
  expect(request?.pairs.map(({ first, second }) => [first, second])).toEqual([
    ['c-0/h0.example.com', 'c-1/h1.example.com'],
  ]);
  const drawn = (seed: number) => trialOrders(request?.webhooks ?? [], 3, createSeededRandom(seed)).orders;
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
});

test('progress counts the planned orders that have a result, up to all of them', async () => {
  const story = trialStory(hooks([label('a', '1')], [label('a', '2')], [label('b', '3')]));
  const [step] = story.steps;
  if (step === undefined) throw new Error('there is no step');
  const trialWorld = await openTrials(story, worlds);
  const uids = ['c-0/h0.example.com', 'c-1/h1.example.com', 'c-2/h2.example.com'];
  const progress: string[] = [];
  await permuteRequest({
    attempt: (order) => trialWorld.attempt(step, order),
    callees: new Map(uids.map((uid) => [uid, { uid, reinvocationPolicy: 'Never' }])),
    stubbed: trialWorld.stubbed,
    samples: 0,
    seed: 1,
    onProgress: ({ tried, orders }) => progress.push(`${tried} of ${orders}`),
  });
  await trialWorld.close();
  expect(progress).toEqual(['1 of 6', '2 of 6', '3 of 6', '4 of 6', '5 of 6', '6 of 6']);
});

test('a webhook that rules or the namespace leave out takes no part', async () => {
  const elsewhere = { namespaceSelector: { matchLabels: { a: 'b' } } };
  const { requests } = await permute(
    trialStory(hooks([label('a', '1')], [label('a', '2'), elsewhere]), [somePod()]),
    worlds,
    { samples: 0, seed: 1 },
  );
  expect(requests[0]).toMatchObject({ webhooks: ['c-0/h0.example.com'], orders: 1, pairs: [] });
});

test(
  'of eight webhooks few neighbours are compared besides the orders that were planned, and a pair that seldom matters is found',
  { timeout: 60_000 },
  async () => {
    // The last one asks whether the first two have been there: that shows only when both come after it, or one of them does.
    const late: TrialHook[2] = ({ object }) => {
      const labels = valueAt(object, 'metadata', 'labels');
      const both = ['l0', 'l1'].filter((key) => valueAt(object, 'metadata', 'labels', key) !== undefined).length === 1;
      return both && labels !== undefined ? { patch: [add('/metadata/labels/half', 'yes')] } : {};
    };
    const eight = hooks(...Array.from({ length: 7 }, (_one, at) => [label(`l${at}`, '1')] as const), [late]);
    const [request] = (await permute(trialStory(eight), worlds, { samples: 20, seed: 1 })).requests;
    const planned = trialOrders(request?.webhooks ?? [], 20, createSeededRandom(1)).orders.length;
    expect(request?.orders).toBeGreaterThanOrEqual(planned);
    expect(request?.orders).toBeLessThanOrEqual(planned + 4 * 28 + 20);
    expect(request?.ran).toBeLessThanOrEqual(request?.orders ?? 0);
    expect(request?.results.reduce((sum, { orders }) => sum + orders, 0)).toBe(request?.orders);
    expect(request?.pairs.map(({ first, second }) => `${first} ${second}`).toSorted()).toEqual([
      'c-0/h0.example.com c-7/h7.example.com',
      'c-1/h1.example.com c-7/h7.example.com',
    ]);
  },
);
