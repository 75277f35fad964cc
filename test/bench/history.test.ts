import { expect, test } from 'vitest';
import { type Acknowledged, createHistory, type Observed } from './history.ts';

/** `create 5 x 1-2`: act, revision, value, times of request and response; `-` for nothing. */
function acknowledged(text: string): Acknowledged {
  const [act = '', revision = '', value = '', time = ''] = text.split(' ');
  const [sentAt = 0, receivedAt = 0] = time.split('-').map(Number);
  return {
    key: 'k',
    act: actOf(act),
    sentAt,
    receivedAt,
    ...(revision === '-' ? {} : { revision: Number(revision) }),
    ...(value === '-' ? {} : { value }),
  };
}

function actOf(act: string): Acknowledged['act'] {
  if (act !== 'create' && act !== 'update' && act !== 'delete' && act !== 'read') throw new Error(act);
  return act;
}

function observed(text: string): Observed {
  const [type, revision, value = ''] = text.split(' ');
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') throw new Error(type);
  return { key: 'k', type, revision: Number(revision), value };
}

const life = ['ADDED 2 a', 'MODIFIED 5 b', 'DELETED 9 b'];
const lived = ['create 2 a 1-2', 'update 5 b 3-4', 'delete - - 5-6'];

// Source: M. Herlihy, J. Wing, Linearizability: a correctness condition for concurrent objects.
test.each<[what: string, acts: readonly string[], events: readonly string[], open: number, faults: readonly string[]]>([
  ['a life', lived, life, 0, []],
  ['a read in time', [...lived, 'read 5 b 3-5'], life, 0, []],
  ['a read beside a write may see either', [...lived, 'read 2 a 3-5'], life, 0, []],
  ['a stale read', [...lived, 'read 2 a 5-6'], life, 0, ['k: read revision 2 after 5 was acknowledged']],
  ['a read of the future', [...lived, 'read 5 b 1-2'], life, 0, ['k: read revision 5 before its write was sent']],
  ['a read of another value', [...lived, 'read 5 a 4-4'], life, 0, ['k: read a at revision 5, which is b']],
  [
    'a read of a revision that was never written',
    [...lived, 'read 3 a 3-3'],
    life,
    0,
    ['k: read revision 3, which was never written'],
  ],
  [
    'a write that was lost',
    lived,
    ['ADDED 2 a', 'DELETED 9 a'],
    0,
    [
      'k: 3 writes were acknowledged, and the watch saw 2',
      'k: update at revision 5 was acknowledged, and the watch did not see it',
    ],
  ],
  [
    'a write that was duplicated',
    ['create 2 a 1-2'],
    ['ADDED 2 a', 'ADDED 3 a'],
    0,
    ['k: ADDED at revision 3 does not follow from the state before', 'k: 2 events for 1 writes and 0 open ones'],
  ],
  ['a write whose client disconnected', [], ['ADDED 2 a'], 1, []],
  ['a write whose client disconnected and that did not happen', [], [], 1, []],
  [
    'a value that differs from the one sent',
    ['create 2 a 1-2'],
    ['ADDED 2 b'],
    0,
    ['k: create of a was observed as b'],
  ],
  [
    'revisions out of order',
    ['create 5 a 1-2', 'update 3 b 3-4'],
    ['ADDED 5 a', 'MODIFIED 3 b'],
    0,
    ['k: the watch shows revision 3 after 5', 'k: update got revision 3 after 5'],
  ],
])('%s', (...row) => {
  const [, acts, events, open, faults] = row;
  const history = createHistory();
  for (const act of acts) history.acknowledge(acknowledged(act));
  for (let count = 0; count < open; count += 1) history.leaveOpen('k');
  for (const event of events) history.observe(observed(event));
  expect(history.faults()).toEqual(faults);
});
