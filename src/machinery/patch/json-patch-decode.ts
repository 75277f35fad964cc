import { goJsonKind } from '../go/go-print.ts';
import { isJsonObject, type JsonDocument, type JsonNumber } from '../json/json.ts';
import { createJsonBuilder, type JsonText, readJson } from '../json/json-reader.ts';
import { type JsonScalar, walkJson } from '../json/json-walk.ts';
import { tooLargeNumber, tooLargeNumberIn } from '../json/too-large-number.ts';

/** A string in a patch with other escapes than Go would write. The `test` operation compares the escaped texts (rule JP-7). */
export class JsonLiteral {
  readonly text: string;
  readonly value: string;
  constructor(text: string, value: string) {
    this.text = text;
    this.value = value;
  }
}

/** A value while it is patched. */
export type PatchNode =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonNumber
  | JsonLiteral
  | readonly PatchNode[]
  | { readonly [field: string]: PatchNode | undefined };

/** Members as sent: applying the operation checks which are required and their types. */
export type PatchOperation = { readonly [member: string]: PatchNode | undefined };

export interface JsonPatch {
  readonly operations: readonly PatchOperation[];
  readonly hasLiterals: boolean;
}

export type DecodedPatch =
  | { readonly outcome: 'decoded'; readonly patch: JsonPatch }
  | { readonly outcome: 'undecodable'; readonly error: string };

export type DecodedClientPatch =
  /** `strict` are the errors of strict decoding: `json patch unknown field "[0].zork"`. */
  | { readonly outcome: 'decoded'; readonly patch: JsonPatch; readonly strict: readonly string[] }
  | { readonly outcome: 'undecodable'; readonly error: string };

/** How many operations a client's patch may have; a webhook's patch has no limit (rule MUT-12). */
export const maximumClientOperations = 10_000;

/**
 * The JSON patch in a text. `null` has no operations. The error is Go's: `json: cannot unmarshal object into Go value
 * of type jsonpatch.Patch`. Follows gopkg.in/evanphx/json-patch.v4 patch.go DecodePatch (rule MUT-10).
 */
export function decodePatch(text: string): DecodedPatch {
  const { value, hasLiterals, error } = readPatch(text);
  if (error !== undefined) return undecodable(error);
  if (value === null) return { outcome: 'decoded', patch: { operations: [], hasLiterals } };
  if (!isList(value)) return undecodable(cannotUnmarshal(value, 'jsonpatch.Patch'));
  const wrong = value.find((operation) => operation !== null && !isOperation(operation));
  if (wrong !== undefined) return undecodable(cannotUnmarshal(wrong, 'jsonpatch.Operation'));
  const operations = value.map((operation) => (isOperation(operation) ? operation : {}));
  return { outcome: 'decoded', patch: { operations, hasLiterals } };
}

interface ReadPatch {
  readonly value: PatchNode;
  readonly hasLiterals: boolean;
  readonly error: string | undefined;
}

function readPatch(text: string): ReadPatch {
  let hasLiterals = false;
  const builder = createJsonBuilder((value: JsonScalar, start: number, end: number): JsonScalar | JsonLiteral => {
    if (typeof value !== 'string' || isSpeltAsInGo(text, start, end)) return value;
    hasLiterals = true;
    return new JsonLiteral(text.slice(start, end), value);
  });
  const fault = walkJson(text, builder.visitor);
  return { value: builder.value(), hasLiterals, error: fault?.error };
}

/** A run of characters that Go writes unescaped, or of escapes. */
const goSpelling =
  /(?:[^"\\<>&\u2028\u2029]+|\\(?:["\\bfnrt]|u(?:003[ce]|0026|202[89]|00(?:0[0-7bef]|1[\da-f])))){1,1024}/y;

/** Does the JSON string from `start` to `end` have the escapes that Go writes? Follows go src/encoding/json/encode.go. */
function isSpeltAsInGo(text: string, start: number, end: number): boolean {
  goSpelling.lastIndex = start + 1;
  let at = start + 1;
  while (goSpelling.test(text)) at = goSpelling.lastIndex;
  return at === end - 1;
}

/**
 * The patch of a client's request. `checked` is false for fieldValidation=Ignore: then members of the wrong type pass
 * until they are needed. Follows apiserver pkg/endpoints/handlers/patch.go.
 */
export function decodeClientPatch(text: string, checked: boolean): DecodedClientPatch {
  const reading = readJson(text);
  if (checked) {
    const error = reading.outcome === 'unreadable' ? reading.error : firstTypeError(reading.json);
    if (error !== undefined) return undecodable(`error decoding patch: ${error}`);
  }
  const decoded = decodePatch(text);
  if (decoded.outcome === 'undecodable' || reading.outcome === 'unreadable' || !checked) {
    return decoded.outcome === 'decoded' ? { ...decoded, strict: [] } : decoded;
  }
  return { ...decoded, strict: strictErrors(reading.json, decoded.patch).map((error) => `json patch ${error}`) };
}

const members = new Set(['op', 'path', 'from', 'value']);
const textMembers = ['op', 'path', 'from'] as const;

function firstTypeError(json: JsonText): string | undefined {
  const { value } = json;
  if (value === null) return undefined;
  if (!isList(value)) return cannotUnmarshal(value, '[]handlers.jsonPatchOp');
  const mayBeTooLarge = tooLargeNumberIn(json) !== undefined;
  for (const operation of value) {
    const error = operationTypeError(operation, mayBeTooLarge);
    if (error !== undefined) return error;
  }
  return undefined;
}

function operationTypeError(operation: JsonDocument, mayBeTooLarge: boolean): string | undefined {
  if (operation !== null && !isOperation(operation)) return cannotUnmarshal(operation, 'handlers.jsonPatchOp');
  for (const [member, given = null] of Object.entries(operation ?? {})) {
    const error = memberError(member, given) ?? (mayBeTooLarge ? valueError(member, given) : undefined);
    if (error !== undefined) return error;
  }
  return undefined;
}

const memberError = (member: string, given: JsonDocument): string | undefined =>
  given === null || typeof given === 'string' || !textMembers.some((name) => name === member)
    ? undefined
    : `json: cannot unmarshal ${goKind(given)} into Go struct field jsonPatchOp.${member} of type string`;

const valueError = (member: string, given: JsonDocument): string | undefined =>
  member === 'value' ? tooLargeNumber(given, 'struct field jsonPatchOp.value') : undefined;

function strictErrors(json: JsonText, patch: JsonPatch): readonly string[] {
  const unknown = new Set(
    patch.operations.flatMap((operation, index) =>
      Object.keys(operation)
        .filter((member) => !members.has(member))
        .map((member) => `[${index}].${member}`),
    ),
  );
  if (unknown.size === 0 && !json.hasDuplicates) return [];
  return json.keys().flatMap(({ path, duplicate }) => {
    if (unknown.has(path)) return [`unknown field "${path}"`];
    return duplicate ? [`duplicate field "${path}"`] : [];
  });
}

const undecodable = (error: string): { readonly outcome: 'undecodable'; readonly error: string } => ({
  outcome: 'undecodable',
  error,
});

/** Go's error for a value that is not a string; undefined for an absent value and for null. */
export const notString = (value: PatchNode | undefined): string | undefined =>
  value === null || value === undefined ? undefined : cannotUnmarshal(value, 'string');

/** Go's error about a value of the wrong type. Follows go src/encoding/json/decode.go. */
export const cannotUnmarshal = (value: PatchNode, type: string): string =>
  `json: cannot unmarshal ${goKind(value)} into Go value of type ${type}`;

const goKind = (value: PatchNode): string => (value instanceof JsonLiteral ? 'string' : goJsonKind(value));

const isList = (value: PatchNode | undefined): value is readonly PatchNode[] => Array.isArray(value);

const isOperation = (value: PatchNode): value is PatchOperation =>
  isJsonObject(value) && !(value instanceof JsonLiteral);
