import { expect, test } from 'vitest';
import { createOwnWrites } from '../../../src/adapters/storage/etcd/writes.ts';
import { object } from '../../apiserver/storage/contract.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const [first, second] = [object('ns', 'a', 'first'), object('ns', 'a', 'second')];

test('what was written comes back once as the object it was', () => {
  const own = createOwnWrites();
  own.begun('/a', bytes('1'), first);
  own.begun('/b', bytes('2'), second);
  expect([own.take('/b', bytes('2')), own.take('/a', bytes('1')), own.take('/a', bytes('1'))]).toEqual([
    second,
    first,
    undefined,
  ]);
});

test('a write of another client in between is not mistaken for it', () => {
  const own = createOwnWrites();
  own.begun('/a', bytes('1'), first);
  expect([own.take('/a', bytes('of others')), own.take('/b', bytes('1')), own.take('/a', bytes('1'))]).toEqual([
    undefined,
    undefined,
    first,
  ]);
});

test('of two on their way to one path the later one is known; the other is read', () => {
  const own = createOwnWrites();
  own.begun('/a', bytes('1'), first);
  own.begun('/a', bytes('2'), second);
  expect([own.take('/a', bytes('1')), own.take('/a', bytes('2'))]).toEqual([undefined, second]);
});

test('what did not get there is forgotten', () => {
  const own = createOwnWrites();
  own.begun('/a', bytes('1'), first);
  own.refused('/a');
  expect(own.take('/a', bytes('1'))).toBeUndefined();
});

test('a thousand are remembered, the oldest go first', () => {
  const own = createOwnWrites();
  for (let index = 0; index <= 1000; index += 1) own.begun(`/${index}`, bytes('1'), first);
  expect([own.take('/0', bytes('1')), own.take('/1', bytes('1')), own.take('/1000', bytes('1'))]).toEqual([
    undefined,
    first,
    first,
  ]);
});
