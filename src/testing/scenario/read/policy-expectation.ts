import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { type PolicyExpectation, policyOutcomes } from '../format.ts';
import type { Located } from './located.ts';
import type { Problems } from './problems.ts';
import { scalarText } from './scalar-text.ts';

/** By policy name: an outcome or a mapping. */
export const readPolicyExpectations = (at: Located | undefined, problems: Problems): readonly PolicyExpectation[] =>
  (at?.entries() ?? []).map(([name, field]) => readOne(name, field, problems));

function readOne(name: string, at: Located, problems: Problems): PolicyExpectation {
  const fields = typeof at.value === 'string' ? { outcome: at.value } : asObject(at.value);
  const { outcome, skipped, binding, changed, object } = fields;
  if (skipped !== undefined && outcome !== undefined && outcome !== 'skipped') {
    problems.at(at, `skipped and outcome ${scalarText(outcome)} exclude each other`);
  }
  return {
    place: at.keyPlace,
    name,
    outcome: skipped === undefined ? outcomeOf(outcome) : 'skipped',
    because: optionalString(skipped),
    binding: optionalString(binding),
    object: optionalObject(object),
    changed: typeof changed === 'boolean' ? changed : undefined,
  };
}

const outcomeOf = (value: JsonValue | undefined): PolicyExpectation['outcome'] =>
  policyOutcomes.find((outcome) => outcome === value);

export const optionalString = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

export const optionalNumber = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

export const optionalObject = (value: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(value) ? value : undefined;
