import { expect, test } from 'vitest';
import { clusterFlags, readClusterOptions } from '../../../src/app/library/options.ts';

test.each<[options: object, config: object]>([
  [{}, { controllers: ['*'], nodes: 0 }],
  [
    { controllers: [], nodes: 2 },
    { controllers: [], nodes: 2 },
  ],
  [
    { map: { 'shop/a': 'http://localhost:1', 'shop/b': 'http://localhost:2' } },
    { map: [{ from: 'shop/a' }, { from: 'shop/b' }] },
  ],
  [{ assume: { '*': 'ignore' } }, { assume: [{ webhook: '*', verdict: 'ignore' }] }],
])('%j is a configuration', (options, config) => {
  expect(readClusterOptions('createWorld', options, clusterFlags)).toMatchObject(config);
});

test.each<[options: object, problem: string]>([
  [{ nodes: 1.5 }, 'createWorld: --nodes "1.5" is not a number of nodes: give one from 0 to 1000'],
  [{ coverage: 'perhaps' }, 'createWorld: --coverage "perhaps" is neither true nor false'],
])('%j makes no sense', (options, problem) => {
  expect(() => readClusterOptions('createWorld', options, clusterFlags)).toThrow(problem);
});
