import { compareTexts } from '../../machinery/go/strings.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { addParts, expressionCoverage, type ExpressionCoverage } from './expression-coverage.ts';
import { createPolicyCoverage, type PolicyCoverage, tally } from './policy-coverage.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { inOrderConsidered } from './trace-summary.ts';
import type { Trace, TracedWebhook } from './trace.ts';
import { webhookRuleText } from './webhook-clauses.ts';

/** How far some requests exercised one webhook, with its last configuration. */
export interface WebhookCoverage {
  readonly phase: 'mutating' | 'validating';
  readonly configuration: string;
  readonly name: string;
  /** Calls of both rounds count. `assumed`: `--assume` answered instead of a call. */
  readonly considered: number;
  readonly outcomes: Readonly<Record<TracedWebhook['outcome'] | 'assumed', number>>;
  /** `namespaceSelector`: 3. */
  readonly skippedBecause: Readonly<Record<string, number>>;
  readonly rules: readonly RuleCoverage[];
  readonly conditions: readonly ExpressionCoverage[];
}

export interface RuleCoverage {
  /** `CREATE of pods in group "" version v1`. */
  readonly rule: string;
  /** How often this rule matched. */
  readonly matched: number;
}

export interface Coverage {
  readonly webhooks: readonly WebhookCoverage[];
  readonly policies: readonly PolicyCoverage[];
}

/**
 * The coverage of every webhook in these traces: of its decisions and of writes of its configuration. Counting starts
 * again when its rules or conditions change. In the order of phase, configuration and index.
 */
export function coverageOf(traces: Iterable<Trace>): Coverage {
  const subjects = new Map<string, Subject>();
  const policies = createPolicyCoverage();
  for (const trace of traces) {
    for (const webhook of consideredIn(trace)) findSubject(subjects, subjectOf(webhook)).runs.push(runOf(webhook));
    // A stored configuration counts from the next request on.
    for (const subject of configuredIn(trace)) findSubject(subjects, subject);
    policies.add(trace);
  }
  const webhooks: WebhookCoverage[] = [];
  for (const subject of inOrder(subjects.values())) {
    webhooks.push(coverageOfSubject(subject));
  }
  return { webhooks, policies: policies.coverage() };
}

const inOrder = (subjects: Iterable<Subject>): readonly Subject[] =>
  [...subjects].toSorted((a, b) => compareTexts(a.phase, b.phase) || compareTexts(a.configuration, b.configuration));

type WebhookRun = Pick<TracedWebhook, 'outcome' | 'assumed' | 'reason' | 'conditions'> & {
  /** The index of the matching rule. */
  readonly rule: JsonValue | undefined;
};

const runOf = (webhook: TracedWebhook): WebhookRun => {
  const { outcome, assumed, reason, conditions } = webhook;
  return {
    outcome,
    rule: ruleOf(webhook),
    ...(assumed === undefined ? {} : { assumed }),
    ...(reason && { reason }),
    ...(conditions && { conditions }),
  };
};

/** Writes of webhook configurations call no webhooks. */
const consideredIn = ({ admission }: Trace): readonly TracedWebhook[] =>
  inOrderConsidered(admission.filter((one) => one.type === 'webhook')).filter(
    ({ reason }) => reason?.because !== 'exempt',
  );

interface Subject {
  readonly phase: 'mutating' | 'validating';
  readonly configuration: string;
  readonly name: string;
  readonly definition: JsonObject | undefined;
  readonly runs: WebhookRun[];
}

const subjectOf = ({ phase, configuration, name, definition }: TracedWebhook): Subject => ({
  phase,
  configuration,
  name,
  definition,
  runs: [],
});

const phases: Readonly<Record<string, 'mutating' | 'validating'>> = {
  mutatingwebhookconfigurations: 'mutating',
  validatingwebhookconfigurations: 'validating',
};

/** The webhooks of a configuration that this request stored. */
function configuredIn({ request, verdict, objectAfter }: Trace): readonly Subject[] {
  const phase = phases[request.resource];
  if (phase === undefined || verdict === 'refused' || request.dryRun || request.verb.startsWith('delete')) return [];
  return asList(objectAfter?.['webhooks']).map((entry) => {
    const definition = asObject(entry);
    return { phase, configuration: request.name, name: asString(definition['name']), definition, runs: [] };
  });
}

/** The subject of this name, replaced when its rules or conditions changed. */
function findSubject(found: Map<string, Subject>, subject: Subject): Subject {
  const { phase, configuration, name, definition } = subject;
  const key = [phase, configuration, name].join('\n');
  const existing = found.get(key);
  if (existing && (definition === undefined || hasSameConditions(existing.definition, definition))) return existing;
  found.set(key, subject);
  return subject;
}

const hasSameConditions = (a: JsonObject = {}, b: JsonObject = {}): boolean =>
  sameJson([a['rules'] ?? null, a['matchConditions'] ?? null], [b['rules'] ?? null, b['matchConditions'] ?? null]);

function coverageOfSubject({ phase, configuration, name, definition, runs }: Subject): WebhookCoverage {
  const times = (test: (one: WebhookRun) => boolean): number => runs.filter(test).length;
  const outcome = (wanted: TracedWebhook['outcome']): number =>
    times((one) => one.outcome === wanted && one.assumed === undefined);
  return {
    phase,
    configuration,
    name,
    considered: runs.length,
    outcomes: {
      called: outcome('called'),
      assumed: times(({ assumed }) => assumed !== undefined),
      skipped: outcome('skipped'),
      'failed-open': outcome('failed-open'),
      'failed-closed': outcome('failed-closed'),
      denied: outcome('denied'),
      refused: outcome('refused'),
    },
    skippedBecause: tally(runs.flatMap(({ reason }) => (reason ? [reason.because] : []))),
    rules: asList(definition?.['rules']).map((rule, at) => ({
      rule: webhookRuleText(rule),
      matched: times((one) => one.rule === at),
    })),
    conditions: asList(definition?.['matchConditions']).map((condition) => conditionCoverage(condition, runs)),
  };
}

/** Conditions are evaluated only after a rule matched: with one rule it is that one. */
function ruleOf({ matched, conditions = [], definition }: TracedWebhook): JsonValue | undefined {
  if (matched !== undefined) return matched['rule'];
  return conditions.length > 0 && asList(definition?.['rules']).length === 1 ? 0 : undefined;
}

function conditionCoverage(condition: JsonValue, runs: readonly WebhookRun[]): ExpressionCoverage {
  const name = asString(asObject(condition)['name']);
  const records = runs.flatMap(({ conditions = [] }) => conditions.filter((record) => record.condition === name));
  return expressionCoverage(name, condition, records);
}

/** Adds up the coverage of several runs. Entries with the same name but other rules stay separate. */
export const mergeCoverage = (runs: readonly Coverage[]): Coverage => ({
  webhooks: mergeByKey(
    runs.flatMap(({ webhooks }) => webhooks),
    addWebhooks,
  ),
  policies: mergeByKey(
    runs.flatMap(({ policies }) => policies),
    addPolicies,
  ),
});

function mergeByKey<T extends WebhookCoverage | PolicyCoverage>(
  all: readonly T[],
  add: (a: T, b: T) => T,
): readonly T[] {
  const byIdentity = new Map<string, T>();
  for (const one of all) {
    const key = coverageKey(one);
    const known = byIdentity.get(key);
    byIdentity.set(key, known === undefined ? one : add(known, one));
  }
  return [...byIdentity.values()];
}

/** The name with the rules and expressions. */
function coverageKey(one: WebhookCoverage | PolicyCoverage): string {
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
