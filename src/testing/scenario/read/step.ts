import { asObject, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../../machinery/json/json.ts';
import type { ScenarioStep } from '../format.ts';
import { actions, readActions } from './action.ts';
import { noExpectation, readExpectation } from './expectation.ts';
import type { Located } from './located.ts';
import type { ScenarioReader } from './problems.ts';
import { scalarLists } from './scalar-text.ts';
import { readAs } from './users.ts';

/** One step per object of its file. */
export async function readSteps(at: Located, reading: ScenarioReader): Promise<readonly ScenarioStep[]> {
  const verbs = at.entries().filter(([name]) => actions.some((action) => action === name));
  const [verb] = verbs;
  if (!verb || verbs.length > 1) {
    reading.problems.at(
      at,
      verb
        ? `does ${verbs.map(([name]) => name).join(' and ')}: make a step of each`
        : `has no action: add one of ${actions.join(', ')}`,
    );
    return [];
  }
  const { name, dryRun, only } = asObject(at.value);
  const expectAt = at.get('expect');
  const base: Omit<ScenarioStep, 'name' | 'action'> = {
    place: at.place,
    as: readAs(at.get('as'), reading.users),
    dryRun: dryRun === true,
    expect: readExpectation(expectAt, at.place, reading),
    only: only === 'kadmit' || only === 'target' ? [only] : [],
    when: scalarLists(at.get('when')),
  };
  const read = await readActions(verb[0], at, reading);
  const steps = read.map(({ action, title }) => ({
    ...base,
    action,
    name: typeof name === 'string' ? named(name, title, read.length) : title,
  }));
  return at.get('allowed') || at.get('denied') ? steps.flatMap((step) => rowsOf(step, at)) : steps;
}

/** Steps of one file append their title to the name. */
const named = (name: string, title: string, count: number): string => (count > 1 ? `${name}: ${title}` : name);

/** One dry run per variant of the object. */
function rowsOf(step: ScenarioStep, at: Located): readonly ScenarioStep[] {
  const { action } = step;
  if (!('object' in action)) return [step];
  const row = ([name, field]: readonly [string, Located], expect: ScenarioStep['expect']): ScenarioStep => ({
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

/** Variants in a list are numbered. */
function variants(which: 'allowed' | 'denied', step: Located): readonly (readonly [string, Located])[] {
  const at = step.get(which);
  if (at === undefined) return [];
  if (!Array.isArray(at.value)) return at.entries();
  return at.items().map((item, index) => [`${which} ${index + 1}`, item]);
}

/** RFC 7386; keeps the order of fields. */
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
