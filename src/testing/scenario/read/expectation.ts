import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { Expectation, SourceLocation, TextExpectation } from '../format.ts';
import { durationMs, scalarText } from './scalar-text.ts';
import type { Located } from './located.ts';
import type { ScenarioReader } from './problems.ts';
import { optionalNumber, optionalObject, optionalString, readPolicyExpectations } from './policy-expectation.ts';
import { readTextExpectation } from './text-expectation.ts';
import { readWebhookExpectations } from './webhook-expectation.ts';

export function readExpectation(at: Located | undefined, place: SourceLocation, reading: ScenarioReader): Expectation {
  if (at === undefined || !isJsonObject(at.value))
    return { ...noExpectation, place: at?.place ?? place, outcome: outcomeOf(at?.value) };
  const { problems, files } = reading;
  const { value: fields } = at;
  const text = (field: string): string | undefined => optionalString(fields[field]);
  const message = at.get('message');
  const warnings = at.get('warnings');
  const golden = at.get('golden');
  return {
    place: at.place,
    places: Object.fromEntries(at.entries().map(([name, field]) => [name, field.keyPlace])),
    outcome: outcomeOf(fields['outcome']) ?? impliedOutcome(fields),
    deniedBy: text('deniedBy'),
    code: optionalNumber(fields['code']),
    reason: text('reason'),
    message: message && readTextExpectation(message, problems),
    webhooks: readWebhookExpectations(at.get('webhooks'), problems),
    policies: readPolicyExpectations(at.get('policies'), problems),
    order: Array.isArray(fields['order']) ? fields['order'].map(scalarText) : undefined,
    findings: Array.isArray(fields['findings']) ? fields['findings'].map(scalarText) : undefined,
    warnings: warnings && readTexts(warnings, reading),
    auditAnnotations: readAnnotations(at.get('auditAnnotations'), reading),
    object: optionalObject(fields['object']),
    exactly: optionalObject(fields['exactly']),
    golden: golden && files.golden(golden, problems),
    settled: readCounts(fields['settled']),
    elapsedMs: readElapsed(fields['elapsed']),
  };
}

/** Checks nothing. */
export const noExpectation: Omit<Expectation, 'place' | 'outcome'> = {
  deniedBy: undefined,
  code: undefined,
  reason: undefined,
  message: undefined,
  webhooks: [],
  policies: [],
  order: undefined,
  findings: undefined,
  warnings: undefined,
  auditAnnotations: {},
  object: undefined,
  exactly: undefined,
  golden: undefined,
  settled: undefined,
  elapsedMs: undefined,
};

const outcomeOf = (value: JsonValue | undefined): Expectation['outcome'] =>
  value === 'admitted' || value === 'refused' ? value : undefined;

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

function readCounts(value: JsonValue | undefined): Expectation['settled'] {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([resource, count]) => [resource, optionalNumber(count) ?? 0]));
}

function readElapsed(value: JsonValue | undefined): Expectation['elapsedMs'] {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return { min: durationMs(value), max: durationMs(value) };
  const { min, max } = asObject(value);
  return {
    min: typeof min === 'string' ? durationMs(min) : 0,
    max: typeof max === 'string' ? durationMs(max) : Infinity,
  };
}
