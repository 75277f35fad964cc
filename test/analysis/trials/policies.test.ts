import { afterAll, expect, test } from 'vitest';
import { type JsonObject, valueAt } from '../../../src/machinery/json/json.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import { permute } from '../../../src/analysis/trials/permute-request.ts';
import { checkIdempotency } from '../../../src/analysis/trials/idempotency.ts';
import { add, inject } from '../../harness/pod-story.ts';
import { manifest } from '../../harness/scenario.ts';
import { type TrialHook, trialStory } from '../../harness/trial-story.ts';

const worlds = createWorlds((bug) => {
  throw bug;
});
afterAll(() => worlds.close());

const api = 'admissionregistration.k8s.io/v1';
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];

/** A mutating policy for Pods, and its bindings. */
const policy = (name: string, expression: string, bindings: readonly string[] = [name]) => [
  manifest({
    apiVersion: api,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: rules },
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
    } as JsonObject,
  }),
  ...bindings.map((binding) =>
    manifest({
      apiVersion: api,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name: binding },
      spec: { policyName: name },
    }),
  ),
];
const labels = (value: string): string => `[JSONPatch{op: "add", path: "/metadata/labels", value: {"by": "${value}"}}]`;
const another = `[JSONPatch{op: "add", path: "/metadata/annotations", value: {"seen": "yes"}}]`;
const addContainer = `[JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "c" + string(size(object.spec.containers)), image: "c:1"}}]`;
const hook = (name: string, respond: TrialHook[2], fields: JsonObject = {}): TrialHook => [
  name,
  'hook.example.com',
  respond,
  fields,
];
const options = { samples: 0, seed: 1 };

const story = (hooks: readonly TrialHook[], policies: ReturnType<typeof policy>) => {
  const plain = trialStory(hooks);
  return { ...plain, load: [...plain.load, ...policies] };
};

test('policies are tried in every order among themselves, webhooks after them', async () => {
  const hooks = [hook('a', inject('containers', { name: 'x', image: 'x:1' })), hook('b', () => ({}))];
  const { requests } = await permute(
    story(hooks, [...policy('p', labels('p')), ...policy('q', labels('q'))]),
    worlds,
    options,
  );
  expect(requests[0]).toMatchObject({ webhooks: ['p', 'q', 'a/hook.example.com', 'b/hook.example.com'], orders: 4 });
  expect(requests[0]?.pairs.map(({ first, second, differing, tried }) => [first, second, differing, tried])).toEqual([
    ['p', 'q', 2, 2],
  ]);
  expect(requests[0]?.pairs[0]?.changes).toEqual([{ path: ['metadata', 'labels', 'by'], before: 'q', after: 'p' }]);
});

test('what two policies do to different fields goes in either order', async () => {
  const { requests } = await permute(
    story([], [...policy('p', labels('p')), ...policy('q', another)]),
    worlds,
    options,
  );
  expect(requests[0]).toMatchObject({ webhooks: ['p', 'q'], orders: 2, pairs: [] });
});

test('a policy without a binding, and one whose selector leaves the object out, take no part', async () => {
  const [unbound] = policy('unbound', labels('u'));
  const [selected, binding] = policy('selected', labels('s'));
  if (!unbound || !selected || !binding) throw new Error('there are no policies');
  const narrow = {
    ...selected,
    object: {
      ...selected.object,
      spec: {
        ...(selected.object['spec'] as JsonObject),
        matchConstraints: { resourceRules: rules, objectSelector: { matchLabels: { by: 'p' } } },
      },
    },
  };
  const { requests } = await permute(
    story([], [...policy('p', labels('p')), unbound, narrow, binding]),
    worlds,
    options,
  );
  expect(requests[0]).toMatchObject({ webhooks: ['p'], orders: 1 });
});

test('who stands behind a webhook that refuses takes part all the same', async () => {
  const picky: TrialHook[2] = ({ object }) =>
    valueAt(object, 'metadata', 'labels') === undefined ? { allowed: false, status: { message: 'no labels' } } : {};
  const hooks = [hook('a', picky), hook('b', () => ({ patch: [add('/metadata/labels', { a: 'b' })] }))];
  const { requests } = await permute(trialStory(hooks), worlds, options);
  expect(requests[0]?.webhooks).toEqual(['a/hook.example.com', 'b/hook.example.com']);
  expect(requests[0]?.results.map(({ code }) => code)).toEqual([400, 201]);
});

test('a webhook whose rules do not match takes no part, whatever its objectSelector says', async () => {
  const elsewhere = {
    rules: [{ ...rules[0], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { a: 'b' } },
  } as unknown as JsonObject;
  const { requests } = await permute(
    trialStory([hook('a', () => ({})), hook('b', () => ({}), elsewhere)]),
    worlds,
    options,
  );
  expect(requests[0]?.webhooks).toEqual(['a/hook.example.com']);
});

test.each([
  ['one binding', ['p'], [{ webhook: 'p', after: 'own' }]],
  ['two', ['p', 'q'], [{ webhook: 'p', after: 'own' }]],
])('a policy that adds a container each time is not idempotent, %s', async (_fact, bindings, unstable) => {
  const { requests } = await checkIdempotency(story([], policy('p', addContainer, bindings)), worlds);
  expect(requests[0]?.webhooks).toEqual(['p']);
  expect(requests[0]?.unstable).toMatchObject(unstable);
  expect(requests[0]?.rounds.outcome).toBe('grows');
});

test('a policy that sets a label is idempotent', async () => {
  const { requests } = await checkIdempotency(
    story([hook('a', inject('containers', { name: 'x', image: 'x:1' }))], policy('p', labels('p'))),
    worlds,
  );
  expect(requests[0]).toMatchObject({
    webhooks: ['p', 'a/hook.example.com'],
    unstable: [],
    rounds: { outcome: 'settles' },
  });
});
