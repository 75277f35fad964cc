import { expect, test } from 'vitest';
import type { ChainResource } from '../../src/explain/trace/chain-document.ts';
import { toChainRequest, type ChainQuestion, defaultQuestion } from '../../src/ui/chain-question.ts';

const resource = (over: Partial<ChainResource>): ChainResource => ({
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespaced: true,
  shortNames: [],
  ...over,
});
const choices = {
  resources: [
    resource({ shortNames: ['po'] }),
    resource({ subresource: 'exec' }),
    resource({ group: 'apps', resource: 'deployments', shortNames: ['deploy'] }),
    resource({ group: 'apps', resource: 'deployments', subresource: 'scale' }),
  ],
};
const ask = (over: Partial<ChainQuestion>) => toChainRequest({ ...defaultQuestion, ...over }, choices);

test.each([
  ['pods', { group: '', version: 'v1', resource: 'pods', subresource: '' }],
  [' po ', { resource: 'pods', subresource: '' }],
  ['pods/exec', { resource: 'pods', subresource: 'exec' }],
  ['deploy', { group: 'apps', resource: 'deployments' }],
  ['deployments.apps/scale', { group: 'apps', resource: 'deployments', subresource: 'scale' }],
])('%s resolves to its full name', (word, asked) => {
  expect(ask({ resource: word })).toMatchObject(asked);
});

test('an unknown resource is refused; a manifest replaces the resource', () => {
  expect(() => ask({ resource: 'podz' })).toThrow('This server has no resource podz.');
  expect(() => ask({ resource: '' })).toThrow('Which resource?');
  expect(ask({ resource: '', manifest: 'kind: Pod' })).toEqual({
    verb: 'create',
    namespace: 'default',
    user: 'kubernetes-admin',
    groups: ['system:masters'],
    manifest: 'kind: Pod',
  });
});

test('only the administrator is in system:masters', () => {
  expect(ask({ user: 'bob' })).toMatchObject({ user: 'bob', groups: [] });
});
