import { basename } from 'node:path';
import { asObject, asString, isJsonObject, valueAt } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { aboutRequest, objectOrNone, requestCase } from './admission-request.ts';
import type { ImportedTest } from './imported-test.ts';
import { groupOf, isServed, kindOf } from './objects.ts';

/** Is it an AdmissionReview that holds a request? */
export const isReview = (object: JsonObject): boolean =>
  kindOf(object) === 'AdmissionReview' && isJsonObject(object['request']);

/** The request of a review as somebody would send it; a response in the same file, or `expected` beside it, says what it must come to. */
export function importReview(file: string, review: JsonObject, extra: readonly JsonObject[]): ImportedTest {
  const notes: string[] = [];
  const request = asObject(review['request']);
  const [object, oldObject] = [objectOrNone(request['object']), objectOrNone(request['oldObject'])];
  const name = basename(file).replace(/\.(?:ya?ml|json)$/, '');
  const common = { name, from: file, load: extra };
  const subject = object ?? oldObject;
  if (subject !== undefined && !isServed(subject, extra))
    return {
      ...common,
      cases: [],
      notes: [`it needs the CustomResourceDefinition of ${groupOf(subject)}: give it with --load`],
    };
  const made = requestCase(
    {
      name,
      ...aboutRequest(request, { object, oldObject }),
      object: object && whole(object, request),
      oldObject: oldObject && whole(oldObject, request),
    },
    { expect: expectationOf(objectOrNone(review['response'])), definitions: extra, notes },
  );
  if ('because' in made) return { ...common, cases: [], notes: [`${name}: ${made.because}: left out`] };
  return { ...common, cases: [made], notes: [...new Set(notes)] };
}

/** An object in a review may leave to the request what it is and where. */
function whole(object: JsonObject, request: JsonObject): JsonObject {
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

function expectationOf(response: JsonObject | undefined): JsonObject | undefined {
  if (response === undefined) return undefined;
  if (response['allowed'] !== false) return { outcome: 'admitted' };
  const message = asString(valueAt(response, 'status', 'message'));
  return { outcome: 'refused', ...(message === '' ? {} : { message: { contains: message } }) };
}
