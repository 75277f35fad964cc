import type { JsonValue } from '../../apimachinery/json.ts';
import { jqFunctions } from './functions.ts';
import type { Run, Values } from './functions.ts';
import { forgiving, operate } from './operate.ts';
import { QueryFault } from './tree.ts';
import type { Query } from './tree.ts';
import { isTruth, itemsOf, memberOf } from './values.ts';

const mostSteps = 100_000;

/**
 * What a query makes of a value, nulls left out; nothing when any part of it fails. Follows KWOK pkg/utils/expression/query.go and
 * github.com/itchyny/gojq.
 */
export function runQuery(query: Query, value: JsonValue): readonly JsonValue[] {
  let steps = 0;
  const run: Run = (inner, input) => {
    steps += 1;
    if (steps > mostSteps) throw new QueryFault(`it takes more than ${mostSteps} steps`);
    return runOne(inner, input, run);
  };
  try {
    return [...run(query, value)].filter((made) => made !== null);
  } catch (error) {
    if (error instanceof QueryFault) return [];
    throw error;
  }
}

function* runOne(query: Query, input: JsonValue, run: Run): Values {
  switch (query.type) {
    case 'identity':
      yield input;
      break;
    case 'literal':
      yield query.value;
      break;
    case 'list':
      yield listOf(query.of, input, run);
      break;
    case 'operation':
      yield* operate(query, input, run);
      break;
    case 'call':
      yield* call(query, input, run);
      break;
    case 'member':
    case 'each':
    case 'optional':
      yield* runPath(query, input, run);
      break;
    case 'pipe':
    case 'both':
    case 'choice':
      yield* runPair(query, input, run);
  }
}

const listOf = (query: Query | undefined, input: JsonValue, run: Run): readonly JsonValue[] =>
  query ? [...run(query, input)] : [];

function call({ name, args }: Extract<Query, { readonly type: 'call' }>, input: JsonValue, run: Run): Values {
  return jqFunctions.get(`${name}/${args.length}`)?.(input, args, run) ?? [];
}

type Path = Extract<Query, { readonly type: 'member' | 'each' | 'optional' }>;
type Pair = Extract<Query, { readonly type: 'pipe' | 'both' | 'choice' }>;

function* runPath(query: Path, input: JsonValue, run: Run): Values {
  if (query.type === 'optional') yield* forgiving(run(query.of, input));
  else if (query.type === 'each') for (const of of run(query.of, input)) yield* itemsOf(of);
  else for (const of of run(query.of, input)) for (const key of run(query.key, input)) yield memberOf(of, key);
}

function* runPair(query: Pair, input: JsonValue, run: Run): Values {
  if (query.type === 'pipe') for (const value of run(query.first, input)) yield* run(query.second, value);
  else if (query.type === 'both') {
    yield* run(query.first, input);
    yield* run(query.second, input);
  } else for (const test of run(query.test, input)) yield* run(isTruth(test) ? query.yes : query.no, input);
}
