import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { ConfigError } from '../../adapters/config/config-error.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../machinery/json/json.ts';
import { allFilesUnder } from '../scenario/read/files.ts';
import { requestFields, nonEmptyObject, requestCase } from './admission-request.ts';
import { chainsawOperation, createOperations, type ChainsawOperations } from './chainsaw-operations.ts';
import { importGatorSuite, isGatorSuite } from './gator-suite.ts';
import type { ImportedTest } from './imported-test.ts';
import { importKatFolder, isKatFolder, katFolders } from './kat-folder.ts';
import { importKyvernoTest, isKyvernoTest } from './kyverno-test.ts';
import { objectGroup, isServed, kindOf, nameOf } from './objects.ts';
import { readDocuments, tryDocuments } from './read-documents.ts';

const formats =
  'no known test in it: kyverno-test.yaml, a Suite of gator, a Test of chainsaw, an AdmissionReview, or a folder of kat';

/**
 * Tests in the order of their paths; `load` are files loaded with each test. Throws ConfigError for a path that is missing, unreadable or
 * without a test.
 */
export function importFiles(paths: readonly string[], load: readonly string[]): readonly ImportedTest[] {
  const extra = load.flatMap((path) => filesToLoad(path).flatMap(readDocuments));
  return paths.flatMap((path) => {
    if (!existsSync(path)) throw new ConfigError(`${path}: there is no such file or folder`);
    const found = statSync(path).isDirectory()
      ? importFolder(path, extra)
      : importDocuments(path, readDocuments(path), extra);
    if (found.length === 0) throw new ConfigError(`${path}: ${formats}`);
    return found;
  });
}

const isManifest = (file: string): boolean => ['.yaml', '.yml', '.json'].includes(extname(file));

const filesToLoad = (path: string): readonly string[] => {
  if (!existsSync(path)) throw new ConfigError(`--load ${path}: there is no such file or folder`);
  return statSync(path).isDirectory() ? allFilesUnder(path).filter(isManifest) : [path];
};

/** Files that are not tests are loaded by the tests that name them. */
function importFolder(folder: string, extra: readonly JsonObject[]): readonly ImportedTest[] {
  const kat = (isKatFolder(folder) ? [folder] : katFolders(folder)).map((one) => importKatFolder(one, extra));
  const files = allFilesUnder(folder).filter(isManifest);
  return [...kat, ...files.flatMap((file) => importDocuments(file, tryDocuments(file).documents, extra))];
}

function importDocuments(
  file: string,
  documents: readonly JsonObject[],
  extra: readonly JsonObject[],
): readonly ImportedTest[] {
  return documents.flatMap((one) => {
    if (isKyvernoTest(one)) return [importKyvernoTest(file, one, extra)];
    if (isGatorSuite(one)) return importGatorSuite(file, one, extra);
    if (isChainsawTest(one)) return [importChainsawTest(file, one, extra)];
    return isReview(one) ? [importReview(file, one, extra)] : [];
  });
}

const isReview = (object: JsonObject): boolean =>
  kindOf(object) === 'AdmissionReview' && isJsonObject(object['request']);

/** A response in the same document is the expected one. */
function importReview(file: string, review: JsonObject, extra: readonly JsonObject[]): ImportedTest {
  const notes: string[] = [];
  const request = asObject(review['request']);
  const [object, oldObject] = [nonEmptyObject(request['object']), nonEmptyObject(request['oldObject'])];
  const name = basename(file).replace(/\.(?:ya?ml|json)$/, '');
  const common = { name, from: file, load: extra };
  const subject = object ?? oldObject;
  if (subject !== undefined && !isServed(subject, extra))
    return {
      ...common,
      cases: [],
      notes: [`it needs the CustomResourceDefinition of ${objectGroup(subject)}: give it with --load`],
    };
  const made = requestCase(
    {
      name,
      ...requestFields(request, { object, oldObject }),
      object: object && withRequestFields(object, request),
      oldObject: oldObject && withRequestFields(oldObject, request),
    },
    { expect: expectResponse(nonEmptyObject(review['response'])), definitions: extra, notes },
  );
  if ('because' in made) return { ...common, cases: [], notes: [`${name}: ${made.because}: left out`] };
  return { ...common, cases: [made], notes: [...new Set(notes)] };
}

/** Objects in a review may omit kind and namespace, which the request has. */
function withRequestFields(object: JsonObject, request: JsonObject): JsonObject {
  const kind = asObject(request['kind']);
  const group = asString(kind['group']);
  const metadata = asObject(object['metadata']);
  const namespace = asString(request['namespace']);
  const about = {
    apiVersion: `${group === '' ? '' : `${group}/`}${asString(kind['version'])}`,
    kind: asString(kind['kind']),
  };
  return {
    ...(object['kind'] === undefined ? about : {}),
    ...object,
    metadata: { ...(namespace === '' || kindOf(object) === 'Namespace' ? {} : { namespace }), ...metadata },
  };
}

function expectResponse(response: JsonObject | undefined): JsonObject | undefined {
  if (response === undefined) return undefined;
  if (response['allowed'] !== false) return { outcome: 'admitted' };
  const message = asString(valueAt(response, 'status', 'message'));
  return { outcome: 'refused', ...(message === '' ? {} : { message: { contains: message } }) };
}

const isChainsawTest = (object: JsonObject): boolean =>
  objectGroup(object) === 'chainsaw.kyverno.io' && kindOf(object) === 'Test';

/** Only the steps that need nothing but an API server, in order in one world. */
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
    importSteps(asObject(step), at, { file, operations, bindings, notes }),
  );
  const cases = steps.length === 0 ? [] : [{ before: [...operations.namespaces.values()], steps }];
  return { ...common, cases, notes: [...new Set(notes)] };
}

interface ChainsawContext {
  readonly file: string;
  readonly operations: ChainsawOperations;
  readonly bindings: ReadonlyMap<string, JsonValue>;
  readonly notes: string[];
}

function importSteps(step: JsonObject, at: number, around: ChainsawContext): readonly JsonObject[] {
  const { notes } = around;
  const title = asString(step['name']) || `step ${at + 1}`;
  for (const field of ['catch', 'cleanup', 'finally'])
    if (step[field] !== undefined) notes.push(`${title}: ${field}: left out`);
  const own = new Map([...around.bindings, ...bindingsOf(step['bindings'])]);
  if (isJsonObject(step['use'])) return templateSteps(step['use'], title, { ...around, bindings: own });
  return asList(step['try']).flatMap((operation) =>
    chainsawOperation(asObject(bindValue(operation, own)), title, around.operations),
  );
}

/** The steps of a StepTemplate with the caller's bindings. */
function templateSteps(use: JsonObject, title: string, around: ChainsawContext): readonly JsonObject[] {
  const path = asString(bindValue(use['template'] ?? null, around.bindings));
  const { documents, problem } = tryDocuments(join(dirname(around.file), path));
  const [template] = documents;
  if (problem !== undefined || template === undefined) {
    around.notes.push(`${title}: ${problem ?? `${path} is empty`}: left out`);
    return [];
  }
  const spec = asObject(template['spec']);
  const callerBindings = bindingsOf(bindValue(asObject(use['with'])['bindings'] ?? [], around.bindings));
  const bindings = new Map([...around.bindings, ...bindingsOf(spec['bindings']), ...callerBindings]);
  return asList(spec['try']).flatMap((operation) =>
    chainsawOperation(asObject(bindValue(operation, bindings)), title, around.operations),
  );
}

/** Expressions stay as they are: `hasExpression` finds them where they are used. */
const bindingsOf = (value: JsonValue | undefined): ReadonlyMap<string, JsonValue> =>
  new Map(asList(value).map((one) => [asString(asObject(one)['name']), asObject(one)['value'] ?? null]));

/** Replaces `($name)` by the bound value. */
function bindValue(value: JsonValue, bindings: ReadonlyMap<string, JsonValue>): JsonValue {
  if (typeof value === 'string') {
    const name = /^\(\$(?<name>\w+)\)$/.exec(value)?.groups?.['name'] ?? '';
    const found = bindings.get(name);
    return found === undefined ? value : found;
  }
  if (Array.isArray(value)) return value.map((one: JsonValue) => bindValue(one, bindings));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, bindValue(one ?? null, bindings)]));
}
