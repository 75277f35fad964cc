import { expect, test } from 'vitest';
import { type StoredValue, type SharedAct, type SharedEvent, sharedFaults } from './shared-history.ts';

/** `update a v2 4->5 done 3-4`: act, key, value, expected and acknowledged revision, outcome, times of request and response; `-` for nothing. */
function act(text: string): SharedAct {
  const [name, key = '', value, revisions = '', outcome, time = '0-0'] = text.split(' ');
  const [expected, revision] = revisions.split('->');
  const [sentAt = 0, receivedAt = 0] = time.split('-').map(Number);
  return {
    key,
    act: oneOf(['create', 'update', 'delete', 'read'], name),
    outcome: oneOf(['done', 'refused', 'open'], outcome),
    sentAt,
    receivedAt,
    ...(value && value !== '-' ? { value } : {}),
    ...(expected ? { expected: Number(expected) } : {}),
    ...(revision ? { revision: Number(revision) } : {}),
  };
}

function oneOf<T extends string>(all: readonly T[], text: string | undefined): T {
  const match = all.find((candidate) => candidate === text);
  if (!match) throw new Error(text);
  return match;
}

/** `ADDED a 5 v1` */
function event(text: string): SharedEvent {
  const [type = '', key = '', revision, value = ''] = text.split(' ');
  return { type: oneOf(['ADDED', 'MODIFIED', 'DELETED'], type), key, revision: Number(revision), value };
}

const before = new Map<string, StoredValue>([['old', { revision: 2, value: 'v0' }]]);
const events = ['ADDED a 5 v1', 'MODIFIED a 6 v2', 'DELETED a 7', 'MODIFIED old 8 v3'];
const acts = [
  'create a v1 ->5 done 1-2',
  'update a v2 5->6 done 3-4',
  'delete a - 6-> done 5-6',
  'update old v3 2->8 done 7-8',
];

test.each<[what: string, events: readonly string[], acts: readonly string[], faults: readonly string[]]>([
  ['a correct history', events, acts, []],
  ['a write that was lost', events.slice(0, 3), acts, ['update old: acknowledged at 8, and not stored']],
  [
    'a deletion that was lost',
    ['ADDED a 5 v1', 'MODIFIED a 6 v2'],
    acts.slice(0, 3),
    ['delete a: acknowledged at ?, and not stored'],
  ],
  [
    'a write that was done twice',
    [...events, 'ADDED a 9 v1'],
    acts,
    ['v1 was written twice', 'create a: acknowledged at 5, and stored at 9'],
  ],
  ['a write that was never sent', [...events, 'ADDED b 9 v9'], acts, ['v9 was written, and never sent']],
  [
    'a refused write that is stored',
    [...events, 'ADDED b 9 v9'],
    [...acts, 'create b v9 -> refused'],
    ['create b: v9 was refused, and is stored at 9'],
  ],
  ['a refused write that is not', events, [...acts, 'create b v9 -> refused'], []],
  ['an open write that is stored', [...events, 'ADDED b 9 v9'], [...acts, 'create b v9 -> open'], []],
  ['an open write that is not', events, [...acts, 'create b v9 -> open', 'delete old - 8-> open'], []],
  [
    'a revision that differs from the acknowledged one',
    events,
    ['create a v1 ->4 done', ...acts.slice(1)],
    ['create a: acknowledged at 4, and stored at 5'],
  ],
  [
    'a revision acknowledged to two writes',
    events,
    [...acts, 'create b v9 ->5 done'],
    ['revision 5 was used twice', 'create b: acknowledged at 5, and not stored'],
  ],
  [
    'an update over another',
    events,
    [...acts.slice(0, 3), 'update old v3 1->8 done'],
    ['update old: was to replace 1, and replaced 2'],
  ],
  [
    'a create over an existing object',
    ['MODIFIED old 8 v3'],
    ['create old v3 ->8 done'],
    ['create old: was to replace nothing, and replaced 2'],
  ],
  ['a read in time', events, [...acts, 'read a v2 ->6 done 4-5', 'read a v1 ->5 done 3-9'], []],
  ['a stale read', events, [...acts, 'read a v1 ->5 done 5-6'], ['read a: read 5 after 6 was acknowledged']],
  [
    'a read after the deletion was acknowledged',
    events,
    [...acts, 'read a v2 ->6 done 7-8'],
    ['read a: read 6 after 7 was acknowledged'],
  ],
  [
    'a read of a value that was not stored',
    events,
    [...acts, 'read a v1 ->6 done 4-5'],
    ['read a: read v1 at 6, which is v2'],
  ],
])('%s', (...row) => {
  const [, past, sent, faults] = row;
  expect(sharedFaults({ before, events: past.map(event) }, sent.map(act), [])).toEqual(faults);
});

const state = (text: string): ReadonlyMap<string, StoredValue> =>
  new Map(
    text
      .split(',')
      .map((item) => item.split(' '))
      .map(([key = '', revision, value = '']) => [key, { revision: Number(revision), value }]),
  );

test.each<
  [
    what: string,
    since: number,
    received: readonly string[],
    more: { upTo?: number; listed?: string },
    faults: readonly string[],
  ]
>([
  ['everything', 4, events, {}, []],
  ['everything up to the cut', 4, events.slice(0, 2), {}, []],
  ['everything after the cut', 6, events.slice(2), { upTo: 8 }, []],
  ['nothing, as expected', 8, [], { upTo: 8 }, []],
  ['a gap', 4, ['ADDED a 5 v1', 'DELETED a 7'], {}, ['w: received DELETED a 7, expected MODIFIED a 6 v2']],
  ['too few events', 4, events.slice(0, 3), { upTo: 8 }, ['w: received nothing more, expected MODIFIED old 8 v3']],
  ['one event twice', 4, ['ADDED a 5 v1', 'ADDED a 5 v1'], {}, ['w: received ADDED a 5 v1, expected nothing']],
  ['out of order', 4, ['MODIFIED a 6 v2', 'ADDED a 5 v1'], {}, ['w: received MODIFIED a 6 v2, expected ADDED a 5 v1']],
  ['another value', 4, ['ADDED a 5 v9'], {}, ['w: received ADDED a 5 v9, expected ADDED a 5 v1']],
  ['a correct list', 6, [], { listed: 'old 2 v0,a 6 v2' }, []],
  [
    'an outdated list',
    6,
    [],
    { listed: 'old 2 v0,a 5 v1' },
    ['w: the list at 6 shows v1 at 5 of a, and the state was v2 at 6'],
  ],
  [
    'a list with a deleted object',
    7,
    [],
    { listed: 'old 2 v0,a 6 v2' },
    ['w: the list at 7 shows v2 at 6 of a, and the state was nothing'],
  ],
])('a watch that received %s', (...row) => {
  const [, since, received, { upTo, listed }, faults] = row;
  const watch = {
    name: 'w',
    since,
    events: received.map(event),
    ...(upTo === undefined ? {} : { upTo }),
    ...(listed ? { listed: state(listed) } : {}),
  };
  expect(sharedFaults({ before, events: events.map(event) }, acts.map(act), [watch])).toEqual(faults);
});
