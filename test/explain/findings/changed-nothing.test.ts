import { expect, test } from 'vitest';
import { findingsOf } from '../../../src/explain/findings/findings-of.ts';
import { type RequestStory, traceOf } from '../../harness/trace-requests.ts';
import { add, again, always, inject, podHook, podOf, podStory } from '../../harness/pod-story.ts';

const late = { name: 'late', image: 'late:1' };
const hook = 'hook.example.com';
const side = 'side.example.com';
const two = [podHook('a-hook', hook), podHook('b-side', side)];

const rows: readonly [fact: string, story: RequestStory, titles: readonly string[]][] = [
  [
    'nothing to change, and a container comes later',
    podStory(two, { [side]: inject('containers', late) }),
    [
      'hook.example.com (a-hook) was called and changed nothing; changes made later by side.example.com (b-side) were not seen (container late): its reinvocationPolicy is Never',
    ],
  ],
  [
    'it is called again and has nothing to change in the late one either',
    podStory([podHook('a-hook', hook, again), podHook('b-side', side)], { [side]: inject('containers', late) }),
    [],
  ],
  [
    'it would be called again, and the request is refused before the second round',
    podStory([podHook('a-hook', hook, again), podHook('b-side', side), podHook('c-no', 'no.example.com')], {
      [side]: inject('containers', late),
      'no.example.com': () => ({ allowed: false }),
    }),
    [],
  ],
  ['only a label comes later', podStory(two, { [side]: always(add('/metadata/labels', { a: 'b' })) }), []],
  ['no webhook changes anything', podStory(two), []],
  [
    'a patch for what is there',
    podStory(
      two,
      { [hook]: always(add('/metadata/labels/team', 'red')) },
      { sent: [podOf({}, { labels: { team: 'red' } })] },
    ),
    ['hook.example.com (a-hook) sent a patch that changed nothing'],
  ],
  [
    'it changed something in the first round and nothing in the second',
    podStory([podHook('a-hook', hook, again), podHook('b-side', side)], {
      [hook]: always(add('/metadata/labels', { team: 'red' })),
      [side]: inject('containers', late),
    }),
    [],
  ],
];

test.each(rows)('%s', async (_fact, story, titles) => {
  const found = findingsOf(await traceOf(story)).filter(({ rule }) => rule === 'changed-nothing');
  expect(found.map(({ title }) => title)).toEqual(titles);
});
