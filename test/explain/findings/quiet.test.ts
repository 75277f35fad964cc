import { expect, test } from 'vitest';
import { findingsOf } from '../../../src/explain/findings/findings-of.ts';
import { type RequestStory, traceOf } from '../../harness/trace-requests.ts';
import { add, again, always, envForEach, inject, itemsOf, podHook, podOf, podStory } from '../../harness/pod-story.ts';

const late = { name: 'late', image: 'late:1' };
const hook = 'hook.example.com';
const side = 'side.example.com';
const two = [podHook('a-hook', hook), podHook('b-side', side)];
const twoAgain = [podHook('a-hook', hook, again), podHook('b-side', side, again)];

/** What works as it should, close to what does not: nothing is found. */
const fine: readonly [what: string, story: RequestStory][] = [
  ['webhooks that allow', podStory(two)],
  [
    'two sidecars, of which neither treats the other',
    podStory(two, { [hook]: inject('containers', { name: 'a', image: 'a:1' }), [side]: inject('containers', late) }),
  ],
  [
    'one that is called again and treats what came later',
    podStory(twoAgain, { [hook]: envForEach('REGION'), [side]: inject('containers', late) }),
  ],
  [
    'a sidecar that brings along what the others are given',
    podStory(two, {
      [hook]: envForEach('REGION'),
      [side]: inject('containers', { ...late, env: [{ name: 'REGION', value: 'own' }] }),
    }),
  ],
  [
    'one container treated out of two: it was meant alone',
    podStory(
      two,
      {
        [hook]: always(add('/spec/containers/0/env', [{ name: 'A', value: 'x' }])),
        [side]: inject('containers', late),
      },
      {
        sent: [
          podOf({
            containers: [
              { name: 'web', image: 'web:1' },
              { name: 'log', image: 'log:1' },
            ],
          }),
        ],
      },
    ),
  ],
  [
    'the treated container comes first',
    podStory(two, { [hook]: inject('containers', late), [side]: envForEach('REGION') }),
  ],
  [
    'a field of what another added is changed',
    podStory(two, {
      [hook]: inject('containers', late),
      [side]: ({ object }) => ({
        patch: itemsOf(object, 'containers').map((_one, at) => ({
          op: 'replace',
          path: `/spec/containers/${at}/image`,
          value: 'mirror.local/x',
        })),
      }),
    }),
  ],
  [
    'the same label with the same value',
    podStory(
      twoAgain,
      { [hook]: always(add('/metadata/labels/team', 'a')), [side]: always(add('/metadata/labels/team', 'a')) },
      { sent: [podOf({}, { labels: { app: 'web' } })] },
    ),
  ],
  [
    'the client sent a list with the same name twice: no webhook did',
    podStory(
      two,
      {},
      {
        sent: [
          podOf({
            containers: [
              {
                name: 'web',
                image: 'web:1',
                env: [
                  { name: 'A', value: '1' },
                  { name: 'A', value: '2' },
                ],
              },
            ],
          }),
        ],
      },
    ),
  ],
  [
    'a label that the objectSelector requires was there when it was looked at: with another value',
    podStory([podHook('a-hook', hook, { objectSelector: { matchLabels: { team: 'red' } } }), podHook('b-side', side)], {
      [side]: always(add('/metadata/labels', { team: 'blue' })),
    }),
  ],
  [
    'a field is removed that has no default, and one whose default is what it was',
    podStory(two, { [hook]: always({ op: 'remove', path: '/spec/containers/0/terminationMessagePath' }) }),
  ],
  [
    'a list is replaced by one that has all of it',
    podStory(two, {
      [hook]: inject('containers', late),
      [side]: ({ object }) => ({
        patch: [
          {
            op: 'replace',
            path: '/spec/containers',
            value: [...itemsOf(object, 'containers'), { name: 'more', image: 'm:1' }],
          },
        ],
      }),
    }),
  ],
];

const noteless = (story: RequestStory) =>
  traceOf(story).then((trace) => findingsOf(trace).filter(({ severity }) => severity !== 'note'));

const denies = { 'check.example.com': () => ({ allowed: false, status: { message: 'container web has no owner' } }) };
const account: RequestStory['before'] = [
  ['POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } }],
];

/** Refusals that only the client caused. */
const refused: readonly [what: string, story: RequestStory][] = [
  [
    'a webhook refuses what the client sent',
    podStory(
      two,
      { ...denies, [side]: inject('containers', late) },
      { validating: [podHook('c', 'check.example.com')] },
    ),
  ],
  [
    'a webhook refuses at once',
    podStory(two, {
      [hook]: () => ({ allowed: false, status: { message: 'late' } }),
      [side]: inject('containers', late),
    }),
  ],
  [
    'the client left out an image',
    podStory(two, { [side]: inject('containers', late) }, { sent: [podOf({ containers: [{ name: 'web' }] })] }),
  ],
  [
    'a patch that does not apply, and not for an index',
    podStory(two, { [hook]: always({ op: 'remove', path: '/metadata/labels/none' }) }),
  ],
  [
    'a webhook that fails closed was not passed by',
    podStory([podHook('a-hook', hook)], { [hook]: () => ({ outcome: 'failed', phase: 'connect', error: 'refused' }) }),
  ],
];

test.each(refused)('refused: %s', async (_what, story) => {
  expect((await traceOf(story)).verdict).toBe('refused');
  expect(await noteless({ before: account, ...story })).toEqual([]);
});

test.each(fine)('%s', async (_what, story) => {
  const trace = await traceOf(story);
  expect(trace.verdict).toBe('admitted');
  expect(findingsOf(trace).filter(({ severity }) => severity !== 'note')).toEqual([]);
});
