import { expect, test } from 'vitest';
import { namesInOrder } from '../../src/admission/builtin/enabled-plugins.ts';
import { ownInChain, placedAmong } from '../../src/admission/own-plugin.ts';
import type { OwnPlugin } from '../../src/admission/own-plugin.ts';
import { clusterOf, creating, object, portsOf } from '../harness/builtin-plugin.ts';

const request = creating(object('v1', 'ConfigMap', 'c', { data: { a: '1' } }), 'configmaps');
const asked = (mutate: NonNullable<OwnPlugin['mutate']>) =>
  ownInChain({ name: 'Mine', mutate }).mutate?.(request, portsOf(clusterOf({})));

test('an own plugin changes the object it is given, and not the request', async () => {
  const answer = await asked(({ object: given, warn }) => {
    if (given) Object.assign(given, { data: { a: '2' } });
    warn('changed');
  });
  expect(answer).toMatchObject({ ok: true, value: { object: { data: { a: '2' } }, warnings: ['changed'] } });
  expect(request.object).toMatchObject({ data: { a: '1' } });
});

test('one that changes nothing leaves the very object', async () => {
  const answer = await asked(() => {});
  expect(answer?.ok === true && answer.value.object).toBe(request.object);
});

test.each<[fact: string, act: NonNullable<OwnPlugin['mutate']>, code: number, message: string]>([
  ['denies', ({ deny }) => deny('not today'), 403, 'configmaps "c" is forbidden: not today'],
  [
    'throws',
    () => {
      throw new Error('oops');
    },
    500,
    'Internal error occurred: admission plugin "Mine" failed: oops',
  ],
])('one that %s ends the request', async (_fact, act, code, message) => {
  expect(await asked(act)).toMatchObject({ ok: false, status: { code, message } });
});

test.each<[where: object, order: readonly string[]]>([
  [{}, ['A', 'B', 'Mine', 'ResourceQuota']],
  [{ before: 'A' }, ['Mine', 'A', 'B', 'ResourceQuota']],
  [{ after: 'A' }, ['A', 'Mine', 'B', 'ResourceQuota']],
  [{ after: 'Disabled' }, ['A', 'B', 'ResourceQuota', 'Mine']],
])('placed %j', (where, order) => {
  expect(placedAmong(['A', 'B', 'ResourceQuota'], [{ name: 'Mine', ...where }])).toEqual(order);
});

test.each([
  [{ before: 'PodNodeSelector' }, 'PodSecurity'],
  [{ after: 'PodNodeSelector' }, 'PodSecurity'],
  [{ after: 'LimitRanger' }, 'NamespaceLifecycle'],
  [{}, 'ValidatingAdmissionWebhook'],
])('next to a plugin that does not run, it is where that one would be: %j', (where, before) => {
  const flags = { enable: [], disable: ['LimitRanger', 'ResourceQuota'] };
  const names = namesInOrder(flags, [{ name: 'Mine', ...where }]);
  expect(names[names.indexOf('Mine') - 1]).toBe(before);
  expect(names).not.toContain('LimitRanger');
});
