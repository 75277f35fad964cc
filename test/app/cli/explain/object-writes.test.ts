import { expect, test } from 'vitest';
import {
  mainWrite,
  type NamedObject,
  noWriteText,
  ownedWrites,
  typeAndName,
  writesOf,
} from '../../../../src/app/cli/explain/object-writes.ts';
import type { KnownResource } from '../../../../src/adapters/config/kubeconfig/discovery.ts';
import { someSummary } from '../../../harness/trace-summary.ts';

const row = (resource: string, kind: string, group = ''): KnownResource => ({
  group,
  version: 'v1',
  resource,
  kind,
  namespaced: true,
  otherNames: [],
});
const pods = row('pods', 'Pod');
const deployments = row('deployments', 'Deployment', 'apps');
const known = [pods, deployments, row('replicasets', 'ReplicaSet', 'apps')];
const web: NamedObject = { resource: pods, namespace: 'shop', name: 'web' };

test.each([
  ['pod/web', ['pod', 'web']],
  ['deploy.v1.apps/web', ['deploy.v1.apps', 'web']],
  ['last', undefined],
  ['pod/', undefined],
  ['/web', undefined],
  ['pods/web/log', undefined],
])('%s as type and name', (word, expected) => {
  expect(typeAndName(word)).toEqual(expected);
});

const idsOf = (writes: readonly { readonly id: string }[]): readonly string[] => writes.map(({ id }) => id);

test('the writes of an object and its subresources, the oldest first; not those of another', () => {
  const newestFirst = [
    someSummary({ id: 'status', resource: 'pods/status' }),
    someSummary({ id: 'exec', resource: 'pods/exec' }),
    someSummary({ id: 'other', name: 'other' }),
    someSummary({ id: 'elsewhere', namespace: 'default' }),
    someSummary({ id: 'kind', resource: 'podtemplates' }),
    someSummary({ id: 'create' }),
  ];
  expect(idsOf(writesOf(web, newestFirst))).toEqual(['create', 'exec', 'status']);
  expect(mainWrite(writesOf(web, newestFirst))?.id).toBe('exec');
  expect(mainWrite([someSummary({ id: 'only', resource: 'pods/status' })])?.id).toBe('only');
  expect(mainWrite([])).toBeUndefined();
});

test('a deployment has the replica sets that name it, and their pods, each attempt without a name by itself', () => {
  const pod = { owners: ['ReplicaSet/web-1'] };
  const newestFirst = [
    someSummary({ id: 'refused-2', name: '', verdict: 'refused', code: 403, ...pod }),
    someSummary({ id: 'refused-1', name: '', verdict: 'refused', code: 403, ...pod }),
    someSummary({ id: 'pod-status', name: 'web-1-a', resource: 'pods/status', ...pod }),
    someSummary({ id: 'pod', name: 'web-1-a', ...pod }),
    someSummary({ id: 'stranger', name: 'web-2-a', owners: ['ReplicaSet/web-2'] }),
    someSummary({ id: 'elsewhere', name: 'web-1-b', namespace: 'default', ...pod }),
    someSummary({ id: 'set', name: 'web-1', resource: 'replicasets.apps', owners: ['Deployment/web'] }),
  ];
  const family = ownedWrites({ ...web, resource: deployments }, newestFirst, known);
  expect(idsOf(family)).toEqual(['set', 'pod', 'refused-1', 'refused-2']);
});

test('a cycle of owners ends', () => {
  const newestFirst = [
    someSummary({ id: 'b', name: 'b', owners: ['Pod/web'] }),
    someSummary({ id: 'web', owners: ['Pod/b'] }),
  ];
  expect(idsOf(ownedWrites(web, newestFirst, known))).toEqual(['b', 'web']);
});

test('an unknown object is refused with a hint', () => {
  const start = 'there is no known write of pods web in shop';
  const other = someSummary({ namespace: 'default' });
  expect(noWriteText(web, [])).toBe(`${start}; kadmit requests lists the known ones`);
  expect(noWriteText(web, [other])).toBe(`${start}; namespace default has one: -n default`);
  expect(noWriteText(web, [someSummary({ name: 'wbe' })])).toBe(`${start}; did you mean "wbe"?`);
  expect(noWriteText(web, [someSummary({ name: 'wbe', namespace: 'default' })])).toMatch(/kadmit requests/);
});
