import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import { expect, test } from 'vitest';
import { check } from '../../src/cel/check/check.ts';
import { createEnvironment } from '../../src/cel/check/environment.ts';
import { issuesText } from '../../src/cel/syntax/issues.ts';
import { macros } from '../../src/cel/syntax/macros.ts';
import { parse } from '../../src/cel/syntax/parse.ts';
import { createSource } from '../../src/cel/syntax/source-text.ts';
import { messageTypeText } from '../../src/cel/check/type.ts';
import { declaredTypes } from './conformance-value.ts';
import { debugText } from './debug-text.ts';
import { goldenSkips } from './golden-skips.ts';

// Source: cel-go's own tests of its parser, and its checker, as cel-spec v0.25.1 carries them.
interface Golden {
  readonly original: Parameters<typeof declaredTypes>[0];
  readonly ast?: string;
  readonly type?: string;
  readonly error?: string;
}

const all: readonly (readonly [suite: string, tests: readonly Golden[]])[] = [
  ['parsing', parsing.tests ?? []],
  ['checking', checking.tests ?? []],
];
const rows = all.flatMap(([suite, tests]) =>
  tests.map((golden, index): [string, Golden] => [`${suite} ${index}: ${golden.original.expr.slice(0, 60)}`, golden]),
);
const isSkipped = (title: string, { original }: Golden): boolean =>
  goldenSkips.some(({ matches }) => matches(title, original.expr, JSON.stringify(original)));

const parsed = rows.filter(([title, golden]) => golden.ast !== undefined && !isSkipped(title, golden));

test.each(parsed)('%s becomes the same tree', (_title, { original, ast }) => {
  const parsing = parse(createSource(original.expr), macros);
  expect(parsing.outcome === 'parsed' ? debugText(parsing.ast.root) : parsing.issues).toBe(ast);
});

const isSyntaxError = ({ error }: Golden): boolean => error?.startsWith('ERROR: :') === true;
const refused = rows.filter(([title, golden]) => isSyntaxError(golden) && !isSkipped(title, golden));

test.each(refused)('%s is refused in the same words', (_title, { original, error }) => {
  const source = createSource(original.expr);
  const parsing = parse(source, macros);
  const found = parsing.outcome === 'invalid' ? issuesText(source, parsing.issues) : 'nothing';
  expect(found.replaceAll('<input>', '')).toBe(error);
});

const isStandard = ({ original }: Golden): boolean => original.container === undefined;
const typed = rows.filter(
  ([title, golden]) =>
    golden.ast !== undefined && isStandard(golden) && !isSyntaxError(golden) && !isSkipped(title, golden),
);

test.each(typed)('%s has the same type or complaint', (_title, { original, type, error }) => {
  const source = createSource(original.expr);
  const parsing = parse(source, macros);
  const variables = new Map(declaredTypes(original));
  const environment = createEnvironment({ version: 27, variables });
  const checking = parsing.outcome === 'parsed' ? check(parsing.ast, source, environment) : parsing;
  const found = checking.outcome === 'checked' ? messageTypeText(checking.checked.type) : undefined;
  const complaint = checking.outcome === 'invalid' ? issuesText(source, checking.issues) : undefined;
  expect({ type: found, error: complaint }).toEqual({ type, error });
});
