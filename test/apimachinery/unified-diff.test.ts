import { describe, expect, test } from 'vitest';
import { unifiedDiff } from '../../src/apimachinery/unified-diff.ts';

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

  test('texts of more than 5,000 lines are not compared', () => {
    const long = Array.from({ length: 5000 }, (_, at) => at);
    expect(unifiedDiff(long, [])).toBe('');
  });
});
