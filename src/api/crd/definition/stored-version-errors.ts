import { invalidValue } from '../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { internalSpec } from './internal-form.ts';

/**
 * What a definition's status says of its stored versions: those that it has, and the one that stores. Follows
 * apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go ValidateCustomResourceDefinitionStoredVersions.
 */
export function storedVersionErrors(definition: JsonObject): readonly FieldError[] {
  const { storedVersions } = asObject(definition['status']);
  const stored = asList(storedVersions).map(asString);
  const path = 'status.storedVersions';
  if (stored.length === 0) return [invalidValue(path, storedVersions ?? null, 'must have at least one stored version')];
  const versions = internalSpec(definition).versions ?? [];
  const known = new Set(versions.map(({ name }) => name));
  const storing = new Set<string>(); // One is found once: the second version of that name misses it.
  const missing: FieldError[] = [];
  for (const [index, name] of stored.entries()) {
    if (known.has(name)) storing.add(name);
    else missing.push(invalidValue(`${path}[${index}]`, name, leftOut(name)));
  }
  const unstored = versions.filter(({ name, storage }) => !storing.delete(name) && storage);
  return [
    ...unstored.map(({ name }) => invalidValue(path, stored, `must have the storage version ${name}`)),
    ...missing,
  ];
}

const leftOut = (name: string): string =>
  `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
