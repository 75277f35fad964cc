import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { expressionCoverage, type ExpressionCoverage } from './expression-coverage.ts';
import { createPolicyCoverage, type PolicyCoverage, tally } from './policy-coverage.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
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
  const found = new Map<string, Subject>();
  const policies = createPolicyCoverage();
  for (const trace of traces) {
    for (const webhook of consideredIn(trace)) meet(found, subjectOf(webhook)).runs.push(runOf(webhook));
    // A stored configuration counts from the next request on.
    for (const subject of configuredIn(trace)) meet(found, subject);
    policies.add(trace);
  }
  const webhooks: WebhookCoverage[] = [];
  for (const subject of inOrder(found.values())) {
    webhooks.push(coverageOfSubject(subject));
  }
  return { webhooks, policies: policies.coverage() };
}

const inOrder = (subjects: Iterable<Subject>): readonly Subject[] =>
  [...subjects].toSorted((a, b) => compare(a.phase, b.phase) || compare(a.configuration, b.configuration));

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

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

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
function meet(found: Map<string, Subject>, subject: Subject): Subject {
  const { phase, configuration, name, definition } = subject;
  const key = [phase, configuration, name].join('\n');
  const known = found.get(key);
  if (known && (definition === undefined || hasSameConditions(known.definition, definition))) return known;
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

interface Placed {
  readonly type: string;
  readonly phase: 'mutating' | 'validating';
  readonly outcome: string;
  readonly index?: number;
}

/**
 * The decisions of one round in the order considered. Validating webhooks are recorded as they finish, and `index`
 * counts only called ones: the skipped ones before a called one have its index.
 */
export function inOrderConsidered<Decision extends Placed>(decisions: readonly Decision[]): readonly Decision[] {
  const isMoved = (one: Decision): boolean => one.type === 'webhook' && one.phase === 'validating';
  const webhooks = decisions.filter(isMoved).toSorted(byPlace);
  let next = 0;
  return decisions.map((one) => {
    if (!isMoved(one)) return one;
    next += 1;
    return webhooks[next - 1] ?? one;
  });
}

const byPlace = (a: Placed, b: Placed): number =>
  (a.index ?? 0) - (b.index ?? 0) || Number(a.outcome !== 'skipped') - Number(b.outcome !== 'skipped');
