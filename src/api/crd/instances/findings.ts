import {
  type FieldError,
  type FieldErrorType,
  goQuote,
  invalidValue,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../../machinery/meta/field-error.ts';
import { printFloat } from '../../../machinery/go/go-number.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';

/** `text` identifies an error: upstream reports each text once. */
export interface SchemaError {
  readonly text: string;
  /** `field` maps a path to the field name, `<nil>` for the object itself. */
  readonly error: (field: (path: string) => string) => FieldError;
}

export interface SchemaFindings {
  errors: SchemaError[];
  /**
   * Upstream's MatchCount: one for each validator of kube-openapi pkg/validation/validate/schema.go that ran, in its order, and for
   * each type that fits. The anyOf branch with the most is reported.
   */
  matches: number;
  /** Characters of all texts. */
  length: number;
}

export const createSchemaFindings = (): SchemaFindings => ({ errors: [], matches: 0, length: 0 });

/** Limits of kadmit; an enum error can be as long as its schema. */
const maxErrors = 10_000;
const maxLength = 4 * 1024 * 1024;

export function addError(findings: SchemaFindings, error: SchemaError): void {
  if (findings.errors.length >= maxErrors || findings.length > maxLength) return;
  findings.errors.push(error);
  findings.length += error.text.length;
}

/** `base` is the path of the checked value, '' for a whole object. */
export function toFieldErrors(errors: readonly SchemaError[], base = ''): readonly FieldError[] {
  const reported = new Set<string>();
  const field = (path: string): string => {
    const name = path.replace(/^\./, '');
    if (name === '') return base === '' ? '<nil>' : base;
    return base === '' ? name : `${base}.${name}`;
  };
  return errors.flatMap(({ text, error }) => {
    if (reported.has(text)) return [];
    reported.add(text);
    return [error(field)];
  });
}

const newSchemaError = (type: FieldErrorType, path: string, value: JsonValue, text: string): SchemaError => ({
  text,
  error: (field) => ({ ...invalidValue(field(path), value, text), type }),
});

export const newWrongType = (path: string, type: string, found: string): SchemaError =>
  newSchemaError('FieldValueTypeInvalid', path, found, `${path} in body must be of type ${type}: ${goQuote(found)}`);

export const newInvalid = (path: string, value: JsonValue, must: string): SchemaError =>
  newSchemaError('FieldValueInvalid', path, value, `${path} in body ${must}`);

/** An error about a number compared as a float64. */
export const newInvalidFloat = (path: string, value: number, must: string): SchemaError => {
  const text = `${path} in body ${must}`;
  return { text, error: (field) => ({ ...invalidValue(field(path), value, text), value: printFloat(value) }) };
};

export const newNotPositive = (path: string, factor: string): SchemaError => {
  const text = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
  return { text, error: (field) => ({ ...invalidValue(field(path), '', text), value: factor }) };
};

/** An error whose path is only in its text. */
export const newErrorWithoutPath = (text: string): SchemaError => newSchemaError('FieldValueInvalid', '', '', text);

export const newRequired = (path: string): SchemaError => ({
  text: `${path} in body is required`,
  error: (field) => required(field(path), ''),
});

export function newNotInEnum(path: string, value: JsonValue, values: readonly JsonValue[]): SchemaError {
  const { list, detail } = formatEnum(values);
  return {
    text: `${path} in body should be one of ${list}`,
    error: (field) => ({ ...notSupported(field(path), value, []), detail }),
  };
}

interface EnumText {
  readonly list: string;
  readonly detail: string;
}

/** Once per enum: thousands of wrong values of an enum of thousands would take minutes. */
const enumTexts = new WeakMap<readonly JsonValue[], EnumText>();

function formatEnum(values: readonly JsonValue[]): EnumText {
  const known = enumTexts.get(values);
  if (known) return known;
  const texts = values.map((allowed) => (typeof allowed === 'string' ? allowed : writeJson(allowed)));
  const fresh = { list: writeJson(values), detail: notSupported('', '', texts).detail ?? '' };
  enumTexts.set(values, fresh);
  return fresh;
}

export const newTooLong = (path: string, max: number): SchemaError => ({
  text: `${path} in body should be at most ${max} chars long`,
  error: (field) => tooLong(field(path), max),
});

/** `what` is items or properties. */
export const newTooMany = (path: string, what: string, actual: number, max: number): SchemaError => ({
  text: `${path} in body should have at most ${max} ${what}`,
  error: (field) => tooMany(field(path), actual, max),
});
