import { append, asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { type FieldError, invalidValue, required, duplicate, notSupported } from '../../machinery/meta/field-error.ts';
import { emptyList, isDuplicate } from '../../machinery/lists.ts';
import { type TextCheck, portName, portNumber } from '../../machinery/meta/names.ts';

export type FieldErrors = readonly FieldError[];

export const noErrors: FieldErrors = emptyList;

/** `{}` without a spec. */
export const specOf = <Spec extends JsonObject>(object: { readonly spec?: Spec }): Partial<Spec> =>
  asObject(object.spec);

export const errorIf = (isInvalid: boolean, error: () => FieldError): FieldErrors => (isInvalid ? [error()] : noErrors);

/** Checks every item with its path: `spec.ports[0]`. */
export function each<T extends JsonObject>(
  list: readonly T[] | null | undefined,
  path: string,
  check: (item: Partial<T>, path: string, index: number) => FieldErrors,
): FieldErrors;
export function each(
  list: JsonValue | undefined,
  path: string,
  check: (item: JsonObject, path: string, index: number) => FieldErrors,
): FieldErrors;
export function each(
  list: JsonValue | undefined,
  path: string,
  check: (item: JsonObject, path: string, index: number) => FieldErrors,
): FieldErrors {
  return collectErrors(asList(list), (item, index) => check(asObject(item), `${path}[${index}]`, index));
}

export const eachText = (
  list: JsonValue | undefined,
  path: string,
  check: (text: string, path: string, index: number) => FieldErrors,
): FieldErrors => collectErrors(asList(list), (item, index) => check(asString(item), `${path}[${index}]`, index));

export const eachKey = (map: JsonObject, check: (key: string) => FieldErrors): FieldErrors =>
  collectErrors(Object.keys(map), (key) => check(asString(key)));

export const eachOf = <T>(list: readonly T[], check: (item: T, index: number) => FieldErrors): FieldErrors =>
  collectErrors(list, check);

/** Limits of kadmit: each error may print the whole list. */
const maxErrors = 5000;
const maxCharacters = 8 * 1024 * 1024;

function collectErrors<T>(list: readonly T[], check: (item: T, index: number) => FieldErrors): FieldErrors {
  const errors: FieldError[] = [];
  let characters = 0;
  for (let index = 0; index < list.length; index += 1) {
    const more = check(list[index] as T, index); // Below its length.
    append(errors, more);
    for (const { value, detail } of more) characters += detail.length + (value?.length ?? 0);
    if (errors.length >= maxErrors || characters >= maxCharacters) break;
  }
  return errors;
}

/** An invalid value for each error text. */
export function validateText(check: TextCheck, field: string, text: string): FieldErrors {
  const sentences = check(text);
  return sentences.length === 0 ? noErrors : sentences.map((sentence) => invalidValue(field, text, sentence));
}

/** An error for each empty field. */
export const validateRequiredFields = <T extends JsonObject>(
  object: T,
  path: string,
  ...fields: readonly (keyof T & string)[]
): FieldErrors =>
  fields.flatMap((field) => errorIf(asString(object[field]) === '', () => required(`${path}.${field}`, '')));

/** Required, then valid. */
export const validateRequiredText = (
  check: TextCheck,
  field: string,
  value: JsonValue | undefined,
  detail = '',
): FieldErrors => {
  const text = asString(value);
  return text === '' ? [required(field, detail)] : validateText(check, field, text);
};

/** '' and a missing value are valid. */
export const validateOptionalText = (check: TextCheck, field: string, value: JsonValue | undefined): FieldErrors => {
  const text = asString(value);
  return text === '' ? noErrors : validateText(check, field, text);
};

/** Of a pointer: '' is a value. */
export const validateTextPointer = (check: TextCheck, field: string, value: JsonValue | undefined): FieldErrors =>
  value === undefined ? noErrors : validateText(check, field, asString(value));

/** An error if an earlier call had the same text. */
export const validateUnique = (seen: Set<string>, field: string, text: string): FieldErrors =>
  errorIf(isDuplicate(seen, text), () => duplicate(field, text));

/** Required, then one of `options`, which are printed in order. */
export function validateRequiredEnum(
  field: string,
  value: JsonValue | undefined,
  options: readonly string[],
): FieldErrors {
  const text = asString(value);
  if (text === '') return [required(field, '')];
  return options.includes(text) ? noErrors : [notSupported(field, text, options)];
}

/** One of `options`, which '' is not. */
export const validateEnum = (field: string, text: string, options: readonly string[]): FieldErrors =>
  options.includes(text) ? noErrors : [notSupported(field, text, options)];

export const validateOptionalEnum = (
  field: string,
  value: JsonValue | undefined,
  options: readonly string[],
): FieldErrors =>
  value === undefined || options.includes(asString(value)) ? noErrors : [notSupported(field, asString(value), options)];

export const validateNonNegative = (field: string, value: JsonValue | undefined): FieldErrors =>
  Number(value ?? 0) < 0 ? [invalidValue(field, value ?? 0, 'must be greater than or equal to 0')] : noErrors;

/** Follows kubernetes pkg/apis/core/validation ValidatePortNumOrName. */
export const validatePortNumOrName = (field: string, port: JsonValue | undefined): FieldErrors =>
  typeof port === 'string'
    ? validateText(portName, field, port)
    : portNumber(Number(port ?? 0)).map((sentence) => invalidValue(field, port ?? 0, sentence));

export const validatePortNum = (field: string, number: number): FieldErrors =>
  portNumber(number).map((sentence) => invalidValue(field, number, sentence));

export const validateInRange = (
  field: string,
  value: JsonValue | undefined,
  first: number,
  last: number,
): FieldErrors =>
  value !== undefined && (Number(value) < first || Number(value) > last)
    ? [invalidValue(field, value, `must be between ${first} and ${last}, inclusive`)]
    : noErrors;

/** The lifetime of a service account token, in seconds. */
export const validateTokenExpiration = (field: string, seconds: number): FieldErrors => [
  ...errorIf(seconds < 600, () => invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')),
  ...errorIf(seconds > 2 ** 32, () =>
    invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds'),
  ),
];

/** Follows kubernetes pkg/apis/core/validation validateLocalDescendingPath. */
export const validateLocalDescendingPath = (field: string, path: string): FieldErrors => [
  ...errorIf(path.startsWith('/'), () => invalidValue(field, path, 'must be a relative path')),
  ...validatePathNoBacksteps(field, path),
];

/** Follows kubernetes pkg/apis/core/validation validatePathNoBacksteps. */
export const validatePathNoBacksteps = (field: string, path: string): FieldErrors =>
  errorIf(path.split('/').includes('..'), () => invalidValue(field, path, "must not contain '..'"));
