import { validateText, eachOf, errorIf, noErrors, type FieldErrors } from './field-rules.ts';
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
interface FieldTarget {
  readonly path: string;
  readonly value: JsonValue | undefined;
  /** Of the stored object; undefined on a create and for what corresponds to nothing stored. */
  readonly old?: { readonly value: JsonValue | undefined };
  readonly isUpdate: boolean;
}

/** One tag of a field. The file follows apimachinery pkg/api/validate of 1.37 and the functions that its generator writes. */
export interface DeclarativeTag {
  readonly check: (target: FieldTarget) => FieldErrors;
  /** An error ends the checks of this field. */
  readonly endsIf?: (target: FieldTarget) => boolean;
}

export type DeclaredFields = Readonly<Record<string, readonly DeclarativeTag[]>>;

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '' || value === 0 || value === false || isEmptyList(value);

const isEmptyList = (value: JsonValue): boolean => isList(value) && value.length === 0;

const createShortCircuitTag = (check: DeclarativeTag['check']): DeclarativeTag => ({
  check,
  endsIf: (target) => check(target).length > 0,
});

const createTag = (check: DeclarativeTag['check']): DeclarativeTag => ({ check });

const optional: DeclarativeTag = { check: () => noErrors, endsIf: ({ value }) => isEmpty(value) };

/** Of a field that is a pointer in Go: zero is a value. */
const optionalPointer: DeclarativeTag = { check: () => noErrors, endsIf: ({ value }) => value === undefined };

const requiredPointer = createShortCircuitTag(({ path, value }) =>
  errorIf(value === undefined, () => requiredError(path, '')),
);

/** An object that is there satisfies it, also an empty one. */
const required = createShortCircuitTag(({ path, value }) => errorIf(isEmpty(value), () => requiredError(path, '')));

/** Only fields that changed are checked at all. */
const immutable = createShortCircuitTag(({ path, isUpdate }) =>
  errorIf(isUpdate, () => invalidValue(path, null, immutableText)),
);

/** It may be set and removed. */
const noModify = createTag(({ path, value, old }) =>
  errorIf(value !== undefined && old?.value !== undefined, () =>
    invalidValue(path, null, 'field cannot be modified once set'),
  ),
);

const maxItems = (max: number): DeclarativeTag =>
  createShortCircuitTag(({ path, value }) =>
    errorIf(asList(value).length > max, () => tooMany(path, asList(value).length, max)),
  );

const minimum = (min: number): DeclarativeTag =>
  createTag(({ path, value }) =>
    typeof value === 'number' && value < min
      ? [invalidValue(path, value, `must be greater than or equal to ${min}`)]
      : noErrors,
  );

const format = (check: TextCheck): DeclarativeTag =>
  createTag(({ path, value }) => (typeof value === 'string' ? validateText(check, path, value) : noErrors));

const maxLength = (max: number): DeclarativeTag =>
  createTag(({ path, value }) =>
    errorIf(Array.from(asString(value)).length > max, () => ({
      ...tooLong(path, max),
      detail: `may not be more than ${max} characters`,
    })),
  );

const oneOf = (...values: readonly string[]): DeclarativeTag =>
  createTag(({ path, value }) =>
    errorIf(!values.includes(asString(value)), () => notSupported(path, asString(value), values)),
  );

/** Items of lists correspond to nothing stored: they are checked on each update. */
const each = (fields: DeclaredFields): DeclarativeTag =>
  createTag(({ path, value, isUpdate }) =>
    eachOf(asList(value), (item, index) =>
      validateField({ path: `${path}[${index}]`, value: item, isUpdate }, [struct(fields)]),
    ),
  );

/** `name` may be set, or must be, only if the type is `mode`. */
const onlyIf = (name: string, mode: string, isRequired: boolean): DeclarativeTag =>
  createTag(({ path, value, old }) => {
    const [now, before] = [asObject(value), old && asObject(old.value)];
    if (before && [name, 'type'].every((field) => sameJson(now[field], before[field]))) return noErrors;
    const field = `${path}.${name}`;
    const isSet = now[name] !== undefined;
    if (asString(now['type']) !== mode) return errorIf(isSet, () => forbiddenField(field, ''));
    return errorIf(isRequired && !isSet, () => requiredError(field, ''));
  });

const struct = (fields: DeclaredFields): DeclarativeTag =>
  createTag(({ path, value, old, isUpdate }) =>
    eachOf(Object.entries(fields), ([name, tags]) =>
      validateField(
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
function validateField(target: FieldTarget, tags: readonly DeclarativeTag[]): FieldErrors {
  if (target.old && sameJson(target.value, target.old.value)) return noErrors;
  const first = tags.filter(({ endsIf }) => endsIf);
  const errors = first.flatMap(({ check }) => check(target));
  if (first.some(({ endsIf }) => endsIf?.(target))) return errors;
  return [...errors, ...tags.filter(({ endsIf }) => !endsIf).flatMap(({ check }) => check(target))];
}

/** At most one item of each type. */
const zeroOrOneOf = (name: string, ...types: readonly string[]): DeclarativeTag =>
  createTag(({ path, value }) => {
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
  const target = { path: '', value: object, isUpdate: old !== undefined };
  const declared = validateField(old === undefined ? target : { ...target, old: { value: old } }, [struct(fields)]);
  if (handwritten.length === 0) return declared;
  const replacing = new Set(declared.flatMap((error) => [errorKey(error), errorTextKey(error)]));
  const isReplaced = (error: FieldError): boolean =>
    error.type === 'FieldValueInvalid' && !otherText.has(error.detail)
      ? replacing.has(errorTextKey(error))
      : replacing.has(errorKey(error));
  const kept = new Map(handwritten.map((error) => [fieldErrorText(error), error]));
  return [...[...kept.values()].filter((error) => !isReplaced(error)), ...declared];
}

const errorKey = ({ type, field }: FieldError): string => JSON.stringify([type, field]);
const errorTextKey = ({ type, field, detail }: FieldError): string => JSON.stringify([type, field, detail]);
