import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { expressionCoverage } from './expression-coverage.ts';
import type { ExpressionCoverage } from './expression-coverage.ts';
import { createPolicyCoverage, tally } from './policy-coverage.ts';
import type { PolicyCoverage } from './policy-coverage.ts';
import type { Trace, TracedWebhook } from './trace.ts';
import { ruleText } from './webhook-clauses.ts';

/** How far some requests have exercised one webhook, as it was configured last. */
export interface WebhookCoverage {
  readonly phase: 'mutating' | 'validating';
  readonly configuration: string;
  readonly name: string;
  /** How often it was considered, and what came of it; second calls count again. `assumed`: not called, `--assume` says what to take. */
  readonly considered: number;
  readonly outcomes: Readonly<Record<TracedWebhook['outcome'] | 'assumed', number>>;
  /** Why it was skipped: `namespaceSelector` 3 times. */
  readonly skippedBecause: Readonly<Record<string, number>>;
  readonly rules: readonly RuleCoverage[];
  readonly conditions: readonly ExpressionCoverage[];
}

export interface RuleCoverage {
  /** `CREATE of pods in group "" version v1`. */
  readonly rule: string;
  /** How often this rule was the one that matched. */
  readonly matched: number;
}

/** What some requests have exercised of webhooks and policies. */
export interface Coverage {
  readonly webhooks: readonly WebhookCoverage[];
  readonly policies: readonly PolicyCoverage[];
}

/**
 * What these requests exercised of every webhook seen in them: in the decisions, or in a write of its configuration.
 * A webhook counts from its last change of rules or conditions on. In the order of phase, configuration and place.
 */
export function coverageOf(traces: Iterable<Trace>): Coverage {
  const found = new Map<string, Subject>();
  const policies = createPolicyCoverage();
  for (const trace of traces) {
    for (const webhook of consideredIn(trace)) meet(found, subjectOf(webhook)).seen.push(seenOf(webhook));
    // What a request stored counts from the next one on.
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

/** What counts of a decision. */
type Seen = Pick<TracedWebhook, 'outcome' | 'assumed' | 'reason' | 'conditions'> & {
  /** The rule that matched. */
  readonly rule: JsonValue | undefined;
};

const seenOf = (webhook: TracedWebhook): Seen => {
  const { outcome, assumed, reason, conditions } = webhook;
  return {
    outcome,
    rule: ruleOf(webhook),
    ...(assumed === undefined ? {} : { assumed }),
    ...(reason && { reason }),
    ...(conditions && { conditions }),
  };
};

/** Webhooks never see what configures them: that says nothing about them. */
const consideredIn = ({ admission }: Trace): readonly TracedWebhook[] =>
  inOrderConsidered(admission.filter((one) => one.type === 'webhook')).filter(
    ({ reason }) => reason?.because !== 'exempt',
  );

interface Subject {
  readonly phase: 'mutating' | 'validating';
  readonly configuration: string;
  readonly name: string;
  readonly definition: JsonObject | undefined;
  readonly seen: Seen[];
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

const subjectOf = ({ phase, configuration, name, definition }: TracedWebhook): Subject => ({
  phase,
  configuration,
  name,
  definition,
  seen: [],
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
    return { phase, configuration: request.name, name: asString(definition['name']), definition, seen: [] };
  });
}

/** The one known under this name, started anew if what it asks for has changed. */
function meet(found: Map<string, Subject>, subject: Subject): Subject {
  const { phase, configuration, name, definition } = subject;
  const key = [phase, configuration, name].join('\n');
  const known = found.get(key);
  if (known && (definition === undefined || asks(known.definition) === asks(definition))) return known;
  found.set(key, subject);
  return subject;
}

const nothingAsked: JsonObject = {};
const asked = new WeakMap<JsonObject, string>();

/** The same definition is met with every decision. */
function asks(definition: JsonObject = nothingAsked): string {
  const text = asked.get(definition) ?? JSON.stringify([definition['rules'], definition['matchConditions']]);
  asked.set(definition, text);
  return text;
}

function coverageOfSubject({ phase, configuration, name, definition, seen }: Subject): WebhookCoverage {
  const times = (test: (one: Seen) => boolean): number => seen.filter(test).length;
  const outcome = (wanted: TracedWebhook['outcome']): number =>
    times((one) => one.outcome === wanted && one.assumed === undefined);
  return {
    phase,
    configuration,
    name,
    considered: seen.length,
    outcomes: {
      called: outcome('called'),
      assumed: times(({ assumed }) => assumed !== undefined),
      skipped: outcome('skipped'),
      'failed-open': outcome('failed-open'),
      'failed-closed': outcome('failed-closed'),
      denied: outcome('denied'),
      refused: outcome('refused'),
    },
    skippedBecause: tally(seen.flatMap(({ reason }) => (reason ? [reason.because] : []))),
    rules: asList(definition?.['rules']).map((rule, at) => ({
      rule: ruleText(rule),
      matched: times((one) => one.rule === at),
    })),
    conditions: asList(definition?.['matchConditions']).map((condition) => conditionCoverage(condition, seen)),
  };
}

/** The rule that matched; conditions are looked at only when one did, and where there is one only, it is that. */
function ruleOf({ matched, conditions = [], definition }: TracedWebhook): JsonValue | undefined {
  if (matched !== undefined) return matched['rule'];
  return conditions.length > 0 && asList(definition?.['rules']).length === 1 ? 0 : undefined;
}

function conditionCoverage(condition: JsonValue, seen: readonly Seen[]): ExpressionCoverage {
  const name = asString(asObject(condition)['name']);
  const records = seen.flatMap(({ conditions = [] }) => conditions.filter((record) => record.condition === name));
  return expressionCoverage(name, condition, records);
}

/** What tells the place of a decision among the others of its round. */
interface Placed {
  readonly type: string;
  readonly phase: 'mutating' | 'validating';
  readonly outcome: string;
  readonly index?: number;
}

/**
 * The decisions of one round in the order in which they were considered. Validating webhooks are recorded as they
 * finish, and their `index` counts only the ones called: those skipped before a called one have its index. Everything
 * else is in its order already.
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
