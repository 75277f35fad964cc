import { isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import type { Expectation, PolicyExpectation, SourceLocation, TextExpectation, WebhookExpectation } from '../format.ts';
import { durationMs, scalarText } from './scalar-text.ts';
import type { Located } from './located.ts';
import type { Problems, ScenarioReader } from './problems.ts';
import { errorText } from '../../../machinery/errors.ts';
import { escapeRegExp } from '../../../machinery/go/strings.ts';

/** The fields that are written as they are used. */
type Written = Pick<
  Expectation,
  'outcome' | 'deniedBy' | 'code' | 'reason' | 'order' | 'findings' | 'object' | 'exactly' | 'settled'
> & { readonly elapsed?: string | { readonly min?: string; readonly max?: string } };

/** check-schema.ts has checked the types of all fields. */
export function readExpectation(at: Located | undefined, place: SourceLocation, reading: ScenarioReader): Expectation {
  if (at === undefined) return { ...noExpectation, place };
  if (!isJsonObject(at.value))
    return { ...noExpectation, place: at.place, outcome: at.value as Expectation['outcome'] };
  const { problems, files } = reading;
  const { outcome, deniedBy, code, reason, order, findings, object, exactly, settled, elapsed } = at.value as Written;
  const message = at.get('message');
  const warnings = at.get('warnings');
  const golden = at.get('golden');
  return {
    place: at.place,
    places: Object.fromEntries(at.entries().map(([name, field]) => [name, field.keyPlace])),
    outcome: outcome ?? impliedOutcome(at.value),
    deniedBy,
    code,
    reason,
    message: message && readTextExpectation(message, problems),
    webhooks: readWebhookExpectations(at.get('webhooks'), problems),
    policies: (at.get('policies')?.entries() ?? []).map(([name, field]) => readPolicy(name, field, problems)),
    order,
    findings,
    warnings: warnings && readTexts(warnings, reading),
    auditAnnotations: readAnnotations(at.get('auditAnnotations'), reading),
    object,
    exactly,
    golden: golden && files.golden(golden, problems),
    settled,
    elapsedMs: readElapsed(elapsed),
  };
}

/** Checks nothing. */
export const noExpectation = { webhooks: [], policies: [], auditAnnotations: {} } as const;

/** Only refusals have deniedBy, message or reason. */
function impliedOutcome({ deniedBy, message, reason, code }: JsonObject): Expectation['outcome'] {
  if (typeof code === 'number') return code >= 400 ? 'refused' : 'admitted';
  return [deniedBy, message, reason].some((one) => one !== undefined) ? 'refused' : undefined;
}

const readTexts = (at: Located, { problems }: ScenarioReader): readonly TextExpectation[] =>
  (Array.isArray(at.value) ? at.items() : [at]).map((item) => readTextExpectation(item, problems));

const readAnnotations = (at: Located | undefined, { problems }: ScenarioReader): Expectation['auditAnnotations'] =>
  Object.fromEntries(
    (at?.entries() ?? []).map(([name, field]) => [
      name,
      field.value === null ? null : readTextExpectation(field, problems),
    ]),
  );

function readElapsed(elapsed: Written['elapsed']): Expectation['elapsedMs'] {
  if (elapsed === undefined) return undefined;
  const { min, max } = typeof elapsed === 'string' ? { min: elapsed, max: elapsed } : elapsed;
  return { min: min === undefined ? 0 : durationMs(min), max: max === undefined ? Infinity : durationMs(max) };
}

/** The skip of a webhook or policy, and what it excludes. */
interface WrittenOutcome<Outcome> {
  readonly outcome?: Outcome;
  readonly skipped?: string;
}

/** An outcome, or a mapping. */
function readOutcome<Outcome>(
  at: Located,
  problems: Problems,
): { readonly outcome: Outcome | 'skipped' | undefined; readonly because: string | undefined } {
  const { outcome, skipped } = outcomeFields<WrittenOutcome<Outcome>>(at);
  if (skipped !== undefined && outcome !== undefined && outcome !== 'skipped') {
    problems.at(at, `skipped and outcome ${String(outcome)} exclude each other`);
  }
  return { outcome: skipped === undefined ? outcome : 'skipped', because: skipped };
}

const outcomeFields = <Fields>({ value }: Located): Fields =>
  (typeof value === 'string' ? { outcome: value } : value) as Fields; // By the schema.

type WrittenPolicy = Pick<PolicyExpectation, 'binding' | 'object' | 'changed'>;

function readPolicy(name: string, at: Located, problems: Problems): PolicyExpectation {
  const { binding, object, changed } = outcomeFields<WrittenPolicy>(at);
  return { place: at.keyPlace, name, ...readOutcome(at, problems), binding, object, changed };
}

/** By name, or as a list. */
function readWebhookExpectations(at: Located | undefined, problems: Problems): readonly WebhookExpectation[] {
  if (at === undefined) return [];
  return Array.isArray(at.value)
    ? at.items().map((item) => readWebhook(outcomeFields<{ readonly name: string }>(item).name, item, problems))
    : at.entries().map(([name, field]) => readWebhook(name, field, problems));
}

interface WrittenWebhook extends Pick<
  WebhookExpectation,
  'configuration' | 'round' | 'times' | 'phase' | 'auditAnnotations'
> {
  readonly type?: WebhookExpectation['admission'];
  readonly patch?: 'none' | readonly JsonObject[];
}

function readWebhook(name: string, at: Located, problems: Problems): WebhookExpectation {
  const { configuration, type, round, times, patch, phase, auditAnnotations } = outcomeFields<WrittenWebhook>(at);
  const error = at.get('error');
  const warnings = at.get('warnings');
  return {
    place: at.keyPlace,
    name,
    ...readOutcome(at, problems),
    configuration,
    admission: type,
    round,
    times,
    patch: patch === 'none' ? null : patch,
    phase,
    error: error && readTextExpectation(error, problems),
    warnings: warnings?.items().map((item) => readTextExpectation(item, problems)),
    auditAnnotations,
  };
}

/** An exact text, `/a pattern/` with its flags, `{matches: …}` or `{contains: …}`. */
export function readTextExpectation(at: Located, problems: Problems): TextExpectation {
  const { value } = at;
  if (isJsonObject(value)) {
    const { matches, contains } = value;
    if (typeof matches === 'string') return readPattern(matches, '', { at, problems });
    return { pattern: new RegExp(escapeRegExp(scalarText(contains))) };
  }
  const slashed = /^\/(?<source>.+)\/(?<flags>[imsu]*)$/s.exec(scalarText(value))?.groups;
  if (slashed) return readPattern(slashed['source'] ?? '', slashed['flags'] ?? '', { at, problems });
  return { exact: scalarText(value) };
}

interface TextSource {
  readonly at: Located;
  readonly problems: Problems;
}

function readPattern(source: string, flags: string, { at, problems }: TextSource): TextExpectation {
  try {
    return { pattern: new RegExp(source, flags) };
  } catch (error) {
    problems.at(at, errorText(error));
    return { exact: source };
  }
}
