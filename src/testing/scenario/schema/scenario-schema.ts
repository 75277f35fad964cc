import { findingRules } from '../../../explain/findings/finding.ts';
import { historyRules } from '../../../explain/findings/history.ts';
import type { FailurePhase } from '../../../explain/trace/trace.ts';
import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { releaseNames } from '../../../machinery/meta/release-names.ts';
import { type WebhookField, webhookFieldEntries } from '../../../machinery/meta/webhook-fields.ts';
import { policyOutcomes, webhookOutcomes } from '../format.ts';
import source from './scenario.schema.json' with { type: 'json' };

/** The compiler requires every phase. */
const failurePhases = Object.keys({
  client: true,
  resolve: true,
  connect: true,
  tls: true,
  headers: true,
  body: true,
  timeout: true,
  canceled: true,
  decode: true,
  verify: true,
  patch: true,
  'dry-run': true,
} satisfies Record<FailurePhase, true>);

const choice = (values: readonly string[]): JsonObject => ({ type: 'string', enum: values });

/** Parts of the schema that other tables determine. */
const derivedParts: JsonObject = {
  finding: choice([...findingRules, ...historyRules]),
  failurePhase: choice(failurePhases),
  webhookOutcome: choice(webhookOutcomes),
  policyOutcome: choice(policyOutcomes),
  kubernetesVersion: {
    description: `The release of Kubernetes: ${releaseNames.join(', ')}, optionally with a patch number.`,
    examples: [releaseNames[0] ?? ''],
    anyOf: [
      {
        type: 'string',
        pattern: `^v?(${releaseNames.map((name) => name.replace('.', '\\.')).join('|')})(\\.\\d+)?$`,
        patternDescription: `a release: ${releaseNames.join(', ')}`,
      },
      { type: 'number', enum: releaseNames.map(Number) },
    ],
  },
  configurationFields: Object.fromEntries(
    webhookFieldEntries.map(([name, field]) => [name, webhookFieldSchema(field)]),
  ),
};

function webhookFieldSchema(field: WebhookField): JsonObject {
  const { description } = field;
  switch (field.type) {
    case 'choice':
      return { ...choice(field.values), description };
    case 'integer': {
      const { minimum, maximum, default: standard } = field;
      return { type: 'integer', minimum, maximum, description, ...(standard !== undefined && { default: standard }) };
    }
    case 'names':
      return { type: 'array', description, items: { type: 'string' }, examples: [[field.example]] };
    case 'selector':
      return { $ref: '#/parts/selector', description };
    case 'conditions':
      return { type: 'array', description, items: { $ref: '#/parts/condition' } };
  }
}

/**
 * Replaces each `$ref` by what it points at, except whole definitions: below a reference, check-schema.ts could not distinguish
 * the branches of `anyOf`.
 */
function inlined(node: JsonValue, root: JsonObject): JsonValue {
  if (Array.isArray(node)) return node.map((item: JsonValue) => inlined(item, root));
  if (!isJsonObject(node)) return node;
  const fields: Record<string, JsonValue> = {};
  for (const [name, value = null] of Object.entries(node)) {
    const isPart = name === '$ref' && !/^#\/definitions\/\w+$/.test(asString(value));
    Object.assign(fields, isPart ? inlined(pointedAt(asString(value), root), root) : { [name]: inlined(value, root) });
  }
  return fields;
}

/** `#/definitions/text/anyOf/0`. */
const pointedAt = (pointer: string, root: JsonObject): JsonValue =>
  pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue>((at, step) => (Array.isArray(at) ? at[Number(step)] : asObject(at)[step]) ?? null, root);

const { parts, ...written } = source;

/** Source of docs/reference/scenario.schema.json and the tables in docs/reference/scenario-format.md. */
export const scenarioSchema: JsonObject = asObject(
  inlined(written, { ...written, parts: { ...parts, ...derivedParts } }),
);
