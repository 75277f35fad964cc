import { dirname, join } from 'node:path';
import { asList, asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { chainsawOperation, createOperations } from './chainsaw-operations.ts';
import type { Operations } from './chainsaw-operations.ts';
import type { ImportedTest } from './imported-test.ts';
import { groupOf, kindOf, nameOf } from './objects.ts';
import { tryDocuments } from './read-documents.ts';

/** Is it a test of chainsaw? */
export const isChainsawTest = (object: JsonObject): boolean =>
  groupOf(object) === 'chainsaw.kyverno.io' && kindOf(object) === 'Test';

/** The steps of a test that need an API server alone, one after the other in one world. */
export function importChainsawTest(file: string, test: JsonObject, extra: readonly JsonObject[]): ImportedTest {
  const notes: string[] = [];
  const spec = asObject(test['spec']);
  const name = nameOf(test) || dirname(file);
  const common = { name, from: file, load: extra };
  if (spec['skip'] === true) return { ...common, cases: [], notes: [`${name} is skipped`] };
  for (const field of ['catch', 'cleanup', 'bindings', 'scenarios', 'clusters'])
    if (spec[field] !== undefined) notes.push(`${field} of the test: left out`);
  const operations = createOperations(file, extra, notes);
  const bindings = bindingsOf(spec['bindings']);
  const steps = asList(spec['steps']).flatMap((step, at) =>
    stepsOf(asObject(step), at, { file, operations, bindings, notes }),
  );
  const cases = steps.length === 0 ? [] : [{ before: [...operations.namespaces.values()], steps }];
  return { ...common, cases, notes: [...new Set(notes)] };
}

interface Around {
  readonly file: string;
  readonly operations: Operations;
  readonly bindings: ReadonlyMap<string, JsonValue>;
  readonly notes: string[];
}

function stepsOf(step: JsonObject, at: number, around: Around): readonly JsonObject[] {
  const { notes } = around;
  const title = asString(step['name']) || `step ${at + 1}`;
  for (const field of ['catch', 'cleanup', 'finally'])
    if (step[field] !== undefined) notes.push(`${title}: ${field}: left out`);
  const own = new Map([...around.bindings, ...bindingsOf(step['bindings'])]);
  if (isJsonObject(step['use'])) return used(step['use'], title, { ...around, bindings: own });
  return asList(step['try']).flatMap((operation) =>
    chainsawOperation(asObject(bound(operation, own)), title, around.operations),
  );
}

/** The steps of a StepTemplate, with what its user binds. */
function used(use: JsonObject, title: string, around: Around): readonly JsonObject[] {
  const path = asString(bound(use['template'] ?? null, around.bindings));
  const { documents, problem } = tryDocuments(join(dirname(around.file), path));
  const [template] = documents;
  if (problem !== undefined || template === undefined) {
    around.notes.push(`${title}: ${problem ?? `${path} is empty`}: left out`);
    return [];
  }
  const spec = asObject(template['spec']);
  const given = bindingsOf(bound(asObject(use['with'])['bindings'] ?? [], around.bindings));
  const bindings = new Map([...around.bindings, ...bindingsOf(spec['bindings']), ...given]);
  return asList(spec['try']).flatMap((operation) =>
    chainsawOperation(asObject(bound(operation, bindings)), title, around.operations),
  );
}

/** Values that are bound to names; expressions among them stay as they are, and are told where they are used. */
const bindingsOf = (value: JsonValue | undefined): ReadonlyMap<string, JsonValue> =>
  new Map(asList(value).map((one) => [asString(asObject(one)['name']), asObject(one)['value'] ?? null]));

/** A value with `($name)` put in for what is bound to it. */
function bound(value: JsonValue, bindings: ReadonlyMap<string, JsonValue>): JsonValue {
  if (typeof value === 'string') {
    const name = /^\(\$(?<name>\w+)\)$/.exec(value)?.groups?.['name'] ?? '';
    const found = bindings.get(name);
    return found === undefined ? value : found;
  }
  if (Array.isArray(value)) return value.map((one: JsonValue) => bound(one, bindings));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, bound(one ?? null, bindings)]));
}
