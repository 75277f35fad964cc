import { expect, test } from 'vitest';
import { requireLater } from './require-later.mjs';

/** What comes of the code where `require` tells what it was asked for. */
function run(code: string): { readonly exported: Record<string, () => unknown>; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const exported: Record<string, () => unknown> = {};
  const require = (id: string): object => {
    asked.push(id);
    return { id, again: { id } };
  };
  // oxlint-disable-next-line no-implied-eval, no-new-func -- it is what is tested
  new Function('require', 'exports', requireLater(code))(require, exported);
  return { exported, asked };
}

const head = 'const require_a = require("./chunks/a.cjs");\nconst require_a$1 = require("./chunks/a-1.cjs");\n';

test('a file is required where it is first used, once', () => {
  const { exported, asked } = run(
    `${head}exports.a = () => require_a.id + require_a.again.id;\nexports.b = () => require_a$1.id;`,
  );
  expect(asked).toEqual([]);
  expect(exported['a']?.()).toBe('./chunks/a.cjs./chunks/a.cjs');
  exported['a']?.();
  expect(asked).toEqual(['./chunks/a.cjs']);
  expect(exported['b']?.()).toBe('./chunks/a-1.cjs');
});

test('at once where the file itself uses it', () => {
  expect(run(`${head}exports.a = require_a.id;`).asked).toEqual(['./chunks/a.cjs']);
});

test.each(['require("./chunks/rolldown-runtime.cjs");', 'let node_fs = require("node:fs");', 'x.require_b.c();'])(
  '%s stands as it was',
  (code) => {
    expect(requireLater(code)).toBe(code);
  },
);
