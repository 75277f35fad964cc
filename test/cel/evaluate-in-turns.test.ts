import { expect, test } from 'vitest';
import { inTurns } from '../../src/apimachinery/in-turns.ts';
import type { Pause } from '../../src/apimachinery/pause.ts';
import { compile, compileAdmission, createVariables, evaluate, evaluateWithin } from '../../src/cel/index.ts';
import type { Compilation, Compiled, Evaluation } from '../../src/cel/index.ts';
import { dynType } from '../../src/cel/vocabulary.ts';
import { admissionEnvironment } from '../../src/cel/admission/admission-environment.ts';
import { impatient } from '../harness/impatient.ts';

// An expression may cost a million units, a tenth of a second of a processor. Its loops let others in, and go on.

const environment = admissionEnvironment({ stored: true });
const object = { spec: { items: Array.from({ length: 60 }, (_none, at) => ({ name: `n${at}`, value: at })) } };
const variables = (name: string) => (name === 'object' ? object : undefined);

function compiledOf(compilation: Compilation): Compiled {
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  return compilation.compiled;
}

const expressions: Readonly<Record<string, string>> = {
  'all in all': 'object.spec.items.all(a, object.spec.items.all(b, a.value + b.value >= 0))',
  'exists at the very end': 'object.spec.items.exists(a, a.name == "n59")',
  'exists in exists': 'object.spec.items.exists(a, object.spec.items.exists(b, a.value + b.value == 118))',
  'an error that a later element makes good': 'object.spec.items.exists(a, a.none == 1 || a.value == 59)',
  'an error that stays': 'object.spec.items.all(a, a.none == 1 || a.value < 59)',
  'a list of lists': 'object.spec.items.map(a, object.spec.items.filter(b, b.value < a.value).size())',
  'a failing filter': 'object.spec.items.filter(a, a.value < 30 || a.none).size()',
  'exactly one': 'object.spec.items.exists_one(a, object.spec.items.exists_one(b, a.value * b.value == 3481))',
  'a map of them': 'object.spec.items.transformMap(i, a, object.spec.items.all(b, b.value < 60))',
  'what a loop came to, before another':
    'object.spec.items.exists_one(a, a.value == 5) && object.spec.items.all(a, a.value >= 0)',
  'few elements, deep': `${['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((x) => `[1, 2, 3].all(${x}, `).join('')}a + g > 0${')'.repeat(7)}`,
  'one loop after the other': Array.from(
    { length: 20 },
    (_none, at) => `object.spec.items.all(a, a.value >= ${at - 20})`,
  ).join(' && '),
};

test.each(Object.entries(expressions))('%s: same value, same cost, and others are let in', async (_what, text) => {
  const compiled = compiledOf(compile(text, environment));
  const pause = impatient();
  let begun = 0;
  const slow = await inTurns(() => {
    begun += 1;
    return evaluate(compiled, variables);
  }, pause);
  const atOnce = evaluate(compiled, variables);
  expect(slow).toEqual(atOnce);
  expect(begun).toBeGreaterThan(Math.min(3, atOnce.cost / 1000));
});

test.each([1, 100, 1_000, 5_432, 20_000])(
  'it ends at a limit of %i as it does when nobody waits',
  async (costLimit) => {
    const compiled = compiledOf(compile(expressions['a list of lists'] ?? '', environment));
    const slow: Evaluation = await inTurns(() => evaluate(compiled, variables, { costLimit }), impatient());
    expect(slow).toEqual(evaluate(compiled, variables, { costLimit }));
  },
);

test('variables are evaluated once, in whichever loop they are met, and paid by who uses them first', async () => {
  const texts = {
    names: 'object.spec.items.map(a, a.name)',
    long: 'object.spec.items.filter(a, variables.names.exists(n, n == a.name)).size()',
  };
  const types = new Map(Object.keys(texts).map((name) => [name, dynType]));
  const compilationOf = (text: string) => compileAdmission(text, { stored: true, variables: types }, undefined);
  const compilations = new Map(Object.entries(texts).map(([name, text]) => [name, compilationOf(text)]));
  const compiled = compiledOf(
    compilationOf('object.spec.items.all(a, a.value < 30 || variables.long + variables.names.size() == 120)'),
  );
  const run = (pause?: Pause) => {
    const lookup = (name: string) => (name === 'variables' ? lazy.value : variables(name));
    const lazy = createVariables(compilations, lookup, {});
    return inTurns(() => evaluateWithin({ remaining: 1_000_000, lazy }, compiled, lookup), pause);
  };
  expect(await run(impatient())).toEqual(await run());
});
