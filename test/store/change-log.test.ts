import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/apimachinery/object.ts';
import { createChangeLog } from '../../src/store/change-log.ts';

const configMaps = { group: '', resource: 'configmaps' };
const secrets = { group: '', resource: 'secrets' };
const objectOf = (text: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default' },
  data: { text },
});

test('of changes that take 400 MiB the older half is forgotten, of no other resource', () => {
  const log = createChangeLog(0);
  const object = objectOf('x'.repeat(1024 * 1024));
  log.append(secrets, { type: 'created', object: objectOf('x'), revision: 1 });
  for (let revision = 2; revision <= 401; revision += 1) log.append(configMaps, { type: 'created', object, revision });
  expect(log.after(configMaps, 1)).toBeUndefined();
  const left = log.after(configMaps, 300) ?? [];
  expect(left.map(({ revision }) => revision)).toEqual(Array.from({ length: 101 }, (_none, at) => 301 + at));
  expect(log.after(secrets, 0)).toHaveLength(1);
  expect(log.fork().after(configMaps, 1)).toBeUndefined();
});

test('small ones are remembered by their number: 2,000 at least', () => {
  const log = createChangeLog(0);
  const object = objectOf('x');
  for (let revision = 1; revision <= 4001; revision += 1) log.append(configMaps, { type: 'created', object, revision });
  expect(log.after(configMaps, 1999)).toBeUndefined();
  expect(log.after(configMaps, 2000)).toHaveLength(2001);
});

test('and the older half of what came since, when that is too much again', () => {
  const log = createChangeLog(0);
  const object = objectOf('x'.repeat(1024 * 1024));
  for (let revision = 1; revision <= 1000; revision += 1) log.append(configMaps, { type: 'created', object, revision });
  expect(log.after(configMaps, 500)).toBeUndefined();
  expect(log.after(configMaps, 999)).toHaveLength(1);
});
