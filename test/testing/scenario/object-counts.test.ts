import { expect, test } from 'vitest';
import { checkObjectCounts, type Counts } from '../../../src/testing/scenario/expect/object.ts';
import { expecting } from '../../harness/scenario.ts';

test.each<readonly [string, Counts | undefined, readonly string[]]>([
  ['as many as wanted', { pods: 2, replicasets: 0 }, []],
  ['fewer', { pods: 1, replicasets: 0 }, ['2 pods were expected once the controllers were idle, and there are 1']],
  ['an unknown resource', { pods: 2, replicasets: 'the server has none' }, ['replicasets: the server has none']],
  ['not counted', undefined, ['pods: not counted', 'replicasets: not counted']],
])('%s', (_fact, counts, messages) => {
  const failures = checkObjectCounts(expecting({ settled: { pods: 2, replicasets: 0 } }), counts);
  expect(failures.map(({ message }) => message)).toEqual(messages);
});
