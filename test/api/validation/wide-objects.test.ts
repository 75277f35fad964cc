import { expect, test } from 'vitest';
import { limitRange, secret } from '../../../src/api/codec/defaults/core.ts';
import { withEntry } from '../../../src/api/strategy/workloads.ts';
import { validateParameters } from '../../../src/api/validation/storage/storage-class.ts';
import { validateResourceQuotaUpdate, validateResourceQuota } from '../../../src/api/validation/core/quota.ts';
import { createTestWorld } from '../../harness/world.ts';

// Maps of resources, labels and addresses are gone through in turns.

const wide = (count: number, value = '-1'): { [name: string]: string } =>
  Object.fromEntries(Array.from({ length: count }, (_none, at) => [`n${at}`, value]));
const head = (kind: string) => ({ apiVersion: 'v1', kind, metadata: { name: 'n', resourceVersion: '1' } });

test('limits that follow from others come before those that were said, labels in their order', () => {
  const limits = [{ type: 'Container', default: { m: '2' }, max: { z: '1', a: '1' } }];
  const made = limitRange({ ...head('LimitRange'), spec: { limits } }).spec?.limits?.[0];
  expect(JSON.stringify([made?.default, made?.defaultRequest])).toBe(
    '[{"z":"1","a":"1","m":"2"},{"z":"1","a":"1","m":"2"}]',
  );
  expect(JSON.stringify([withEntry({ c: '1', a: '1' }, 'b', '2'), withEntry({ b: '1', a: '1' }, 'b', '2')])).toBe(
    '[{"a":"1","b":"2","c":"1"},{"a":"1","b":"2"}]',
  );
});

test('the errors of the counted resources of a quota are limited', () => {
  const quota = { ...head('ResourceQuota'), spec: {} };
  const reported = validateResourceQuotaUpdate({ ...quota, status: { hard: wide(20_000) } }, quota, 'status').length;
  expect(reported).toBeGreaterThan(1_000);
  expect(reported).toBeLessThan(6_000);
});

test('texts of a Secret overwrite its data, the others come after it', () => {
  const made = secret({ ...head('Secret'), data: { a: 'YQ==', b: 'YQ==' }, stringData: { c: 'c', a: 'b' } });
  expect(JSON.stringify(made.data)).toBe('{"a":"Yg==","b":"YQ==","c":"Yw=="}');
});

test('of too many parameters only the names are counted', () => {
  let reads = 0;
  const get = (target: { [name: string]: string }, name: string | symbol): unknown => {
    reads += 1;
    return Reflect.get(target, name);
  };
  expect(validateParameters(new Proxy(wide(20_000), { get }))).toMatchObject([{ type: 'FieldValueTooLong' }]);
  expect(reads).toBeLessThan(10);
});

const scopesOf = (count: number): string[] => Array.from({ length: count }, (_none, at) => `Scope${at}`);
const quotaOf = (scopes: string[], hard: Readonly<Record<string, string>> = {}) =>
  validateResourceQuota({ apiVersion: 'v1', kind: 'ResourceQuota', spec: { scopes, hard } });

// Source: kubernetes pkg/apis/core/validation validateResourceQuotaScopes, where each error prints all scopes. The bound is ours.
test.each([
  [2, 2],
  [20_000, 34],
])('of %i unknown scopes %i are reported: each error prints all of them', (count, reported) => {
  const complaints = quotaOf(scopesOf(count));
  expect(complaints).toHaveLength(reported);
  expect(complaints[0]).toMatchObject({ field: 'spec.scopes', detail: 'unsupported scope' });
});

test('a scope that does not fit a resource is reported for each of these resources', () => {
  const complaints = quotaOf(['BestEffort', 'Unknown'], { cpu: '1', memory: '1', pods: '1' });
  expect(complaints.map(({ detail }) => detail)).toEqual([
    'unsupported scope applied to resource',
    'unsupported scope applied to resource',
    'unsupported scope',
  ]);
});

// Numbers above 2^53 are numbers as others where they stand in what is compared or named in an error.
const large = 9_007_199_254_741_052;

test('very long tolerations of a RuntimeClass are distinguished', async () => {
  const world = await createTestWorld();
  const toleration = (tolerationSeconds: number): object => ({
    key: 'a',
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  });
  const create = (name: string, tolerations: readonly object[]) =>
    world.send('POST', '/apis/node.k8s.io/v1/runtimeclasses', {
      metadata: { name },
      handler: 'h',
      scheduling: { tolerations },
    });
  expect((await create('one', [toleration(large), toleration(large + 2)])).code).toBe(201);
  const twice = await create('two', [toleration(large), toleration(large)]);
  expect([twice.code, twice.message]).toEqual([
    422,
    expect.stringContaining('scheduling.tolerations[1]: Duplicate value'),
  ]);
});

test('a capacity without storage is named as it was given', async () => {
  const world = await createTestWorld();
  const answer = await world.send('POST', '/api/v1/persistentvolumes', {
    metadata: { name: 'v' },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { cpu: large }, hostPath: { path: '/a' } },
  });
  expect([answer.code, answer.message]).toEqual([422, expect.stringContaining('spec.capacity: Unsupported value')]);
});
