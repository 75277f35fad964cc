import { basename, dirname, resolve } from 'node:path';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../machinery/json/json.ts';
import { inferOperation, requestCase } from './admission-request.ts';
import { completeObject } from './complete-object.ts';
import type { ImportedCase, ImportedTest } from './imported-test.ts';
import { objectGroup, isServed, kindOf, nameOf, namespaceOf, nonEmptyTexts, importedTitle } from './objects.ts';
import { bindPolicies, failureExpectation, convertToV1, isPolicy } from './policies.ts';
import { readRelative } from './read-documents.ts';

export const isKyvernoTest = (object: JsonObject): boolean =>
  (kindOf(object) === 'Test' &&
    /(?:^|\.)kyverno\.io$/.test(objectGroup(object)) &&
    objectGroup(object) !== 'chainsaw.kyverno.io') ||
  (object['kind'] === undefined && Array.isArray(object['policies']) && Array.isArray(object['results']));

/** Only policies that an API server evaluates itself: a request for each resource that a result names. */
export function importKyvernoTest(file: string, test: JsonObject, extra: readonly JsonObject[]): ImportedTest {
  const notes: string[] = [];
  const read = (field: string): readonly JsonObject[] => readRelative(file, toPaths(test[field]), notes);
  const policies = read('policies').map((one) => convertToV1(one, notes));
  for (const one of policies.filter((policy) => !isPolicy(policy)))
    notes.push(`${importedTitle(one)} is evaluated by Kyverno alone, not by an API server: left out`);
  if (asList(test['exceptions']).length > 0) notes.push('exceptions exist in Kyverno only: left out');
  const params = read('paramResources').map((one) => completeObject(withNamespace(one), notes));
  const values = readValues(file, test, notes);
  const load = [...extra, ...params, ...bindPolicies(policies.filter(isPolicy), params, notes)];
  const userInfo = asObject(valueAt(readRelative(file, toPaths(test['userinfo']), notes)[0], 'userInfo'));
  const resources = read('resources');
  const expected = expectations(test, { file, load, resources, notes });
  const cases = resources.flatMap((object, at): readonly ImportedCase[] => {
    const { expect, operation } = expected.get(at) ?? {};
    if (expect === undefined) return [];
    if (!isServed(object, load)) {
      notes.push(
        `${importedTitle(object)} needs the CustomResourceDefinition of ${objectGroup(object)}: give it with --load`,
      );
      return [];
    }
    const requestOperation = operation === undefined || operation === '' ? values.operation : operation;
    const written = {
      name: importedTitle(object),
      operation: requestOperation,
      object: requestOperation === 'DELETE' ? undefined : object,
      oldObject: requestOperation === 'CREATE' ? undefined : object,
      userInfo,
      subResource: '',
    };
    const labels = values.namespaces.get(namespaceOf(object));
    const request = labels === undefined ? written : { ...written, namespaceLabels: labels };
    const made = requestCase(request, { expect, definitions: load, notes });
    if (!('because' in made)) return [made];
    notes.push(`${importedTitle(object)}: ${made.because}: left out`);
    return [];
  });
  return { name: basename(dirname(resolve(file))), from: file, load, cases, notes };
}

const toPaths = (value: JsonValue | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : nonEmptyTexts(value);

const withNamespace = (object: JsonObject): JsonObject =>
  kindOf(object) === 'ConfigMap' && namespaceOf(object) === ''
    ? { ...object, metadata: { ...asObject(object['metadata']), namespace: 'default' } }
    : object;

interface Values {
  readonly namespaces: ReadonlyMap<string, JsonObject>;
  readonly operation: string;
}

function readValues(file: string, test: JsonObject, notes: string[]): Values {
  const values = { ...readRelative(file, toPaths(test['variables']), notes)[0], ...asObject(test['values']) };
  const labels = [
    ...asList(values['namespaceSelector']).map((one) => [valueAt(one, 'name'), valueAt(one, 'labels')] as const),
    ...asList(values['namespaces']).map(
      (one) => [valueAt(one, 'metadata', 'name'), valueAt(one, 'metadata', 'labels')] as const,
    ),
  ];
  const global = asObject(values['globalValues']);
  const operation = asString(global['request.operation']) || inferOperation({}, undefined);
  const others = Object.keys(global).filter((name) => name !== 'request.operation');
  if (others.length > 0) notes.push(`globalValues ${others.join(', ')} are variables of Kyverno: left out`);
  return {
    namespaces: new Map(labels.map(([name, one]) => [asString(name), asObject(one)])),
    operation,
  };
}

interface ResultContext {
  readonly file: string;
  readonly load: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly notes: string[];
}

interface ExpectedResult {
  readonly expect: JsonObject;
  readonly operation: string | undefined;
}

/** By index of the resource, merged from all results that name it. */
function expectations(
  test: JsonObject,
  { file, load, resources, notes }: ResultContext,
): ReadonlyMap<number, ExpectedResult> {
  const wanted = new Map<number, ExpectedResult>();
  const known = new Set(load.filter(isPolicy).map(nameOf));
  for (const result of asList(test['results']).map(asObject)) {
    const policy = asString(result['policy']);
    if (!known.has(policy)) {
      notes.push(
        `results of ${policy}${result['rule'] === undefined ? '' : `, rule ${asString(result['rule'])}`}: left out with the policy`,
      );
      continue;
    }
    const patched = readRelative(file, toPaths(result['patchedResources']), notes);
    for (const at of selectResources(result, resources)) {
      const object = resources[at] ?? {};
      const after = patched.find((one) => nameOf(one) === nameOf(object) && kindOf(one) === kindOf(object));
      const expect = { ...wanted.get(at)?.expect, ...expectResult(result, policy, load, after) };
      wanted.set(at, {
        expect: mergeExpectations(wanted.get(at)?.expect, expect),
        operation: asString(result['operation']) || undefined,
      });
    }
  }
  return wanted;
}

/** One refusing policy refuses the request, whatever the others decide. */
const mergeExpectations = (before: JsonObject | undefined, now: JsonObject): JsonObject => {
  const policies = { ...asObject(before?.['policies']), ...asObject(now['policies']) };
  return { ...now, ...(Object.keys(policies).length > 0 ? { policies } : {}) };
};

/** All resources of its kind when the result names none. */
function selectResources(result: JsonObject, resources: readonly JsonObject[]): readonly number[] {
  const names = [...nonEmptyTexts(result['resources']), ...nonEmptyTexts([result['resource'] ?? ''])];
  const specs = asList(result['resourceSpecs']).filter(isJsonObject);
  const kind = asString(result['kind']).split('/').at(-1) ?? '';
  return resources.flatMap((object, at) => {
    const isNamed =
      names.length === 0 && specs.length === 0
        ? true
        : names.some((name) => name === nameOf(object) || name === `${namespaceOf(object)}/${nameOf(object)}`) ||
          specs.some((spec) => spec['name'] === nameOf(object));
    return isNamed && (kind === '' || kind === kindOf(object)) ? [at] : [];
  });
}

function expectResult(
  result: JsonObject,
  policy: string,
  load: readonly JsonObject[],
  after: JsonObject | undefined,
): JsonObject {
  const outcome = asString(result['result'] ?? result['status']);
  if (outcome === 'skip') return { policies: { [policy]: 'skipped' } };
  if (outcome === 'fail' || outcome === 'warn') return failureExpectation(policy, load);
  if (after !== undefined) {
    const { status: _status, ...object } = after;
    return { policies: { [policy]: 'evaluated' }, object };
  }
  return { policies: { [policy]: 'evaluated' } };
}
