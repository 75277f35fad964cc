import { expect, test } from 'vitest';
import { limitRange, secret } from '../../../src/api/codec/defaults/core.ts';
import { withEntry } from '../../../src/api/strategy/workloads.ts';
import { parameterErrors } from '../../../src/api/validation/storage/csi.ts';
import { validateResourceQuotaUpdate } from '../../../src/api/validation/core/quota.ts';

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

test('of what a quota counts mistakes are told until nobody would hear them any more', () => {
  const quota = { ...head('ResourceQuota'), spec: {} };
  const told = validateResourceQuotaUpdate({ ...quota, status: { hard: wide(20_000) } }, quota, 'status').length;
  expect(told).toBeGreaterThan(1_000);
  expect(told).toBeLessThan(6_000);
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
  expect(parameterErrors(new Proxy(wide(20_000), { get }))).toMatchObject([{ type: 'FieldValueTooLong' }]);
  expect(reads).toBeLessThan(10);
});
