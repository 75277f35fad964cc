import { invalidIf, eachOf, errorIf, noErrors, type FieldErrors } from './field-rules.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { asList, asObject, asString, isJsonObject, isList, type JsonValue } from '../../machinery/json/json.ts';
import {
  type FieldError,
  fieldErrorText,
  forbiddenField,
  invalidValue,
  notSupported,
  required as requiredError,
  tooLong,
  tooMany,
} from '../../machinery/meta/field-error.ts';
import type { TextCheck } from '../../machinery/meta/names.ts';
import { immutableText } from './meta/object-meta.ts';

/** A field as a tag sees it. */
interface Place {
  readonly path: string;
  readonly value: JsonValue | undefined;
  /** Of the stored object; undefined on a create and for what corresponds to nothing stored. */
  readonly old?: { readonly value: JsonValue | undefined };
  readonly isUpdate: boolean;
}

/** One tag of a field. The file follows apimachinery pkg/api/validate of 1.37 and the functions that its generator writes. */
export interface DeclarativeTag {
  readonly check: (place: Place) => FieldErrors;
  /** An error ends the checks of this field. */
  readonly endsIf?: (place: Place) => boolean;
}

export type DeclaredFields = Readonly<Record<string, readonly DeclarativeTag[]>>;

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '' || value === 0 || value === false || isEmptyList(value);

const isEmptyList = (value: JsonValue): boolean => isList(value) && value.length === 0;

const ending = (check: DeclarativeTag['check']): DeclarativeTag => ({
  check,
  endsIf: (place) => check(place).length > 0,
});

const tag = (check: DeclarativeTag['check']): DeclarativeTag => ({ check });

const optional: DeclarativeTag = { check: () => noErrors, endsIf: ({ value }) => isEmpty(value) };

/** Of a field that is a pointer in Go: zero is a value. */
const optionalPointer: DeclarativeTag = { check: () => noErrors, endsIf: ({ value }) => value === undefined };

const requiredPointer = ending(({ path, value }) => errorIf(value === undefined, () => requiredError(path, '')));

/** An object that is there satisfies it, also an empty one. */
const required = ending(({ path, value }) => errorIf(isEmpty(value), () => requiredError(path, '')));

/** Only fields that changed are checked at all. */
const immutable = ending(({ path, isUpdate }) => errorIf(isUpdate, () => invalidValue(path, null, immutableText)));

/** It may be set and removed. */
const noModify = tag(({ path, value, old }) =>
  errorIf(value !== undefined && old?.value !== undefined, () =>
    invalidValue(path, null, 'field cannot be modified once set'),
  ),
);

const maxItems = (max: number): DeclarativeTag =>
  ending(({ path, value }) => errorIf(asList(value).length > max, () => tooMany(path, asList(value).length, max)));

const minimum = (min: number): DeclarativeTag =>
  tag(({ path, value }) =>
    typeof value === 'number' && value < min
      ? [invalidValue(path, value, `must be greater than or equal to ${min}`)]
      : noErrors,
  );

const format = (check: TextCheck): DeclarativeTag =>
  tag(({ path, value }) => (typeof value === 'string' ? invalidIf(check, path, value) : noErrors));

const maxLength = (max: number): DeclarativeTag =>
  tag(({ path, value }) =>
    errorIf(Array.from(asString(value)).length > max, () => ({
      ...tooLong(path, max),
      detail: `may not be more than ${max} characters`,
    })),
  );

const oneOf = (...values: readonly string[]): DeclarativeTag =>
  tag(({ path, value }) =>
    errorIf(!values.includes(asString(value)), () => notSupported(path, asString(value), values)),
  );

/** Items of lists correspond to nothing stored: they are checked on each update. */
const each = (fields: DeclaredFields): DeclarativeTag =>
  tag(({ path, value, isUpdate }) =>
    eachOf(asList(value), (item, index) =>
      validatePlace({ path: `${path}[${index}]`, value: item, isUpdate }, [struct(fields)]),
    ),
  );

/** `name` may be set, or must be, only if the field `discriminator` has this value. */
const onlyIf = (name: string, discriminator: string, mode: string, isRequired: boolean): DeclarativeTag =>
  tag(({ path, value, old }) => {
    const [now, before] = [asObject(value), old && asObject(old.value)];
    if (before && [name, discriminator].every((field) => sameJson(now[field], before[field]))) return noErrors;
    const field = `${path}.${name}`;
    const isSet = now[name] !== undefined;
    if (asString(now[discriminator]) !== mode) return errorIf(isSet, () => forbiddenField(field, ''));
    return errorIf(isRequired && !isSet, () => requiredError(field, ''));
  });

const struct = (fields: DeclaredFields): DeclarativeTag =>
  tag(({ path, value, old, isUpdate }) =>
    eachOf(Object.entries(fields), ([name, tags]) =>
      validatePlace(
        {
          path: path === '' ? name : `${path}.${name}`,
          value: asObject(value)[name],
          isUpdate,
          ...(old && isJsonObject(old.value ?? null) && { old: { value: asObject(old.value)[name] } }),
        },
        tags,
      ),
    ),
  );

/** What did not change is not checked; tags that end the checks come first. */
function validatePlace(place: Place, tags: readonly DeclarativeTag[]): FieldErrors {
  if (place.old && sameJson(place.value, place.old.value)) return noErrors;
  const first = tags.filter(({ endsIf }) => endsIf);
  const errors = first.flatMap(({ check }) => check(place));
  if (first.some(({ endsIf }) => endsIf?.(place))) return errors;
  return [...errors, ...tags.filter(({ endsIf }) => !endsIf).flatMap(({ check }) => check(place))];
}

/** At most one item of each type. */
const zeroOrOneOf = (name: string, ...types: readonly string[]): DeclarativeTag =>
  tag(({ path, value }) => {
    const members = types.map((type) => `${name}[{"type": "${type}"}]`);
    const set = members.filter((_, at) => asList(value).some((item) => asObject(item)['type'] === types[at]));
    const all = members.map((member) => `\`${member}\``).join(', ');
    return errorIf(set.length > 1, () =>
      invalidValue(path, `{${set.join(', ')}}`, `must specify at most one of: ${all}`),
    );
  });

export const tags = {
  optional,
  optionalPointer,
  requiredPointer,
  required,
  immutable,
  maxItems,
  minimum,
  noModify,
  format,
  maxLength,
  oneOf,
  each,
  onlyIf,
  struct,
  zeroOrOneOf,
} as const;

/** Handwritten details that a declarative error with other words replaces. */
const otherText: ReadonlySet<string> = new Set([
  immutableText,
  'Approved and Denied conditions are mutually exclusive',
  'exactly one value must be specified',
]);

/** Handwritten errors that declarative ones replace go; the others come first, each text once. Follows apiserver pkg/registry/rest/validate.go. */
export function withDeclarativeErrors(
  handwritten: FieldErrors,
  fields: DeclaredFields,
  object: JsonValue,
  old: JsonValue | undefined,
): FieldErrors {
  const place = { path: '', value: object, isUpdate: old !== undefined };
  const declared = validatePlace(old === undefined ? place : { ...place, old: { value: old } }, [struct(fields)]);
  if (handwritten.length === 0) return declared;
  const replacing = new Set(declared.flatMap((error) => [placeOf(error), wordsOf(error)]));
  const isReplaced = (error: FieldError): boolean =>
    error.type === 'FieldValueInvalid' && !otherText.has(error.detail)
      ? replacing.has(wordsOf(error))
      : replacing.has(placeOf(error));
  const kept = new Map(handwritten.map((error) => [fieldErrorText(error), error]));
  return [...[...kept.values()].filter((error) => !isReplaced(error)), ...declared];
}

const placeOf = ({ type, field }: FieldError): string => JSON.stringify([type, field]);
const wordsOf = ({ type, field, detail }: FieldError): string => JSON.stringify([type, field, detail]);
