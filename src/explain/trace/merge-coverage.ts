import type { Coverage, RuleCoverage, WebhookCoverage } from './coverage.ts';
import { addParts, type ExpressionCoverage } from './expression-coverage.ts';
import type { PolicyCoverage } from './policy-coverage.ts';

/** Adds up the coverage of several runs. Entries with the same name but other rules stay separate. */
export const mergeCoverage = (runs: readonly Coverage[]): Coverage => ({
  webhooks: merged(
    runs.flatMap(({ webhooks }) => webhooks),
    addWebhooks,
  ),
  policies: merged(
    runs.flatMap(({ policies }) => policies),
    addPolicies,
  ),
});

function merged<T extends WebhookCoverage | PolicyCoverage>(all: readonly T[], add: (a: T, b: T) => T): readonly T[] {
  const found = new Map<string, T>();
  for (const one of all) {
    const key = keyOf(one);
    const known = found.get(key);
    found.set(key, known === undefined ? one : add(known, one));
  }
  return [...found.values()];
}

/** The name with the rules and expressions. */
function keyOf(one: WebhookCoverage | PolicyCoverage): string {
  const texts = (list: readonly ExpressionCoverage[]): readonly string[] =>
    list.map(({ name, expression }) => `${name} ${expression}`);
  const own =
    'rules' in one
      ? [one.configuration, one.rules.map(({ rule }) => rule)]
      : [texts(one.variables), texts(one.validations)];
  return JSON.stringify([one.phase, one.name, own, texts(one.conditions)]);
}

const addWebhooks = (a: WebhookCoverage, b: WebhookCoverage): WebhookCoverage => ({
  ...a,
  considered: a.considered + b.considered,
  outcomes: addCounts(a.outcomes, b.outcomes),
  skippedBecause: addCounts(a.skippedBecause, b.skippedBecause),
  rules: a.rules.map(({ rule, matched }, at): RuleCoverage => ({
    rule,
    matched: matched + (b.rules[at]?.matched ?? 0),
  })),
  conditions: addExpressions(a.conditions, b.conditions),
});

const addPolicies = (a: PolicyCoverage, b: PolicyCoverage): PolicyCoverage => ({
  ...a,
  considered: a.considered + b.considered,
  outcomes: addCounts(a.outcomes, b.outcomes),
  skippedBecause: addCounts(a.skippedBecause, b.skippedBecause),
  conditions: addExpressions(a.conditions, b.conditions),
  variables: addExpressions(a.variables, b.variables),
  validations: addExpressions(a.validations, b.validations),
});

const addExpressions = (
  a: readonly ExpressionCoverage[],
  b: readonly ExpressionCoverage[],
): readonly ExpressionCoverage[] =>
  a.map((one, at) => {
    const other = b[at];
    if (other === undefined) return one;
    return {
      ...one,
      evaluated: one.evaluated + other.evaluated,
      true: one.true + other.true,
      false: one.false + other.false,
      error: one.error + other.error,
      parts: addParts([one.parts, other.parts]),
    };
  });

function addCounts<K extends string>(
  a: Readonly<Record<K, number>>,
  b: Readonly<Record<K, number>>,
): Record<K, number> {
  const sums = new Map<string, number>(Object.entries<number>(a));
  for (const [name, count] of Object.entries<number>(b)) sums.set(name, (sums.get(name) ?? 0) + count);
  // The keys are those of both.
  return Object.fromEntries(sums) as Record<K, number>;
}
