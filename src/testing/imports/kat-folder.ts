import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { asObject, asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import { allFilesUnder, readTextFile } from '../scenario/read/files.ts';
import { requestFields, nonEmptyObject, requestCase } from './admission-request.ts';
import type { ImportedCase, ImportedTest } from './imported-test.ts';
import { isServed, namespaceFor, namespaceOf, nameOf } from './objects.ts';
import { bindPolicies, failureExpectation, convertToV1, isBinding, isPolicy } from './policies.ts';
import { readDocuments } from './read-documents.ts';

const policyFile = /^(?:.+\.)?(?:polic(?:y|ies)|bindings?)\.ya?ml$/;
const inputFile =
  /\.(?<what>request|object|oldObject|namespaceObject|params|annotations|authorizer)\.ya?ml$|\.(?<text>warnings|message)\.txt$|\.(?<gold>gold)\.ya?ml$/;

/** A folder of kat has policies, and `tests/` with files whose names say what they are. */
export const isKatFolder = (folder: string): boolean =>
  existsSync(join(folder, 'tests')) && readdirSync(folder).some((name) => policyFile.test(name));

export const katFolders = (folder: string): readonly string[] => [
  ...new Set(
    allFilesUnder(folder)
      .filter((file) => policyFile.test(basename(file)))
      .map((file) => file.slice(0, -basename(file).length - 1) || '.')
      .filter((one) => basename(one) !== 'tests' && isKatFolder(one)),
  ),
];

/** One request for each name that test files share. */
export function importKatFolder(folder: string, extra: readonly JsonObject[]): ImportedTest {
  const notes: string[] = [];
  const policies = readdirSync(folder)
    .filter((name) => policyFile.test(name))
    .toSorted()
    .flatMap((name) => readDocuments(join(folder, name)))
    .filter(isPolicy)
    .map((one) => convertToV1(one, notes));
  const cases = [...listCases(join(folder, 'tests'))].flatMap(([name, files]) =>
    importCase({ name, files, policies, extra, notes }),
  );
  return { name: basename(folder), from: folder, load: extra, cases, notes: [...new Set(notes)] };
}

/** By case, then by content: `a.b.deny.object.yaml` is the object of case `a.b.deny`. */
function listCases(folder: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const cases = new Map<string, Map<string, string>>();
  for (const name of readdirSync(folder).toSorted()) {
    const { what, text, gold } = inputFile.exec(name)?.groups ?? {};
    const kind = what ?? text ?? gold;
    if (kind === undefined) continue;
    const base = name.replace(inputFile, '');
    cases.set(base, (cases.get(base) ?? new Map<string, string>()).set(kind, join(folder, name)));
  }
  return cases;
}

interface KatCase {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
  readonly policies: readonly JsonObject[];
  readonly extra: readonly JsonObject[];
  readonly notes: string[];
}

function importCase({ name, files, policies, extra, notes }: KatCase): readonly ImportedCase[] {
  const document = (what: string): JsonObject | undefined => {
    const file = files.get(what);
    return file === undefined ? undefined : readDocuments(file)[0];
  };
  const request = document('request') ?? {};
  const field = (what: string): JsonObject | undefined => document(what) ?? nonEmptyObject(request[what]);
  const [object, oldObject] = [field('object'), field('oldObject')].map(
    (one) => one && withNameAndNamespace(one, request),
  );
  const subject = object ?? oldObject;
  const leave = (because: string): readonly ImportedCase[] => {
    notes.push(`${name}: ${because}: left out`);
    return [];
  };
  if (files.has('authorizer')) return leave('it sets decisions of the authorizer; kadmit uses RBAC');
  if (subject !== undefined && !isServed(subject, extra))
    return leave(`it needs the CustomResourceDefinition of ${asString(subject['apiVersion'])}: give it with --load`);
  const policy = choosePolicy(name, policies);
  if (policy === undefined) return leave('it belongs to none of the policies');
  const stored = [field('params') ?? []]
    .flat()
    .map((one) => withNameAndNamespace(one, { namespace: namespaceOf(one) || 'default' }));
  const load = bindPolicies(withBindings(policy, policies), stored, notes);
  const labels = nonEmptyObject(valueAt(field('namespaceObject'), 'metadata', 'labels'));
  const made = requestCase(
    {
      name,
      ...requestFields(request, { object, oldObject }),
      object,
      oldObject,
      ...(labels === undefined ? {} : { namespaceLabels: labels }),
    },
    {
      expect: createExpectation({ name, files, policy: nameOf(policy), load, document }),
      definitions: [...extra, ...load],
      notes,
    },
  );
  if ('because' in made) return leave(made.because);
  const params = stored.flatMap((one) => [...namespaceFor(namespaceOf(one)), one]);
  return [{ ...made, before: [...made.before, ...params, ...load] }];
}

/** Adds the name and namespace that only the request has. */
function withNameAndNamespace(object: JsonObject, { namespace, name }: JsonObject): JsonObject {
  const metadata = asObject(object['metadata']);
  const where =
    typeof namespace === 'string' && namespace !== '' && metadata['namespace'] === undefined ? { namespace } : {};
  const called = typeof name === 'string' && name !== '' && metadata['name'] === undefined ? { name } : {};
  return { ...object, metadata: { ...metadata, ...where, ...called } };
}

function choosePolicy(name: string, policies: readonly JsonObject[]): JsonObject | undefined {
  const all = policies.filter((one) => !isBinding(one));
  return all.find((one) => name.startsWith(`${nameOf(one)}.`)) ?? (all.length === 1 ? all[0] : undefined);
}

const withBindings = (policy: JsonObject, policies: readonly JsonObject[]): readonly JsonObject[] => [
  policy,
  ...policies.filter((one) => isBinding(one) && valueAt(one, 'spec', 'policyName') === nameOf(policy)),
];

interface KatExpectation {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
  readonly policy: string;
  readonly load: readonly JsonObject[];
  readonly document: (what: string) => JsonObject | undefined;
}

function createExpectation({ name, files, policy, load, document }: KatExpectation): JsonObject {
  if (/\.deny(?:\.|$)/.test(name))
    return { ...failureExpectation(policy, load, readOptionalText(files.get('message'))) };
  const warnings = readOptionalText(files.get('warnings'))?.split('\n');
  const [gold, annotations] = [document('gold'), document('annotations')];
  const { status: _status, ...object } = gold ?? {};
  return {
    outcome: 'admitted',
    ...(warnings ? { warnings: warnings.map((contains) => ({ contains })) } : {}),
    ...(annotations
      ? {
          auditAnnotations: Object.fromEntries(
            Object.entries(annotations).map(([key, value]) => [
              key.includes('/') ? key : `${policy}/${key}`,
              value ?? null,
            ]),
          ),
        }
      : {}),
    ...(gold === undefined ? {} : { object }),
  };
}

function readOptionalText(file: string | undefined): string | undefined {
  const reading = file === undefined ? undefined : readTextFile(file);
  return reading?.outcome === 'read' && reading.text.trim() !== '' ? reading.text.trim() : undefined;
}
