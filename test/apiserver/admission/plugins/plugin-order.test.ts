import { expect, test } from 'vitest';
import { builtinNames } from '../../../../src/apiserver/admission/plugins/builtin-plugins.ts';
import {
  admissionPlugins,
  admissionPluginsOf,
  enabledNames,
} from '../../../../src/apiserver/admission/plugins/plugin-order.ts';

// Source: kubernetes pkg/kubeapiserver/options/plugins.go and plugins_test.go
const facts: readonly [
  fact: string,
  enable: readonly string[],
  disable: readonly string[],
  name: string,
  runs: boolean,
][] = [
  ['NamespaceLifecycle runs by default', [], [], 'NamespaceLifecycle', true],
  ['AlwaysDeny does not', [], [], 'AlwaysDeny', false],
  ['a plugin can be enabled', ['AlwaysDeny'], [], 'AlwaysDeny', true],
  ['a default plugin can be disabled', [], ['ServiceAccount'], 'ServiceAccount', false],
];
test.each(facts)('%s', (_fact, ...[enable, disable, name, runs]) => {
  expect(enabledNames({ enable, disable }).includes(name)).toBe(runs);
});

test('the flags do not alter the order', () => {
  const names = enabledNames({ enable: ['AlwaysDeny', 'AlwaysAdmit'], disable: [] });
  expect([names[0], names.at(-1)]).toEqual(['AlwaysAdmit', 'AlwaysDeny']);
});

test('every compiled-in plugin has a place in the order', () => {
  expect([...builtinNames].filter((name) => !admissionPlugins.inOrder.includes(name))).toEqual([]);
});

test('there are 41 plugins, 27 of which run by default', () => {
  expect([admissionPlugins.inOrder.length, admissionPlugins.byDefault.length]).toEqual([41, 27]);
});

// Source: kubernetes pkg/kubeapiserver/options/plugins.go of each release.
test.each([
  [34, 36, 22],
  [35, 37, 23],
  [36, 41, 27],
  [37, 39, 25],
])('1.%i knows %i plugins, %i of which run by default', (minor, all, byDefault) => {
  const { inOrder, byDefault: standard } = admissionPluginsOf(minor);
  expect([inOrder.length, standard.length]).toEqual([all, byDefault]);
});
