import { asObject, isJsonObject, setOwn } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type { Step } from '../format.ts';
import { noExpectation } from './expectation.ts';
import type { Located } from './located.ts';

/** The steps of a table: one for each variant of the object, all of them dry runs. */
export function rowsOf(step: Step, at: Located): readonly Step[] {
  const { action } = step;
  if (!('object' in action)) return [step];
  const row = ([name, field]: readonly [string, Located], expect: Step['expect']): Step => ({
    ...step,
    name: `${step.name}, ${name}`,
    place: field.place,
    dryRun: true,
    action: { ...action, object: merged(action.object, asObject(field.value)) },
    expect,
  });
  const { expect } = step;
  const refused = { ...expect, outcome: expect.outcome ?? ('refused' as const) };
  return [
    ...variants('allowed', at).map((one) => row(one, { ...noExpectation, place: one[1].place, outcome: 'admitted' })),
    ...variants('denied', at).map((one) => row(one, { ...refused, place: one[1].place })),
  ];
}

/** A list's variants are called by their numbers. */
function variants(which: 'allowed' | 'denied', step: Located): readonly (readonly [string, Located])[] {
  const at = step.get(which);
  if (at === undefined) return [];
  if (!Array.isArray(at.value)) return at.entries();
  return at.items().map((item, index) => [`${which} ${index + 1}`, item]);
}

/** RFC 7386; the order of the fields is kept. */
function merged(object: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const field of new Set([...Object.keys(object), ...Object.keys(patch)])) {
    const [own, change] = [object[field], patch[field]];
    if (change === null) continue;
    const value = isJsonObject(change) ? merged(asObject(own), change) : (change ?? own);
    if (value !== undefined) setOwn(result, field, value);
  }
  return result;
}
