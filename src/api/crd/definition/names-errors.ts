import { invalidValue, required, type FieldError } from '../../../machinery/meta/field-error.ts';
import { asList, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1035Label } from '../../../machinery/meta/names.ts';

/** Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go. */
export const missingNames = (names: JsonObject, path: string): readonly FieldError[] =>
  ['plural', 'singular', 'kind', 'listKind'].flatMap((name) =>
    asString(names[name]) === '' ? [required(`${path}.${name}`, '')] : [],
  );

/** Follows ValidateCustomResourceDefinitionNames. */
export function namesErrors(names: JsonObject, path: string): readonly FieldError[] {
  const kind = asString(names['kind']);
  const listKind = asString(names['listKind']);
  return [
    ...lowerErrors(asString(names['plural']), `${path}.plural`),
    ...lowerErrors(asString(names['singular']), `${path}.singular`),
    ...mixedErrors(kind, `${path}.kind`),
    ...mixedErrors(listKind, `${path}.listKind`),
    ...listedErrors(names['shortNames'], `${path}.shortNames`),
    ...(kind !== '' && kind === listKind
      ? [invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...listedErrors(names['categories'], `${path}.categories`),
  ];
}

function labelErrors(name: string, path: string): readonly FieldError[] {
  const errors = dns1035Label(name);
  return errors.length === 0 ? [] : [invalidValue(path, name, errors.join(','))];
}

const lowerErrors = (name: string, path: string): readonly FieldError[] => (name === '' ? [] : labelErrors(name, path));

function mixedErrors(name: string, path: string): readonly FieldError[] {
  const errors = name === '' ? [] : dns1035Label(name.toLowerCase());
  if (errors.length === 0) return [];
  return [invalidValue(path, name, `may have mixed case, but should otherwise match: ${errors.join(',')}`)];
}

const listedErrors = (names: JsonValue | undefined, path: string): readonly FieldError[] =>
  asList(names).flatMap((name, index) => labelErrors(asString(name), `${path}[${index}]`));
