import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { unifiedDiff } from '../../../src/machinery/patch/unified-diff.ts';

// kube-apiserver v1.36.2 appends such texts to its errors; see apimachinery pkg/util/diff.
describe('how two values differ', () => {
  test.each([
    ['not at all', { a: 1 }, { a: 1 }, ''],
    ['one line of a few', { a: 1, b: 2 }, { a: 1, b: 3 }, '@@ -1,4 +1,4 @@\n {\n  "a": 1,\n- "b": 2\n+ "b": 3\n }\n'],
    [
      'a list that grows',
      { a: null },
      { a: ['<'] },
      '@@ -1,3 +1,5 @@\n {\n- "a": null\n+ "a": [\n+  "\\u003c"\n+ ]\n }\n',
    ],
    ['all of it', 1, 2, '@@ -1 +1 @@\n-1\n+2\n'],
  ])('%s', (_how, before, after, text) => {
    expect(unifiedDiff(before, after)).toBe(text);
  });

  test('changes more than six lines apart have hunks of their own, nearer ones share one', () => {
    const list = (...changed: number[]) => Array.from({ length: 30 }, (_, at) => (changed.includes(at) ? -at : at));
    const hunks = (text: string) => text.match(/^@@.*@@$/gm);
    expect(hunks(unifiedDiff(list(), list(5, 20)))).toEqual(['@@ -4,7 +4,7 @@', '@@ -19,7 +19,7 @@']);
    expect(hunks(unifiedDiff(list(), list(5, 11)))).toEqual(['@@ -4,13 +4,13 @@']);
  });

  // A bracket has a line, a list without items has one for both.
  const items = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
  const fields = (count: number): JsonObject => Object.fromEntries(items(count).map((at) => [`f${at}`, at]));
  test.each<[what: string, value: JsonValue, isCompared: boolean]>([
    ['5,000 lines of a list', items(4998), true],
    ['5,001 lines of a list', items(4999), false],
    ['5,000 lines of an object', fields(4998), true],
    ['5,001 lines of an object', fields(4999), false],
    ['5,000 lines of objects in a list', [{ a: items(4991), b: {}, c: undefined }, [], null], true],
    ['5,001 lines of objects in a list', [{ a: items(4992), b: {}, c: undefined }, [], null], false],
    ['two lists of 3,000', [items(3000), items(3000)], false],
    ['a text that fills 5,000 lines of a hundred', 'a'.repeat(499_999), true],
    ['a text that fills more', 'a'.repeat(500_000), false],
    ['a name that fills 5,000', { ['a'.repeat(499_799)]: 1 }, true],
    ['a name that fills more', { ['a'.repeat(499_800)]: 1 }, false],
  ])('%s', (_what, value, isCompared) => {
    expect(unifiedDiff(value, 'b') !== '').toBe(isCompared);
    expect(unifiedDiff('b', value) !== '').toBe(isCompared);
  });

  test('what is too long is not looked at further', () => {
    let reads = 0;
    const get = (target: readonly number[], name: string | symbol): unknown => {
      reads += 1;
      return Reflect.get(target, name);
    };
    expect(unifiedDiff([new Proxy(items(40_000), { get })], [])).toBe('');
    expect(reads).toBeLessThan(20);
  });
});
