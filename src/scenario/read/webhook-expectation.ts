import { asList, asObject, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { WebhookExpectation } from '../format.ts';
import type { Located } from './located.ts';
import type { Problems } from './problems.ts';
import { readText } from './text-expectation.ts';

/** `expect.webhooks`: by name, or as a list. */
export function readWebhookExpectations(at: Located | undefined, problems: Problems): readonly WebhookExpectation[] {
  if (at === undefined) return [];
  if (Array.isArray(at.value)) {
    return at.items().map((item) => readOne(String(asObject(item.value)['name']), item, problems));
  }
  return at.entries().map(([name, field]) => readOne(name, field, problems));
}

function readOne(name: string, at: Located, problems: Problems): WebhookExpectation {
  const fields = typeof at.value === 'string' ? { outcome: at.value } : asObject(at.value);
  const { configuration, outcome, skipped, round, times, patch, phase } = fields;
  if (skipped !== undefined && outcome !== undefined && outcome !== 'skipped') {
    problems.at(at, `skipped and outcome ${String(outcome)} exclude each other`);
  }
  const error = at.get('error');
  const warnings = at.get('warnings');
  return {
    place: at.keyPlace,
    name,
    configuration: typeof configuration === 'string' ? configuration : undefined,
    outcome: skipped === undefined ? outcomeOf(outcome) : 'skipped',
    because: typeof skipped === 'string' ? skipped : undefined,
    round: round === 0 || round === 1 ? round : undefined,
    times: typeof times === 'number' ? times : undefined,
    patch: readPatch(patch),
    phase: typeof phase === 'string' ? phase : undefined,
    error: error && readText(error, problems),
    warnings: warnings?.items().map((item) => readText(item, problems)),
    auditAnnotations: readAnnotations(fields['auditAnnotations']),
  };
}

const outcomes = ['called', 'skipped', 'denied', 'failed-open', 'failed-closed', 'refused'] as const;

const outcomeOf = (value: JsonValue | undefined): WebhookExpectation['outcome'] =>
  outcomes.find((outcome) => outcome === value);

function readPatch(value: JsonValue | undefined): WebhookExpectation['patch'] {
  if (value === undefined) return undefined;
  return value === 'none' ? null : asList(value).filter(isJsonObject);
}

const readAnnotations = (value: JsonValue | undefined): Readonly<Record<string, string>> | undefined =>
  value === undefined
    ? undefined
    : Object.fromEntries(Object.entries<JsonObject[string]>(asObject(value)).map(([key, one]) => [key, String(one)]));
