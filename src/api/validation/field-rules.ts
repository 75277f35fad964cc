import { append, asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';
import { emptyList } from '../../machinery/concat.ts';

export type FieldErrors = readonly FieldError[];

export const noErrors: FieldErrors = emptyList;

/** `{}` without a spec. */
export const specOf = <Spec extends JsonObject>(object: { readonly spec?: Spec }): Partial<Spec> =>
  asObject(object.spec);

export const errorIf = (wrong: boolean, error: () => FieldError): FieldErrors => (wrong ? [error()] : noErrors);

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
  return ofAll(asList(list), (item, index) => check(asObject(item), `${path}[${index}]`, index));
}

export const eachText = (
  list: JsonValue | undefined,
  path: string,
  check: (text: string, path: string, index: number) => FieldErrors,
): FieldErrors => ofAll(asList(list), (item, index) => check(asString(item), `${path}[${index}]`, index));

export const eachKey = (map: JsonObject, check: (key: string) => FieldErrors): FieldErrors =>
  ofAll(Object.keys(map), (key) => check(asString(key)));

export const eachOf = <T>(list: readonly T[], check: (item: T, index: number) => FieldErrors): FieldErrors =>
  ofAll(list, check);

/** Limits of kadmit: each error may print the whole list. */
const maxErrors = 5000;
const maxCharacters = 8 * 1024 * 1024;

function ofAll<T>(list: readonly T[], check: (item: T, index: number) => FieldErrors): FieldErrors {
  const found: FieldError[] = [];
  let characters = 0;
  for (let index = 0; index < list.length; index += 1) {
    const more = check(list[index] as T, index); // Below its length.
    append(found, more);
    for (const { value, detail } of more) characters += detail.length + (value?.length ?? 0);
    if (found.length >= maxErrors || characters >= maxCharacters) break;
  }
  return found;
}
