import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../machinery/json/json.ts';
import {
  objectGroup,
  isServed,
  objectKey,
  kindOf,
  nameOf,
  namespaceFor,
  namespaceOf,
  targetText,
  importedTitle,
} from './objects.ts';
import { readRelative } from './read-documents.ts';
import { serverRefusal } from './server-refusal.ts';

export interface ChainsawOperations {
  readonly file: string;
  readonly definitions: JsonObject[];
  /** Keys of created objects: `apply` creates first, and patches afterwards. */
  readonly created: Set<string>;
  /** Titles of objects without a definition: they are left out, with everything that acts on them. */
  readonly missing: string[];
  /** Namespaces that objects are in and the test does not create. */
  readonly namespaces: Map<string, JsonObject>;
  readonly notes: string[];
}

export const createOperations = (file: string, extra: readonly JsonObject[], notes: string[]): ChainsawOperations => ({
  file,
  definitions: [...extra],
  created: new Set(),
  missing: [],
  namespaces: new Map(),
  notes,
});

type Verb = (operation: JsonObject, at: string, operations: ChainsawOperations) => readonly JsonObject[];

/** [] with a note for an operation that needs more than an API server. */
export function chainsawOperation(
  entry: JsonObject,
  at: string,
  operations: ChainsawOperations,
): readonly JsonObject[] {
  const [verb] = Object.keys(entry).filter((field) => field !== 'description');
  const run = verb === undefined ? undefined : verbs[verb];
  if (verb !== undefined && run !== undefined) return run(asObject(entry[verb]), at, operations);
  return leaveOut(`${at}: ${verb ?? 'an empty operation'} needs more than an API server`, operations);
}

function leaveOut(what: string, { notes }: ChainsawOperations): readonly [] {
  notes.push(`${what}: left out`);
  return [];
}

const verbs: Readonly<Record<string, Verb>> = {
  create: (operation, at, operations) => writeSteps('create', operation, at, operations),
  apply: (operation, at, operations) => writeSteps('apply', operation, at, operations),
  update: (operation, at, operations) => writeSteps('update', operation, at, operations),
  patch: (operation, at, operations) => writeSteps('patch', operation, at, operations),
  assert: (operation, at, operations) =>
    readSubjects(operation, at, operations).flatMap((object) => {
      const { apiVersion: _version, kind: _kind, metadata, ...rest } = object;
      const { name: _name, namespace: _namespace, ...about } = asObject(metadata);
      const until = { ...rest, ...(Object.keys(about).length > 0 ? { metadata: about } : {}) };
      if (nameOf(object) === '') return leaveOut(`${at}: assert of any ${kindOf(object)}, none by name`, operations);
      if (isForeignDefinition(object, operations))
        return leaveOut(`${at}: ${importedTitle(object)} is not of this test, give it with --load`, operations);
      const isOwn = operations.created.has(objectKey(object)) && Object.keys(until).length === 0;
      if (!isOwn && operations.missing.length > 0)
        return leaveOutDependent(`${at}: assert of ${importedTitle(object)}`, operations);
      return [waitStep(object, Object.keys(until).length === 0 ? 'exists' : until)];
    }),
  error: (operation, at, operations) =>
    readSubjects(operation, at, operations).flatMap((object) => {
      const isBare = Object.keys(object).every((field) => ['apiVersion', 'kind', 'metadata'].includes(field));
      const isNamed =
        nameOf(object) !== '' &&
        Object.keys(asObject(object['metadata'])).every((field) => field === 'name' || field === 'namespace');
      if (!isBare || !isNamed)
        return leaveOut(
          `${at}: error of ${importedTitle(object)} with fields: a scenario waits for what is there or gone`,
          operations,
        );
      return operations.missing.length > 0 && operations.created.has(objectKey(object))
        ? leaveOutDependent(`${at}: error of ${importedTitle(object)}`, operations)
        : [waitStep(object, 'gone')];
    }),
  delete: (operation, at, operations) => deletionSteps(operation, at, operations),
  sleep: ({ duration }, at, operations) =>
    typeof duration === 'string' && !hasExpression(duration)
      ? [{ advance: duration }]
      : leaveOut(`${at}: sleep`, operations),
};

/** A definition that the test waits for without creating it. */
const isForeignDefinition = (object: JsonObject, { definitions }: ChainsawOperations): boolean =>
  kindOf(object) === 'CustomResourceDefinition' && !definitions.some((one) => objectKey(one) === objectKey(object));

/** An expectation about an object that was left out says nothing about the server. */
const leaveOutDependent = (what: string, operations: ChainsawOperations): readonly [] =>
  leaveOut(`${what} depends on ${operations.missing.join(', ')}`, operations);

const waitStep = (object: JsonObject, until: JsonValue): JsonObject => ({
  wait: targetText(object),
  ...(namespaceOf(object) === '' ? {} : { namespace: namespaceOf(object) }),
  until,
});

function writeSteps(
  verb: string,
  operation: JsonObject,
  at: string,
  operations: ChainsawOperations,
): readonly JsonObject[] {
  const expect = readExpect(operation, at, operations);
  const common = {
    ...(operation['dryRun'] === true ? { dryRun: true } : {}),
    ...(expect === undefined ? {} : { expect }),
  };
  return readSubjects(operation, at, operations).flatMap((object) => {
    const isThere = operations.created.has(objectKey(object));
    const problem = findProblem(object, { verb, isThere, isExpected: expect !== undefined }, operations);
    if (problem !== undefined) return leaveOut(`${at}: ${problem}`, operations);
    const isPatch = verb === 'patch' || (verb === 'apply' && isThere);
    if (isPatch) return [{ ...patchStep(object), ...common }];
    if (expect === undefined) noteCreation(object, operations);
    return [{ [verb === 'update' ? 'update' : 'create']: object, ...common }];
  });
}

interface Write {
  readonly verb: string;
  readonly isThere: boolean;
  readonly isExpected: boolean;
}

/** undefined when the write can be a step. */
function findProblem(
  object: JsonObject,
  { verb, isThere, isExpected }: Write,
  { missing, definitions }: ChainsawOperations,
): string | undefined {
  const isChange = verb === 'patch' || verb === 'update';
  if (missing.length > 0 && (isExpected || (isChange && !isThere)))
    return `${verb} of ${importedTitle(object)}${isExpected ? ' with expect' : ''} depends on ${missing.join(', ')}`;
  if (isExpected || isChange || isThere) return undefined;
  const refused = serverRefusal(definitions).ofCreate(object);
  return refused === undefined ? undefined : `${importedTitle(object)}: an API server refuses this object: ${refused}`;
}

function patchStep(object: JsonObject): JsonObject {
  const { apiVersion: _version, kind: _kind, ...merge } = object;
  const where = namespaceOf(object) === '' ? {} : { namespace: namespaceOf(object) };
  return { patch: targetText(object), ...where, merge };
}

/** A namespace that the test expects to exist is created before the first step. */
function noteCreation(object: JsonObject, { created, definitions, namespaces, notes }: ChainsawOperations): void {
  created.add(objectKey(object));
  if (kindOf(object) === 'CustomResourceDefinition') definitions.push(object);
  const name = namespaceOf(object);
  const [namespace] = namespaceFor(name);
  if (namespace === undefined || name.startsWith('kube-') || namespaces.has(name)) return;
  if (created.has(objectKey(namespace))) return;
  namespaces.set(name, namespace);
  notes.push(`namespace ${name} is not made by the test: made before it`);
}

/** Served objects without chainsaw expressions. */
function readSubjects(operation: JsonObject, at: string, operations: ChainsawOperations): readonly JsonObject[] {
  const { resource, file } = operation;
  const found = isJsonObject(resource) ? [resource] : readGlob(operations.file, asString(file), operations.notes);
  if (operation['namespace'] !== undefined || operation['cluster'] !== undefined)
    operations.notes.push(`${at}: it names a namespace or cluster of chainsaw: left out`);
  return found.flatMap((object) => {
    if (!isServed(object, operations.definitions)) return leaveOutUndefinedKind(object, at, operations);
    return hasExpression(object)
      ? leaveOut(`${at}: ${importedTitle(object)} contains expressions of chainsaw`, operations)
      : [object];
  });
}

function leaveOutUndefinedKind(object: JsonObject, at: string, operations: ChainsawOperations): readonly [] {
  const title = importedTitle(object);
  if (!operations.missing.includes(title)) operations.missing.push(title);
  return leaveOut(
    `${at}: ${title} needs the CustomResourceDefinition of ${objectGroup(object)}, give it with --load`,
    operations,
  );
}

function deletionSteps(operation: JsonObject, at: string, operations: ChainsawOperations): readonly JsonObject[] {
  const expect = readExpect(operation, at, operations);
  const ref = operation['ref'];
  const objects = isJsonObject(ref)
    ? [{ ...ref, metadata: { name: ref['name'] ?? '', namespace: ref['namespace'] ?? '' } }]
    : readSubjects(operation, at, operations);
  return objects.flatMap((object) => {
    if (hasExpression(object) || nameOf(object) === '')
      return leaveOut(`${at}: delete of ${importedTitle(object)}, none by name`, operations);
    const isOurs = operations.created.delete(objectKey(object)) && expect === undefined;
    if (!isOurs && operations.missing.length > 0)
      return leaveOutDependent(`${at}: delete of ${importedTitle(object)}`, operations);
    const where = namespaceOf(object) === '' ? {} : { namespace: namespaceOf(object) };
    const common = { ...where, ...(expect === undefined ? {} : { expect }) };
    return [
      { delete: targetText(object), ...common },
      ...(expect === undefined ? [{ wait: targetText(object), ...where, until: 'gone' }] : []),
    ];
  });
}

/** `expect` of chainsaw as `expect` of a step; undefined for success. */
function readExpect(operation: JsonObject, at: string, operations: ChainsawOperations): JsonValue | undefined {
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

function errorExpectation(expression: string, value: JsonValue): JsonValue {
  const plain = expression.replaceAll(/[\s`]/g, '');
  if (plain === '($error!=null)') return value === true ? 'refused' : 'success';
  if (plain === '($error==null)') return value === true ? 'success' : 'refused';
  if (plain === '($error)' && typeof value === 'string') return { message: value };
  const contained = /^\(contains\(\$error,\s*'(?<text>.*)'\)\)$/.exec(expression)?.groups?.['text'];
  return contained !== undefined && value === true ? { message: { contains: contained } } : 'unknown';
}

/** Expressions are in round brackets, in field names and in texts. */
function hasExpression(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return /^\(.*\)$|^~|\$namespace\b/s.test(value) && value.length > 2;
  if (Array.isArray(value)) return value.some((one: JsonValue) => hasExpression(one));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([field, one]) => /^[(~]/.test(field) || hasExpression(one));
}

/** The last part of the path may contain `*`. */
function readGlob(test: string, path: string, notes: string[]): readonly JsonObject[] {
  if (path === '') {
    notes.push('an operation has neither a resource nor a file: left out');
    return [];
  }
  if (!basename(path).includes('*')) return readRelative(test, [path], notes);
  const folder = join(dirname(test), dirname(path));
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => matchesGlob(name, basename(path))) : [];
  if (names.length === 0) notes.push(`${path} names no file`);
  const paths = names.toSorted().map((name) => join(dirname(path), name));
  return readRelative(test, paths, notes);
}

function matchesGlob(name: string, pattern: string): boolean {
  const [start = '', ...others] = pattern.split('*');
  const end = others.pop() ?? '';
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - end.length;
}
