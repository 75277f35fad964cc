import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/apimachinery/json.ts';
import { parseQuery } from '../../../src/stages/query/parse.ts';
import { runQuery } from '../../../src/stages/query/run.ts';

const data: JsonObject = {
  metadata: { labels: { 'a/b': 'c' }, finalizers: [] },
  status: {
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
    counts: [3, 1, 2],
  },
  none: null,
};

function made(source: string): readonly JsonValue[] | string {
  const reading = parseQuery(source);
  return reading.outcome === 'read' ? runQuery(reading.query, data) : reading.error;
}

// What gojq makes of them, as KWOK keeps it: no nulls, nothing at all after a fault.
test.each<readonly [source: string, values: readonly JsonValue[]]>([
  ['.status.phase', ['Running']],
  ['.metadata.labels["a/b"]', ['c']],
  ['.metadata.labels."a/b"', ['c']],
  ['.missing.deeper', []],
  ['.none', []],
  ['.metadata.deletionTimestamp', []],
  ['.status.conditions.[].type', ['Ready', 'Other']],
  ['.status.conditions[] | select(.type == "Ready") | .status', ['True']],
  ['.status.conditions.[] | select( .type == "None" ) | .status', []],
  ['.status.phase.deeper', []],
  ['.status.phase[]', []],
  ['.status.conditions[].type, .status.phase[]', []],
  ['.status.conditions[0].type', ['Ready']],
  ['.status.counts[-1]', [2]],
  ['.missing // "none"', ['none']],
  ['.status.counts | length', [3]],
  ['.status.counts | add', [6]],
  ['.status.counts | sort', [[1, 2, 3]]],
  ['[.status.counts[] | . * 2]', [[6, 2, 4]]],
  ['.status.counts | map(. > 1)', [[true, false, true]]],
  ['.status.counts | any(. == 2)', [true]],
  ['.status.counts | all(. == 2)', [false]],
  ['.status | has("phase") and (has("x") | not)', [true]],
  ['if .status.phase == "Running" then 1 else 2 end', [1]],
  ['if false then 1 elif true then 2 else 3 end', [2]],
  ['.metadata.labels | keys', [['a/b']]],
  ['.status.phase | startswith("Run")', [true]],
  ['.status.phase | length > 3 and . != "Pending"', [true]],
  ['.status.phase.x?', []],
  ['-1', [-1]],
  ['1 + 2 * 3', [7]],
  ['(1 + 2) * 3', [9]],
])('%s', (source, values) => {
  expect(made(source)).toEqual(values);
});

test.each<readonly [source: string, problem: string]>([
  ['.a |', '".a |": it ends too soon'],
  ['.a)', '".a)": unexpected ")"'],
  ['.[', '".[": it ends too soon'],
  ['$x', '"$x": "$" is not supported'],
  ['test("a+")', '"test(\\"a+\\")": test/1 is not supported'],
  ['select', '"select": select/0 is not supported'],
  ['{a: 1}', '"{a: 1}": "{" is not supported'],
  ['('.repeat(60), `${JSON.stringify('('.repeat(60))}: there are more than 50 levels`],
])('%s is refused', (source, problem) => {
  expect(made(source)).toBe(problem);
});
