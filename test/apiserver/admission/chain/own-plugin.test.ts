import { expect, test } from 'vitest';
import { orderPluginNames } from '../../../../src/apiserver/admission/plugins/builtin-plugins.ts';
import {
  wrapOwnPlugin,
  type OwnPlugin,
  insertOwnPlugins,
  describePluginOrder,
  readOwnPlugin,
} from '../../../../src/apiserver/admission/chain/own-plugin.ts';
import { clusterOf, creating, object, portsOf } from '../../../harness/builtin-plugin.ts';

const request = creating(object('v1', 'ConfigMap', 'c', { data: { a: '1' } }), 'configmaps');
const asked = (mutate: NonNullable<OwnPlugin['mutate']>) =>
  wrapOwnPlugin({ name: 'Mine', mutate }).mutate?.(request, portsOf(clusterOf({})));

test('an own plugin changes the object it is given, and not the request', async () => {
  const answer = await asked(({ object: given, warn }) => {
    if (given) Object.assign(given, { data: { a: '2' } });
    warn('changed');
  });
  expect(answer).toMatchObject({ ok: true, value: { object: { data: { a: '2' } }, warnings: ['changed'] } });
  expect(request.object).toMatchObject({ data: { a: '1' } });
});

test('what it leaves is what the kind has: unknown fields go, wrong types are its failure', async () => {
  const left = (data: unknown) => asked(({ object: given }) => void (given && Object.assign(given, { data, more: 1 })));
  expect(await left({ a: '3' })).toMatchObject({ ok: true, value: { object: { data: { a: '3' } } } });
  expect(JSON.stringify(await left({ a: '3' }))).not.toContain('more');
  expect(await left(7)).toMatchObject({
    ok: false,
    status: { code: 500, message: expect.stringContaining('admission plugin "Mine" failed: json') },
  });
});

test('an object that holds itself is a failure of the plugin', async () => {
  const answer = await asked(({ object: given }) => void (given && Object.assign(given, { data: given })));
  expect(answer).toMatchObject({ ok: false, status: { code: 500 } });
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
  expect(insertOwnPlugins(['A', 'B', 'ResourceQuota'], [{ name: 'Mine', ...where }])).toEqual(order);
});

test('several next to one plugin run in the order given', () => {
  const after = ['One', 'Two', 'Three'].map((name) => ({ name, after: 'A' }));
  expect(insertOwnPlugins(['A', 'B'], after)).toEqual(['A', 'One', 'Two', 'Three', 'B']);
  const before = ['One', 'Two'].map((name) => ({ name, before: 'B' }));
  expect(insertOwnPlugins(['A', 'B'], before)).toEqual(['A', 'One', 'Two', 'B']);
  const chained = [
    { name: 'One', before: 'B' },
    { name: 'Two', before: 'One' },
  ];
  expect(insertOwnPlugins(['A', 'B'], chained)).toEqual(['A', 'Two', 'One', 'B']);
});

test.each([
  ['A', 'A runs before B'],
  ['B', 'B runs after A and before C'],
  ['C', 'C runs after B'],
])('where %s runs', (name, text) => {
  expect(describePluginOrder(name, ['A', 'B', 'C'])).toBe(text);
});

const mutate = (): void => {};

test.each<[fact: string, value: unknown, problem: RegExp]>([
  ['no object', 'x', /^a plugin is \{ name/],
  ['no name', { mutate }, /^a plugin is \{ name/],
  ['does nothing', { name: 'Mine' }, /^a plugin is \{ name/],
  ['has something else than functions', { name: 'Mine', mutate, validate: 'x' }, /^a plugin is \{ name/],
  ['runs after no name', { name: 'Mine', after: 7, mutate }, /^a plugin is \{ name/],
  ['runs before no name', { name: 'Mine', before: 7, mutate }, /^a plugin is \{ name/],
  ['has the name of a compiled-in one', { name: 'LimitRanger', mutate }, /^there is a plugin LimitRanger already$/],
  ['has the name of another own one', { name: 'Other', mutate }, /^there is a plugin Other already$/],
  [
    'runs next to an unknown plugin',
    { name: 'Mine', after: 'Unknown', mutate },
    /^there is no plugin Unknown that Mine could run after$/,
  ],
  ['runs before and after', { name: 'Mine', before: 'Other', after: 'Priority', mutate }, /: say one$/],
  [
    'has an unknown operation',
    { name: 'Mine', operations: ['PATCH'], mutate },
    /^Mine has an operation PATCH; there are CREATE/,
  ],
])('refused: one that %s', (_fact, value, problem) => {
  expect(readOwnPlugin(value, [{ name: 'Other', mutate }])).toMatch(problem);
});

test('a plugin may run next to another own one', () => {
  const plugin = { name: 'Mine', before: 'Other', mutate };
  expect(readOwnPlugin(plugin, [{ name: 'Other', mutate }])).toBe(plugin);
});

test.each([
  [{ before: 'PodNodeSelector' }, 'PodSecurity'],
  [{ after: 'PodNodeSelector' }, 'PodSecurity'],
  [{ after: 'LimitRanger' }, 'NamespaceLifecycle'],
  [{}, 'ValidatingAdmissionWebhook'],
])('next to a plugin that does not run, it is where that one would be: %j', (where, before) => {
  const flags = { enable: [], disable: ['LimitRanger', 'ResourceQuota'] };
  const names = orderPluginNames(flags, [{ name: 'Mine', ...where }]);
  expect(names[names.indexOf('Mine') - 1]).toBe(before);
  expect(names).not.toContain('LimitRanger');
});
