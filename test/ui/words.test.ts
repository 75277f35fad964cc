import { expect, test } from 'vitest';
import { accountName, clockTime, durationText, objectName, plural } from '../../src/ui/words.ts';

const durations: readonly [milliseconds: number, text: string][] = [
  [0, '0.0 ms'],
  [9.94, '9.9 ms'],
  [12.6, '13 ms'],
  [1500, '1.5 s'],
  [34_000, '34 s'],
];

test.each(durations)('%d ms are %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

const names: readonly [object: Parameters<typeof objectName>[0], text: string][] = [
  [{ namespace: 'shop', name: 'web', resource: 'pods' }, 'shop/web'],
  [{ namespace: '', name: 'admin', resource: 'clusterroles' }, 'admin'],
  [{ namespace: 'shop', name: 'shop', resource: 'namespaces' }, 'shop'],
  [{ namespace: 'shop', name: '', resource: 'pods' }, 'shop/–'],
];

test.each(names)('%j is shown as %s', (object, text) => {
  expect(objectName(object)).toBe(text);
});

test('times have milliseconds, counts their plural', () => {
  expect(clockTime(new Date(2026, 0, 2, 3, 4, 5, 6).getTime())).toBe('03:04:05.006');
  expect([plural(1, 'request'), plural(0, 'request'), plural(10_000, 'request')]).toEqual([
    '1 request',
    '0 requests',
    '10,000 requests',
  ]);
});

test.each([
  ['alice', 'alice'],
  ['system:serviceaccount:payments:deployer', 'deployer'],
  ['system:kube-scheduler', 'system:kube-scheduler'],
  ['', ''],
])('the user %s is listed as %s', (user, name) => {
  expect(accountName(user)).toBe(name);
});
