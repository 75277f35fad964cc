import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { expect, test } from 'vitest';
import { compile } from '../../src/cel/run/compile.ts';
import { createEnvironment } from '../../src/cel/check/environment.ts';
import { equals } from '../../src/cel/value/compare.ts';
import { evaluate } from '../../src/cel/run/evaluate.ts';
import { dynType } from '../../src/cel/check/type.ts';
import { unboxDouble, type Value } from '../../src/cel/value/value.ts';
import { type ConformanceTest, declaredTypes, readValue } from './conformance-value.ts';
import { skipReason } from './conformance-skips.ts';

// Source: the conformance suite of the CEL specification (cel-spec v0.25.1). What Kubernetes does not have is skipped,
// with its reason, in conformance-skips.ts.
interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: ConformanceTest }[];
}

interface Row {
  readonly title: string;
  readonly section: string;
  readonly original: ConformanceTest;
}

function rowsOf(suite: Suite, path: readonly string[]): readonly Row[] {
  const here = (suite.tests ?? []).map(({ original }) => ({
    title: [...path, original.name ?? original.expr].join('/'),
    section: path[0] ?? '',
    original,
  }));
  return [...here, ...(suite.suites ?? []).flatMap((child) => rowsOf(child, [...path, child.name]))];
}

const rows = rowsOf(tests as Suite, []); // The suite's own type hides the fields of a test.
const run = rows.filter((row) => skipReason(row.title, row.section, row.original) === undefined);

test('most of the suite is run', () => {
  expect(run.length).toBeGreaterThan(1300);
});

test.each(run.map((row): [string, ConformanceTest] => [row.title, row.original]))('%s', (_title, original) => {
  expect(verdict(original, outcomeOf(original))).toBe('as wanted');
});

function verdict(original: ConformanceTest, { value, error, compileError }: Outcome): string {
  if (wantsError(original))
    return error === undefined ? `found ${show(value ?? null)}, an error was wanted` : 'as wanted';
  if (isOnlyChecked(original)) return compileError ?? 'as wanted';
  if (value === undefined) return `failed: ${error}`;
  const wanted = readValue(original.value ?? original.typedResult?.result ?? { boolValue: true }) ?? null;
  return sameValue(value, wanted) ? 'as wanted' : `found ${show(value)}, not ${show(wanted)}`;
}

const wantsError = ({ evalError, anyEvalErrors }: ConformanceTest): boolean =>
  (evalError ?? anyEvalErrors) !== undefined;

const isOnlyChecked = ({ checkOnly, typedResult }: ConformanceTest): boolean =>
  checkOnly === true || (typedResult !== undefined && typedResult.result === undefined);

interface Outcome {
  readonly value?: Value;
  readonly error?: string;
  readonly compileError?: string;
}

function outcomeOf(original: ConformanceTest): Outcome {
  const bindings = new Map(
    Object.entries(original.bindings ?? {}).map(([name, { value }]) => [name, readValue(value)]),
  );
  const variables = new Map([...bindings.keys()].map((name) => [name, dynType]));
  for (const [name, type] of declaredTypes(original)) variables.set(name, type);
  const environment = createEnvironment({ version: 36, variables, checksLiterals: false });
  const compilation = compile(original.expr, environment);
  if (compilation.outcome === 'failed') return { error: compilation.error, compileError: compilation.error };
  const evaluation = evaluate(compilation.compiled, (name) => bindings.get(name));
  return evaluation.outcome === 'value' ? { value: evaluation.value } : { error: evaluation.error };
}

/** Equal in CEL; NaN is itself here, and an int is no double. */
function sameValue(found: Value, wanted: Value): boolean {
  const number = unboxDouble(wanted);
  if (number !== undefined) return Object.is(unboxDouble(found), number) || (number === 0 && unboxDouble(found) === 0);
  return equals(found, wanted);
}

const show = (value: Value): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
