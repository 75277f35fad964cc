import { asObject, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';

export type ScriptAnswer =
  | {
      readonly outcome: 'read';
      /** The `status` of a denial; undefined: allowed. */
      readonly denial: JsonObject | undefined;
      readonly operations: readonly JsonObject[];
      readonly warnings: readonly string[];
      readonly auditAnnotations: Readonly<Record<string, string>>;
      /** Fields that no good webhook sends: they go out as they are. */
      readonly raw: JsonObject;
    }
  | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * What a script returned: the `response`, or the whole AdmissionReview. Nothing allows, and so does a response without
 * `allowed`. `patch` may be the operations themselves instead of their base64.
 */
export function readScriptAnswer(said: unknown): ScriptAnswer {
  if (said === undefined || said === null) return { outcome: 'read', ...readResponse({}) };
  const value = jsonOf(said);
  if (!isJsonObject(value)) return { outcome: 'unreadable', error: `a script returned ${nameOf(said)}; ${wanted}` };
  const isReview = value['kind'] === 'AdmissionReview';
  return { outcome: 'read', ...readResponse(isReview ? asObject(value['response']) : value) };
}

const wanted = 'return the response of the AdmissionReview ({ allowed, status, patch, … }), or nothing to allow';

function nameOf(said: unknown): string {
  if (Array.isArray(said)) return 'a list';
  return typeof said === 'object' ? 'something that is no JSON' : `a ${typeof said}`;
}

/** The value as JSON would carry it, 64-bit integers in full; undefined when it cannot, as when it contains itself. */
export function jsonOf(said: unknown): JsonValue | undefined {
  if (typeof said !== 'object') return undefined;
  try {
    const text = JSON.stringify(said, (_key, value: unknown) =>
      typeof value === 'bigint' ? `${mark}${value}` : value,
    );
    return JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
    );
  } catch {
    return undefined;
  }
}

const mark = '\u0000bigint ';

function readResponse(response: JsonObject): Omit<Extract<ScriptAnswer, { outcome: 'read' }>, 'outcome'> {
  const { allowed, status, patch, patchType, warnings, auditAnnotations, ...others } = response;
  const operations = patchType === undefined || patchType === 'JSONPatch' ? operationsOf(patch) : undefined;
  return {
    denial: allowed === false ? asObject(status) : undefined,
    operations: operations ?? [],
    warnings: isTexts(warnings) ? warnings : [],
    auditAnnotations: isTextMap(auditAnnotations) ? auditAnnotations : {},
    raw: {
      ...others,
      ...unless(typeof allowed === 'boolean', { allowed }),
      ...unless(allowed === false, { status }),
      ...unless(operations !== undefined, { patch, patchType }),
      ...unless(isTexts(warnings), { warnings }),
      ...unless(isTextMap(auditAnnotations), { auditAnnotations }),
    },
  };
}

/** The fields that are there, unless they were understood. */
const unless = (isUnderstood: boolean, fields: JsonObject): JsonObject =>
  isUnderstood ? {} : Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The operations of a patch, however it is written; undefined when it is none. */
function operationsOf(patch: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (typeof patch !== 'string') return isObjects(patch) ? patch : undefined;
  const reading = readJson(Buffer.from(patch, 'base64').toString());
  if (reading.outcome === 'unreadable') return undefined;
  const value = plainValue(reading.json.value);
  return isObjects(value) ? value : undefined;
}

const isObjects = (value: JsonValue | undefined): value is readonly JsonObject[] =>
  Array.isArray(value) && value.every(isJsonObject);

const isTexts = (value: JsonValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isTextMap = (value: JsonValue | undefined): value is Readonly<Record<string, string>> & JsonObject =>
  isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string');
