import { asList, asObject, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { type WebhookExpectation, webhookOutcomes } from '../format.ts';
import type { Located } from './located.ts';
import type { Problems } from './problems.ts';
import { optionalNumber, optionalString } from './policy-expectation.ts';
import { readTextExpectation } from './text-expectation.ts';
import { scalarFields, scalarText } from './scalar-text.ts';

/** By name, or as a list. */
export function readWebhookExpectations(at: Located | undefined, problems: Problems): readonly WebhookExpectation[] {
  if (at === undefined) return [];
  if (Array.isArray(at.value)) {
    return at.items().map((item) => readOne(scalarText(asObject(item.value)['name']), item, problems));
  }
  return at.entries().map(([name, field]) => readOne(name, field, problems));
}

function readOne(name: string, at: Located, problems: Problems): WebhookExpectation {
  const fields = typeof at.value === 'string' ? { outcome: at.value } : asObject(at.value);
  const { configuration, type, outcome, skipped, round, times, patch, phase } = fields;
  if (skipped !== undefined && outcome !== undefined && outcome !== 'skipped') {
    problems.at(at, `skipped and outcome ${scalarText(outcome)} exclude each other`);
  }
  const error = at.get('error');
  const warnings = at.get('warnings');
  return {
    place: at.keyPlace,
    name,
    configuration: optionalString(configuration),
    admission: admissionOf(type),
    outcome: skipped === undefined ? outcomeOf(outcome) : 'skipped',
    because: optionalString(skipped),
    round: round === 0 || round === 1 ? round : undefined,
    times: optionalNumber(times),
    patch: readPatch(patch),
    phase: optionalString(phase),
    error: error && readTextExpectation(error, problems),
    warnings: warnings?.items().map((item) => readTextExpectation(item, problems)),
    auditAnnotations: fields['auditAnnotations'] === undefined ? undefined : scalarFields(fields['auditAnnotations']),
  };
}

const outcomeOf = (value: JsonValue | undefined): WebhookExpectation['outcome'] =>
  webhookOutcomes.find((outcome) => outcome === value);

const admissionOf = (value: JsonValue | undefined): WebhookExpectation['admission'] =>
  value === 'mutating' || value === 'validating' ? value : undefined;

function readPatch(value: JsonValue | undefined): WebhookExpectation['patch'] {
  if (value === undefined) return undefined;
  return value === 'none' ? null : asList(value).filter(isJsonObject);
}
