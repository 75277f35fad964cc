import { asList, asObject, asString, isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { plainObject } from '../scenario/record/plain-object.ts';
import { completeObject } from './complete-object.ts';
import type { ImportedCase } from './imported-test.ts';
import { namespaceFor, namespaceOf, refOf, titleOf } from './objects.ts';

/** A request as tests write it down: the fields of `request` of an AdmissionReview, some of them. */
export interface WrittenRequest {
  readonly name: string;
  readonly operation: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly userInfo: JsonObject;
  readonly subResource: string;
  /** Labels of its namespace; undefined: none are said. */
  readonly namespaceLabels?: JsonObject;
  readonly options?: JsonObject;
}

/** What a request in AdmissionReview's fields says beside its objects; which operation it is follows from them where it says none. */
export const aboutRequest = (
  request: JsonObject,
  { object, oldObject }: Pick<WrittenRequest, 'object' | 'oldObject'>,
): Pick<WrittenRequest, 'operation' | 'userInfo' | 'subResource'> => ({
  operation: asString(request['operation']) || inferredOperation(object, oldObject),
  userInfo: asObject(request['userInfo']),
  subResource: asString(request['subResource']),
});

/** A case that sends it and expects this; or why it cannot be sent. */
export function requestCase(
  request: WrittenRequest,
  expect: JsonValue | undefined,
  notes: string[],
): ImportedCase | { readonly because: string } {
  const { name, operation, object, oldObject, userInfo, subResource, namespaceLabels } = request;
  const subject = object ?? oldObject;
  if (operation === 'CONNECT')
    return { because: 'it is a CONNECT, which has an address of its own: write a connect step' };
  if (subject === undefined) return { because: 'it has no object' };
  const clean = (one: JsonObject): JsonObject => completeObject(plainObject(one), notes);
  const common = {
    ...(subResource === '' ? {} : { subresource: subResource }),
    dryRun: true,
    ...asUser(userInfo),
    ...(expect === undefined ? {} : { expect }),
  };
  const namespaces = namespaceFor(namespaceOf(subject), namespaceLabels);
  if (operation === 'DELETE') {
    const stored = clean(subject);
    const inNamespace = namespaceOf(stored) === '' ? {} : { namespace: namespaceOf(stored) };
    return { before: [...namespaces, stored], steps: [{ name, delete: refOf(stored), ...inNamespace, ...common }] };
  }
  const sent = clean(subject);
  if (operation === 'UPDATE') {
    return { before: [...namespaces, clean(oldObject ?? subject)], steps: [{ name, update: sent, ...common }] };
  }
  return { before: namespaces, steps: [{ name: name || `create ${titleOf(sent)}`, create: sent, ...common }] };
}

/** Who sends it: what every server adds is left out. */
export function asUser(userInfo: JsonObject): JsonObject {
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

/** The operation that follows from which objects there are. */
export function inferredOperation(object: JsonObject | undefined, oldObject: JsonObject | undefined): string {
  if (object === undefined) return 'DELETE';
  return oldObject === undefined ? 'CREATE' : 'UPDATE';
}

export const objectOrNone = (value: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(value) && Object.keys(asObject(value)).length > 0 ? value : undefined;
