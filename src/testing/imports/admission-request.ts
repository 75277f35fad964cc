import { mentionsName } from '../../cel/index.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { plainObject } from '../scenario/record/plain-object.ts';
import { completeObject } from './complete-object.ts';
import type { ImportedCase } from './imported-test.ts';
import { serverRefusal, type ServerRefusal } from './server-refusal.ts';
import { objectKey, kindOf, namespaceFor, namespaceOf, targetText, importedTitle } from './objects.ts';
import { expressionsOf, isPolicy } from './policies.ts';

/** `request` of an AdmissionReview as tests write it: some of its fields. */
export interface WrittenRequest {
  readonly name: string;
  readonly operation: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly userInfo: JsonObject;
  readonly subResource: string;
  readonly namespaceLabels?: JsonObject;
  readonly options?: JsonObject;
}

/** The operation follows from the objects where the request names none. */
export const requestFields = (
  request: JsonObject,
  { object, oldObject }: Pick<WrittenRequest, 'object' | 'oldObject'>,
): Pick<WrittenRequest, 'operation' | 'userInfo' | 'subResource'> => ({
  operation: asString(request['operation']) || inferOperation(object, oldObject),
  userInfo: asObject(request['userInfo']),
  subResource: asString(request['subResource']),
});

export interface CaseContext {
  /** undefined: nothing is expected. */
  readonly expect: JsonValue | undefined;
  /** May contain other objects besides CustomResourceDefinitions. */
  readonly definitions: readonly JsonObject[];
  readonly notes: string[];
}

type CaseResult = ImportedCase | { readonly because: string };

/** `because` says why no step can send the request. */
export function requestCase(request: WrittenRequest, { expect, definitions, notes }: CaseContext): CaseResult {
  const { operation, object, oldObject, userInfo, subResource, namespaceLabels } = request;
  const subject = object ?? oldObject;
  if (operation === 'CONNECT')
    return { because: 'it is a CONNECT, which has an address of its own: write a connect step' };
  if (subject === undefined) return { because: 'it has no object' };
  const clean = (one: JsonObject): JsonObject => completeObject(plainObject(one), notes);
  const about: CaseFields = {
    name: request.name,
    subresource: subResource,
    namespaces: namespaceFor(namespaceOf(subject), namespaceLabels),
    refusal: serverRefusal(definitions),
    isOperationRead: definitions
      .filter(isPolicy)
      .flatMap(expressionsOf)
      .some((text) => mentionsName(text, 'request.operation')),
    common: { dryRun: true, ...importUser(userInfo), ...(expect === undefined ? {} : { expect }) },
  };
  if (operation === 'DELETE') return deletionCase(clean(subject), about);
  if (operation === 'UPDATE') return updateCase(clean(oldObject ?? subject), clean(subject), about);
  return creationCase(clean(subject), about);
}

interface CaseFields {
  readonly name: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  readonly namespaces: readonly JsonObject[];
  readonly refusal: ServerRefusal;
  /** A policy that reads `request.operation` forbids turning a create into an update. */
  readonly isOperationRead: boolean;
  readonly common: JsonObject;
}

const refusedCase = (text: string): { readonly because: string } => ({
  because: `an API server refuses its object: ${text}`,
});

function deletionCase(stored: JsonObject, { name, namespaces, refusal, common }: CaseFields): CaseResult {
  const fault = refusal.ofCreate(stored);
  if (fault !== undefined) return refusedCase(fault);
  return {
    before: [...namespaces, stored],
    steps: [{ name, delete: targetText(stored), ...namespaceField(stored), ...common }],
    evaluated: [stored],
  };
}

/** Merges the difference into the stored object: admission and defaults fill in more than the two objects contain. */
function updateCase(
  stored: JsonObject,
  sent: JsonObject,
  { name, subresource, namespaces, refusal, common }: CaseFields,
): CaseResult {
  if (objectKey(stored) !== objectKey(sent)) return { because: 'object and oldObject have different names' };
  const fault = refusal.ofUpdate(stored, sent, subresource);
  if (fault !== undefined) return refusedCase(fault);
  const patch = `${targetText(stored)}${subresource === '' ? '' : `/${subresource}`}`;
  const step = { name, patch, ...namespaceField(stored), json: [...createJsonPatch(stored, sent)], ...common };
  return { before: [...namespaces, stored], steps: [step], evaluated: [stored, sent] };
}

/** A Pod gets ephemeral containers by a subresource, once it exists. */
function creationCase(sent: JsonObject, about: CaseFields): CaseResult {
  const { name, subresource, namespaces, refusal, common, isOperationRead } = about;
  const { ephemeralContainers, ...spec } = asObject(sent['spec']);
  if (kindOf(sent) === 'Pod' && asList(ephemeralContainers).length > 0)
    return isOperationRead
      ? refusedCase(
          `${refusal.ofCreate(sent) ?? ''}, and the policy reads request.operation, so an update cannot replace the create`,
        )
      : updateCase({ ...sent, spec }, sent, { ...about, subresource: 'ephemeralcontainers' });
  const fault = subresource === '' ? refusal.ofCreate(sent) : undefined;
  if (fault !== undefined) return refusedCase(fault);
  const part = subresource === '' ? {} : { subresource };
  const step = { name: name || `create ${importedTitle(sent)}`, create: sent, ...part, ...common };
  return { before: namespaces, steps: [step], evaluated: [sent] };
}

const namespaceField = (stored: JsonObject): JsonObject =>
  namespaceOf(stored) === '' ? {} : { namespace: namespaceOf(stored) };

/** Leaves out the groups that every server adds. */
export function importUser(userInfo: JsonObject): JsonObject {
  const username = asString(userInfo['username']);
  const groups = asList(userInfo['groups']).map(asString);
  if (username === '' && groups.length === 0) return {};
  const own = groups.filter((group) => group !== 'system:authenticated' && group !== '');
  const { uid, extra } = userInfo;
  const as = {
    username: username === '' ? 'imported' : username,
    ...(own.length === 0 ? {} : { groups: own }),
    ...(typeof uid === 'string' && uid !== '' ? { uid } : {}),
    ...(isJsonObject(extra) && Object.keys(extra).length > 0 ? { extra } : {}),
  };
  return { as: Object.keys(as).length === 1 ? as.username : as };
}

export function inferOperation(object: JsonObject | undefined, oldObject: JsonObject | undefined): string {
  if (object === undefined) return 'DELETE';
  return oldObject === undefined ? 'CREATE' : 'UPDATE';
}

export const nonEmptyObject = (value: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(value) && Object.keys(asObject(value)).length > 0 ? value : undefined;

/** The JSON patch from `before` to `after`. It also applies to an object with more fields and appended list elements. */
export function createJsonPatch(before: JsonValue, after: JsonValue, path = ''): readonly JsonObject[] {
  if (sameJson(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return createListPatch(before, after, path);
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ op: 'replace', path, value: after }];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field): readonly JsonObject[] => {
    const at = `${path}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const [own, other] = [before[field], after[field]];
    if (other === undefined) return own === undefined ? [] : [{ op: 'remove', path: at }];
    return own === undefined ? [{ op: 'add', path: at, value: other }] : createJsonPatch(own, other, at);
  });
}

function createListPatch(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: string,
): readonly JsonObject[] {
  const common = Math.min(before.length, after.length);
  return [
    ...before.slice(0, common).flatMap((one, at) => createJsonPatch(one, after[at] ?? null, `${path}/${at}`)),
    ...before.slice(common).map((): JsonObject => ({ op: 'remove', path: `${path}/${common}` })),
    ...after.slice(common).map((value, at): JsonObject => ({ op: 'add', path: `${path}/${common + at}`, value })),
  ];
}
