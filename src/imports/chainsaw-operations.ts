import { asList, asObject, asString, isJsonObject, valueAt } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { groupOf, isServed, keyOf, kindOf, nameOf, namespaceOf, refOf, titleOf } from './objects.ts';
import { readGlob } from './read-glob.ts';

/** What has to be remembered from one operation to the next. */
export interface Operations {
  readonly file: string;
  /** Definitions seen so far, and those given beside the test. */
  readonly definitions: JsonObject[];
  /** Keys of what was created: `apply` creates first, and patches then. */
  readonly created: Set<string>;
  readonly notes: string[];
}

export const createOperations = (file: string, extra: readonly JsonObject[], notes: string[]): Operations => ({
  file,
  definitions: [...extra],
  created: new Set(),
  notes,
});

type Verb = (operation: JsonObject, at: string, operations: Operations) => readonly JsonObject[];

/** The steps of one operation of chainsaw; [] with a note for one that needs more than an API server. */
export function chainsawOperation(entry: JsonObject, at: string, operations: Operations): readonly JsonObject[] {
  const [verb] = Object.keys(entry).filter((field) => field !== 'description');
  const run = verb === undefined ? undefined : verbs[verb];
  if (verb !== undefined && run !== undefined) return run(asObject(entry[verb]), at, operations);
  return left(`${at}: ${verb ?? 'an empty operation'} needs more than an API server`, operations);
}

function left(what: string, { notes }: Operations): readonly [] {
  notes.push(`${what}: left out`);
  return [];
}

const verbs: Readonly<Record<string, Verb>> = {
  create: (operation, at, operations) => eachObject('create', operation, at, operations),
  apply: (operation, at, operations) => eachObject('apply', operation, at, operations),
  update: (operation, at, operations) => eachObject('update', operation, at, operations),
  patch: (operation, at, operations) => eachObject('patch', operation, at, operations),
  assert: (operation, at, operations) =>
    objectsOf(operation, at, operations).flatMap((object) => {
      const { apiVersion: _version, kind: _kind, metadata, ...rest } = object;
      const { name: _name, namespace: _namespace, ...about } = asObject(metadata);
      const until = { ...rest, ...(Object.keys(about).length > 0 ? { metadata: about } : {}) };
      if (nameOf(object) === '') return left(`${at}: assert of any ${kindOf(object)}, none by name`, operations);
      return [wait(object, Object.keys(until).length === 0 ? 'exists' : until)];
    }),
  error: (operation, at, operations) =>
    objectsOf(operation, at, operations).flatMap((object) => {
      const isBare = Object.keys(object).every((field) => ['apiVersion', 'kind', 'metadata'].includes(field));
      const isNamed =
        nameOf(object) !== '' &&
        Object.keys(asObject(object['metadata'])).every((field) => field === 'name' || field === 'namespace');
      if (!isBare || !isNamed)
        return left(
          `${at}: error of ${titleOf(object)} with fields: a scenario waits for what is there or gone`,
          operations,
        );
      return [wait(object, 'gone')];
    }),
  delete: (operation, at, operations) => deletions(operation, at, operations),
  sleep: ({ duration }, at, operations) =>
    typeof duration === 'string' && !hasExpression(duration)
      ? [{ advance: duration }]
      : left(`${at}: sleep`, operations),
};

const wait = (object: JsonObject, until: JsonValue): JsonObject => ({
  wait: refOf(object),
  ...(namespaceOf(object) === '' ? {} : { namespace: namespaceOf(object) }),
  until,
});

function eachObject(verb: string, operation: JsonObject, at: string, operations: Operations): readonly JsonObject[] {
  const expect = expectationOf(operation, at, operations);
  const common = {
    ...(operation['dryRun'] === true ? { dryRun: true } : {}),
    ...(expect === undefined ? {} : { expect }),
  };
  return objectsOf(operation, at, operations).map((object) => {
    const key = keyOf(object);
    const isPatch = verb === 'patch' || (verb === 'apply' && operations.created.has(key));
    if (!isPatch && expect === undefined) operations.created.add(key);
    if (!isPatch) return { [verb === 'update' ? 'update' : 'create']: object, ...common };
    const { apiVersion: _version, kind: _kind, ...merge } = object;
    const where = namespaceOf(object) === '' ? {} : { namespace: namespaceOf(object) };
    return { patch: refOf(object), ...where, merge, ...common };
  });
}

/** The objects of an operation that are served and hold no expressions. */
function objectsOf(operation: JsonObject, at: string, operations: Operations): readonly JsonObject[] {
  const { resource, file } = operation;
  const found = isJsonObject(resource) ? [resource] : readGlob(operations.file, asString(file), operations.notes);
  if (operation['namespace'] !== undefined || operation['cluster'] !== undefined)
    operations.notes.push(`${at}: it names a namespace or cluster of chainsaw: left out`);
  return found.flatMap((object) => {
    if (hasExpression(object)) return left(`${at}: ${titleOf(object)} holds expressions of chainsaw`, operations);
    if (kindOf(object) === 'CustomResourceDefinition') operations.definitions.push(object);
    if (isServed(object, operations.definitions)) return [object];
    return left(
      `${at}: ${titleOf(object)} needs the CustomResourceDefinition of ${groupOf(object)}, give it with --load`,
      operations,
    );
  });
}

function deletions(operation: JsonObject, at: string, operations: Operations): readonly JsonObject[] {
  const expect = expectationOf(operation, at, operations);
  const ref = operation['ref'];
  const objects = isJsonObject(ref)
    ? [{ ...ref, metadata: { name: ref['name'] ?? '', namespace: ref['namespace'] ?? '' } }]
    : objectsOf(operation, at, operations);
  return objects.flatMap((object) => {
    if (hasExpression(object) || nameOf(object) === '')
      return left(`${at}: delete of ${titleOf(object)}, none by name`, operations);
    operations.created.delete(keyOf(object));
    const where = namespaceOf(object) === '' ? {} : { namespace: namespaceOf(object) };
    const common = { ...where, ...(expect === undefined ? {} : { expect }) };
    return [
      { delete: refOf(object), ...common },
      ...(expect === undefined ? [{ wait: refOf(object), ...where, until: 'gone' }] : []),
    ];
  });
}

/** `expect` of chainsaw: that there is an error, or which; undefined when nothing is expected but success. */
function expectationOf(operation: JsonObject, at: string, operations: Operations): JsonValue | undefined {
  const checks = asList(operation['expect']).map(asObject);
  if (checks.length === 0) return undefined;
  if (checks.some((one) => one['match'] !== undefined))
    operations.notes.push(`${at}: match of expect: what is expected of one object is expected of all`);
  const check = Object.entries(asObject(valueAt(checks[0], 'check')));
  const known = check.map(([expression, value]) => ({
    expression,
    expected: errorExpectation(expression, value ?? null),
  }));
  for (const { expression } of known.filter(({ expected }) => expected === 'unknown'))
    operations.notes.push(`${at}: expect ${expression}: an expression of chainsaw: left out`);
  return known.map(({ expected }) => expected).find((expected) => expected !== 'unknown' && expected !== 'success');
}

/** What a check of chainsaw says of `$error`. */
function errorExpectation(expression: string, value: JsonValue): JsonValue {
  const plain = expression.replaceAll(/[\s`]/g, '');
  if (plain === '($error!=null)') return value === true ? 'refused' : 'success';
  if (plain === '($error==null)') return value === true ? 'success' : 'refused';
  if (plain === '($error)' && typeof value === 'string') return { message: value };
  const contained = /^\(contains\(\$error,\s*'(?<text>.*)'\)\)$/.exec(expression)?.groups?.['text'];
  return contained !== undefined && value === true ? { message: { contains: contained } } : 'unknown';
}

/** Expressions stand in round brackets, in names of fields and in texts. */
function hasExpression(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return /^\(.*\)$|^~|\$namespace\b/s.test(value) && value.length > 2;
  if (Array.isArray(value)) return value.some((one: JsonValue) => hasExpression(one));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([field, one]) => /^[(~]/.test(field) || hasExpression(one));
}
