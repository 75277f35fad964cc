import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { budgetText } from '../../../src/app/cli/budget/budget.ts';
import { plain } from '../../../src/explain/render/explain-page.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { computeBudgets, fittingTimeout } from '../../../src/analysis/lint/model/budget.ts';
import type { RequestBudget } from '../../../src/explain/trace/request-budget.ts';
import { createLintSet } from '../../../src/analysis/lint/model/lint-set.ts';
import { readLintText } from '../../../src/analysis/lint/model/lint-object.ts';
import { lintTime } from '../../harness/lint-text.ts';
import { configuration } from '../../harness/scenario.ts';

const budgetsIn = (text: string, client?: number): readonly RequestBudget[] =>
  computeBudgets(createLintSet(readLintText('set.yaml', text).objects, { isWhole: false, now: lintTime }), client);

const hook = (name: string, timeoutSeconds: number, change: JsonObject = {}): JsonObject => ({
  name,
  timeoutSeconds,
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
  ...change,
});
const again = { reinvocationPolicy: 'IfNeeded' };
const deactivated = (value: string): JsonObject => ({
  namespaceSelector: { matchLabels: { 'istio.io/deactivated': value } },
});
const inRevision = (value: string): JsonObject => ({ namespaceSelector: { matchLabels: { rev: value } } });

/** Source: apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go (one after the other), validating/dispatcher.go (at once). */
const sums: readonly [
  fact: string,
  mutating: readonly JsonObject[],
  validating: readonly JsonObject[],
  worstCase: number,
][] = [
  ['mutating ones add up', [hook('a', 5), hook('b', 7)], [], 12],
  ['of validating ones the slowest counts', [], [hook('a', 5), hook('b', 7)], 7],
  ['both', [hook('a', 5)], [hook('b', 7)], 12],
  ['10 s unless it says more', [{ ...hook('a', 1), timeoutSeconds: null }], [], 10],
  ['IfNeeded is called twice when there is another one', [hook('a', 5, again), hook('b', 7)], [], 17],
  ['one alone is never called again', [hook('a', 5, again)], [], 5],
  [
    'gatekeeper#2132: 3 s called twice, 3 s validating, and one other mutator',
    [hook('a', 3, again), hook('b', 2)],
    [hook('c', 3)],
    11,
  ],
  ['revisions exclude each other', [hook('a', 5, inRevision('1')), hook('b', 7, inRevision('2'))], [], 7],
  ['what Istio switched off does not count', [hook('a', 5), hook('b', 7, deactivated('never-match'))], [], 5],
  ['another value of that label may be set', [hook('a', 5), hook('b', 7, deactivated('yes'))], [], 12],
];

test.each(sums)('%s', (_fact, mutating, validating, worstCase) => {
  const text = [configuration('Mutating', 'm', mutating), configuration('Validating', 'v', validating)];
  expect(budgetsIn(text.map((one) => JSON.stringify(one)).join('\n---\n')).map((one) => one.worstCase)).toEqual([
    worstCase,
  ]);
});

test('what Istio switched off has no budget of its own', () => {
  const off = configuration('Mutating', 'm', [hook('a', 30, deactivated('never-match'))]);
  expect(budgetsIn(JSON.stringify(off))).toEqual([]);
});

test('the worst budget is first, with the webhook that has no time left', () => {
  const text = JSON.stringify(
    configuration('Mutating', 'm', [
      hook('a', 30, {
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods', 'secrets'] }],
      }),
      hook('b', 10),
      hook('c', 10),
    ]),
  );
  const budgets = budgetsIn(text);
  expect(budgets.map(({ requests, worstCase }) => [requests, worstCase])).toEqual([
    [['CREATE pods'], 50],
    [['CREATE secrets'], 30],
  ]);
  expect(budgets[0]?.calls.map(({ left }) => left)).toEqual([34, 4, 0]);
  expect(budgets.map(fittingTimeout)).toEqual([13, 30]);
  expect(budgetsIn(text, 10)[1]).toMatchObject({ worstCase: 30, limit: 10 });
});

test('the example of docs/reference/budget.md prints what stands below it', () => {
  const page = readFileSync('docs/reference/budget.md', 'utf8');
  const [, yaml = '', output = ''] = /```yaml\n([\s\S]*?)```\n\n```text\n\$ [^\n]*\n([\s\S]*?)```/.exec(page) ?? [];
  expect(budgetText(budgetsIn(yaml), { paint: plain, width: Infinity })).toBe(output.trimEnd());
});
