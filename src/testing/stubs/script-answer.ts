import { base64Bytes } from '../../machinery/go/base64-bytes.ts';
import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';

export type ScriptAnswer =
  | {
      readonly outcome: 'read';
      /** `status` of a denial; undefined: allowed. */
      readonly denial: JsonObject | undefined;
      readonly operations: readonly JsonObject[];
      readonly warnings: readonly string[];
      readonly auditAnnotations: Readonly<Record<string, string>>;
      /** Unknown fields, sent unchanged. */
      readonly raw: JsonObject;
    }
  | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * Takes the `response` or the whole AdmissionReview. No value, and a response without `allowed`, allow. `patch` may be operations instead
 * of base64.
 */
export function readScriptAnswer(returnValue: unknown): ScriptAnswer {
  if (returnValue === undefined || returnValue === null) return { outcome: 'read', ...readResponse({}) };
  const value = toJsonValue(returnValue);
  if (!isJsonObject(value))
    return { outcome: 'unreadable', error: `a script returned ${describeType(returnValue)}; ${expectedReturn}` };
  const isReview = value['kind'] === 'AdmissionReview';
  return { outcome: 'read', ...readResponse(isReview ? asObject(value['response']) : value) };
}

const expectedReturn =
  'return the response of the AdmissionReview ({ allowed, status, patch, … }), or nothing to allow';

function describeType(returnValue: unknown): string {
  if (Array.isArray(returnValue)) return 'a list';
  return typeof returnValue === 'object' ? 'something that is no JSON' : `a ${typeof returnValue}`;
}

/** 64-bit integers in full; undefined for a value that is no JSON, such as a cycle. */
export function toJsonValue(returnValue: unknown): JsonValue | undefined {
  if (typeof returnValue !== 'object') return undefined;
  try {
    const text = JSON.stringify(returnValue, (_key, value: unknown) =>
      typeof value === 'bigint' ? `${bigintMark}${value}` : value,
    );
    return JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'string' && value.startsWith(bigintMark) ? BigInt(value.slice(bigintMark.length)) : value,
    );
  } catch {
    return undefined;
  }
}

const bigintMark = '\u0000bigint ';

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

/** Fields that are present but were not understood. */
const unless = (isUnderstood: boolean, fields: JsonObject): JsonObject =>
  isUnderstood ? {} : Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** undefined for other values. */
function operationsOf(patch: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (typeof patch !== 'string') return isObjects(patch) ? patch : undefined;
  const reading = readJson(decodeBase64(patch));
  if (reading.outcome === 'unreadable') return undefined;
  const value = plainValue(reading.json.value);
  return isObjects(value) ? value : undefined;
}

/** '' for what is not base64. */
function decodeBase64(patch: string): string {
  try {
    return new TextDecoder().decode(base64Bytes(patch));
  } catch {
    return '';
  }
}

const isObjects = (value: JsonValue | undefined): value is readonly JsonObject[] =>
  Array.isArray(value) && value.every(isJsonObject);

const isTexts = (value: JsonValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isTextMap = (value: JsonValue | undefined): value is Readonly<Record<string, string>> & JsonObject =>
  isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string');
