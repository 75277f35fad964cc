import { printNumber } from '../go/go-number.ts';
import { writeJsonForGo } from '../json/json-writer.ts';
import type { JsonValue } from '../json/json.ts';

/** The value of `causes[].reason`. */
export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotFound'
  | 'InternalError';

/** One error about one field. `value` is the text to print after the type; undefined prints none. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly value?: string;
  /** The value itself, if it is printed: older releases format it differently. */
  readonly given?: JsonValue;
  /** For a violated rule of a definition: the type of the schema with the rule. */
  readonly ruleOf?: string;
  readonly detail: string;
}

const typeTexts: Readonly<Record<FieldErrorType, string>> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotFound: 'Not found',
  InternalError: 'Internal error',
};

/** `Invalid value: "x": must be …`: the cause's message. Follows apimachinery pkg/util/validation/field/errors.go (rule ENV-6). */
export function fieldErrorBody({ type, value, detail }: FieldError): string {
  return [typeTexts[type], value, detail].filter((part) => part !== undefined && part !== '').join(': ');
}

/** `metadata.name: Invalid value: "x": must be …`. */
export const fieldErrorText = (error: FieldError): string => `${error.field}: ${fieldErrorBody(error)}`;

export const required = (field: string, detail: string): FieldError => ({ type: 'FieldValueRequired', field, detail });

export const invalidValue = (field: string, value: JsonValue, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  value: formatValue(value),
  given: value,
  detail,
});

/** The same for a value of a named string type or a pointer in Go: the text is printed as JSON. */
export const invalidWord = (field: string, text: string, detail: string): FieldError => ({
  ...invalidValue(field, text, detail),
  value: writeJsonForGo(text),
});

/** `supported` is printed in the order given; upstream sorts it. A value of a named string type in Go is printed as JSON. */
export const notSupported = (field: string, value: JsonValue, supported: readonly string[]): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  value: typeof value === 'string' ? writeJsonForGo(value) : formatValue(value),
  given: value,
  detail: supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
});

/** The same for a plain string in Go. */
export const notSupportedText = (field: string, text: string, supported: readonly string[]): FieldError => ({
  ...notSupported(field, text, supported),
  value: goQuote(text),
});

export const duplicate = (field: string, value: JsonValue): FieldError => ({
  type: 'FieldValueDuplicate',
  field,
  value: formatValue(value),
  given: value,
  detail: '',
});

export const forbiddenField = (field: string, detail: string): FieldError => ({
  type: 'FieldValueForbidden',
  field,
  detail,
});

/** `max` in bytes; upstream says "may not be more than". */
export const tooLong = (field: string, max: number): FieldError => ({
  type: 'FieldValueTooLong',
  field,
  detail: max < 0 ? 'value is too long' : `may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`,
});

export const tooMany = (field: string, actual: number, max: number): FieldError => ({
  type: 'FieldValueTooMany',
  field,
  value: String(actual),
  detail: max < 0 ? 'has too many items' : `must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
});

export const fieldNotFound = (field: string, value: JsonValue): FieldError => ({
  type: 'FieldValueNotFound',
  field,
  value: formatValue(value),
  given: value,
  detail: '',
});

/** An error that the value did not cause. */
export const internalFieldError = (field: string, detail: string): FieldError => ({
  type: 'InternalError',
  field,
  detail,
});

/** A value in an error text: strings Go-quoted, numbers and booleans bare, everything else compact JSON. */
function formatValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (value === null) return 'null';
  if (typeof value === 'object') return writeJsonForGo(value);
  return typeof value === 'boolean' ? String(value) : printNumber(value);
}

/** A lone surrogate is not printable. Follows go src/unicode IsPrint. */
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cs} ]/gu;
const printableAscii = /^[ -~]*$/;

/** The string as Go's %q prints it. */
export const goQuote = (text: string): string => `"${quoteContent(text)}"`;

const unprintablePattern = new RegExp(unprintable, 'u');

/** JSON escapes a lone surrogate. */
const isPrintable = (text: string): boolean =>
  printableAscii.test(text) || (text.isWellFormed() && !unprintablePattern.test(text));

/** For printable text, JSON escapes the same two characters as Go, ten times as fast. */
function quoteContent(text: string): string {
  if (isPrintable(text)) return JSON.stringify(text).slice(1, -1);
  return text.replaceAll(/["\\]/g, '\\$&').replaceAll(unprintable, (char) => escapeCharacter(char.codePointAt(0) ?? 0));
}

const shortEscapes: ReadonlyMap<number, string> = new Map(
  'abtnvfr'.split('').map((letter, at) => [7 + at, `\\${letter}`]),
);

/** Follows go src/strconv/quote.go. */
function escapeCharacter(code: number): string {
  const hex = code.toString(16);
  if (code < 0x80) return shortEscapes.get(code) ?? `\\x${hex.padStart(2, '0')}`;
  return code < 0x1_00_00 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
