import { expect, test } from 'vitest';
import { estimateMemoryBytes } from '../../../src/machinery/memory-estimate.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { type ChangeLog, createChangeLog } from '../../../src/apiserver/storage/change-log.ts';

const configMaps = { group: '', resource: 'configmaps' };
const secrets = { group: '', resource: 'secrets' };
const objectOf = (text: string) => ({
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

/** Each takes a MiB, as memory-estimate counts it. */
const ofMebibyte = objectOf('x'.repeat(1024 * 1024 - estimateMemoryBytes(objectOf(''))));
const ofTwoMebibytes = objectOf('x'.repeat(2 * 1024 * 1024 - estimateMemoryBytes(objectOf(''))));

/** A log that has so many of them, from revision 1 on. */
function logOf(count: number): ChangeLog {
  const log = createChangeLog(0);
  for (let revision = 1; revision <= count; revision += 1) append(log, revision, ofMebibyte);
  return log;
}

const append = (log: ChangeLog, revision: number, object: KubernetesObject): void =>
  log.append(configMaps, { type: 'created', object, revision });

test('256 MiB are remembered to the last byte, and not one more', () => {
  const log = logOf(256);
  expect(log.after(configMaps, 0)).toHaveLength(256);
  log.append(secrets, { type: 'created', object: objectOf(''), revision: 257 });
  expect(log.after(configMaps, 0)).toBeUndefined();
  expect(log.after(configMaps, 128)).toHaveLength(128);
});

test('what was forgotten is counted no longer: as much has room again, to the last byte', () => {
  const log = logOf(257);
  for (let revision = 258; revision <= 384; revision += 1) append(log, revision, ofMebibyte);
  expect(log.after(configMaps, 128)).toHaveLength(256);
  append(log, 385, objectOf(''));
  expect(log.after(configMaps, 128)).toBeUndefined();
});

test('and not one byte more', () => {
  const log = logOf(257);
  for (let revision = 258; revision <= 383; revision += 1) append(log, revision, ofMebibyte);
  append(log, 384, objectOf(`${ofMebibyte.data.text}x`));
  expect(log.after(configMaps, 128)).toBeUndefined();
});

test('4,000 small ones are remembered; those forgotten by their number leave room too', () => {
  const log = createChangeLog(0);
  const object = objectOf('x'.repeat(40_000));
  for (let revision = 1; revision <= 4000; revision += 1) append(log, revision, object);
  expect(log.after(configMaps, 0)).toHaveLength(4000);
  for (let revision = 4001; revision <= 6000; revision += 1) append(log, revision, object);
  expect(log.after(configMaps, 2000)).toHaveLength(4000);
});

test('of several resources that one forgets which takes the most', () => {
  const log = logOf(200);
  for (let revision = 201; revision <= 257; revision += 1) {
    log.append(secrets, { type: 'created', object: ofMebibyte, revision });
  }
  expect(log.after(secrets, 200)).toHaveLength(57);
  expect(log.after(configMaps, 99)).toBeUndefined();
  expect(log.after(configMaps, 100)).toHaveLength(100);
});

test('of two that take as much that one forgets which was written to', () => {
  const log = logOf(127);
  for (let revision = 128; revision <= 256; revision += 1) {
    log.append(secrets, { type: 'created', object: ofMebibyte, revision });
  }
  append(log, 257, ofTwoMebibytes);
  expect(log.after(configMaps, 0)).toBeUndefined();
  expect(log.after(secrets, 127)).toHaveLength(129);
});

test('a watch from a future revision receives the changes after it', () => {
  const log = createChangeLog(0);
  const reported: number[] = [];
  log.follow(configMaps, 2, ({ revision }) => reported.push(revision));
  for (const revision of [1, 2, 3]) append(log, revision, objectOf(''));
  expect(reported).toEqual([3]);
});

test('what a log was not there for is expired; from its beginning on, and from that of what it remembers, it is followed', () => {
  const log = createChangeLog(5);
  expect(log.follow(configMaps, 4, () => {})).toEqual({ outcome: 'expired', oldest: 5 });
  expect(log.follow(configMaps, 5, () => {}).outcome).toBe('watching');
  expect(log.followAll(4, { onWrite: () => {} })).toEqual({ outcome: 'expired', oldest: 5 });
  expect(log.followAll(5, { onWrite: () => {} }).outcome).toBe('watching');
});

test('a follower of all resources receives old changes, oldest first, then new ones, until it is closed', () => {
  const log = createChangeLog(0);
  append(log, 1, objectOf('a'));
  log.append(secrets, { type: 'created', object: objectOf('b'), revision: 2 });
  log.append(secrets, { type: 'removed', object: objectOf('b'), previous: objectOf('b'), revision: 3 });
  append(log, 4, objectOf('c'));
  const reported: string[] = [];
  const watching = log.followAll(1, {
    onWrite: ({ key, revision, object }) =>
      reported.push(`${revision} ${key.resource.resource} ${object ? 'is' : 'is gone'}`),
  });
  append(log, 5, objectOf('d'));
  if (watching.outcome === 'watching') watching.close();
  append(log, 6, objectOf('e'));
  expect(reported).toEqual(['2 secrets is', '3 secrets is gone', '4 configmaps is', '5 configmaps is']);
});
