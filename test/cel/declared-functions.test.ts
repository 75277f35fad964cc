import { expect, test } from 'vitest';
import builtin from '../../src/cel/builtin/declarations.json' with { type: 'json' };
import { functionRows, operationOf } from '../../src/cel/library/functions.ts';

const declared = builtin.functions.map(([name, id]) => ({ name: String(name), id: String(id) }));

/** Operators and fallbacks evaluate their operands themselves: src/cel/run/plan-call.ts. */
const plannedCalls = '_&&_ _||_ _?_:_ _[_] _[?_] _?._ @not_strictly_false or orValue'.split(' ');

test('every declared function has an operation and a cost', () => {
  const missing = declared.filter(({ name }) => operationOf(name) === undefined && !plannedCalls.includes(name));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('every function and every overload with a cost is declared', () => {
  const names = new Set(declared.map(({ name }) => name));
  const overloads = new Set(declared.map(({ name, id }) => `${name} ${id}`));
  const undeclared = functionRows.flatMap(([name, , , overloadCosts = {}]) => [
    ...(names.has(name) ? [] : [name]),
    ...Object.keys(overloadCosts).flatMap((id) => (overloads.has(`${name} ${id}`) ? [] : [`${name} ${id}`])),
  ]);
  // Declared by the environment of mutations alone.
  expect(undeclared).toEqual(['jsonpatch.escapeKey']);
});
