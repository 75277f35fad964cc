import {
  validateRequiredText,
  validateOptionalEnum,
  validateText,
  each,
  eachOf,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, hasEntries } from '../../../machinery/json/json.ts';
import { duplicate, forbiddenField, invalidValue, required, tooLong } from '../../../machinery/meta/field-error.ts';
import { byteLength, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { metadataOf, type StringMap } from '../../../machinery/meta/object.ts';
import { isDuplicate, duplicateIndexes } from '../../../machinery/lists.ts';
import type { TopologySelectorTerm } from '../../types/generated/core-v1.ts';
import type { StorageClass, VolumeAttributesClass } from '../../types/generated/storage-v1.ts';
import { subdomainName, validateImmutableField, validateCoreObjectMeta } from '../meta/object-meta.ts';

/** Follows kubernetes pkg/apis/storage/validation ValidateStorageClass. */
export function validateStorageClass(storageClass: StorageClass): FieldErrors {
  const provisioner = asString(storageClass.provisioner);
  return [
    ...validateRequiredText(qualifiedNameErrors, 'provisioner', provisioner.toLowerCase()),
    ...validateParameters(storageClass.parameters),
    ...validateOptionalEnum('reclaimPolicy', storageClass.reclaimPolicy || undefined, ['Delete', 'Retain']),
    ...(storageClass.volumeBindingMode === undefined
      ? [required('volumeBindingMode', '')]
      : validateOptionalEnum('volumeBindingMode', storageClass.volumeBindingMode, [
          'Immediate',
          'WaitForFirstConsumer',
        ])),
    ...validateAllowedTopologies(storageClass.allowedTopologies),
  ];
}

/** Only allowedTopologies may change. Follows kubernetes pkg/apis/storage/validation ValidateStorageClassUpdate. */
export const validateStorageClassUpdate = (storageClass: StorageClass, old: StorageClass): FieldErrors =>
  (['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const).flatMap((field) =>
    validateImmutableField(field, storageClass[field], old[field], field === 'provisioner' ? '' : null),
  );

/** Terms are unique. Follows kubernetes pkg/apis/storage/validation validateAllowedTopologies. */
function validateAllowedTopologies(terms: readonly TopologySelectorTerm[] | undefined): FieldErrors {
  const count = asList(terms).length;
  const keys = asList(terms).map(termKey);
  const before = countEarlier(keys);
  return each(terms, 'allowedTopologies', (term, at, index) => {
    // Upstream also compares with as many empty terms as there are terms.
    const repeats = (before[index] ?? 0) + (keys[index] === '' ? count : 0);
    return [
      ...validateTopologySelectorTerm(term, at),
      ...Array.from({ length: Math.min(repeats, maxDuplicates) }, () => duplicate(`${at}.matchLabelExpressions`, '')),
    ];
  });
}

const maxDuplicates = 1000;

/** For each text, its earlier occurrences. */
function countEarlier(texts: readonly string[]): readonly number[] {
  const counts = new Map<string, number>();
  return texts.map((text) => {
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    return before;
  });
}

/** Equal for terms with the same keys and values in any order; '' without keys. */
function termKey(term: TopologySelectorTerm): string {
  const sets = new Map<string, string>();
  for (const { key, values } of asList(term.matchLabelExpressions)) {
    sets.set(asString(key), JSON.stringify([...new Set(asList(values).map(asString))].sort()));
  }
  return [...sets]
    .map(([key, values]) => JSON.stringify(key) + values)
    .sort()
    .join();
}

/** Follows kubernetes pkg/apis/core/validation ValidateTopologySelectorTerm. */
function validateTopologySelectorTerm(term: TopologySelectorTerm, path: string): FieldErrors {
  const keys = new Set<string>();
  return each(term.matchLabelExpressions, `${path}.matchLabelExpressions`, ({ key, values }, at) => {
    const [name, texts] = [asString(key), asList(values).map(asString)];
    const [repeats, isRepeated] = [duplicateIndexes(texts), isDuplicate(keys, name)];
    return [
      ...errorIf(texts.length === 0, () => required(`${at}.values`, '')),
      ...eachOf(texts, (text, index) => errorIf(repeats.has(index), () => duplicate(`${at}.values[${index}]`, text))),
      ...validateText(qualifiedNameErrors, `${at}.key`, name),
      ...errorIf(isRepeated, () => duplicate(`${at}.key`, name)),
    ];
  });
}

/** No empty key, at most 512 keys and 256 KiB. */
export function validateParameters(parameters: StringMap | undefined): FieldErrors {
  const map = asObject(parameters);
  const names = Object.keys(map);
  if (names.length > 512) return [tooLong('parameters', 512)];
  const bytes = names.reduce((sum, name) => sum + byteLength(name) + byteLength(asString(map[name])), 0);
  return [
    ...errorIf(Object.hasOwn(map, ''), () => invalidValue('parameters', '', 'field can not be empty.')),
    ...errorIf(bytes > 256 * 1024, () => tooLong('parameters', 256 * 1024)),
  ];
}

export function validateVolumeAttributesClass({ driverName, parameters }: VolumeAttributesClass): FieldErrors {
  const driver = asString(driverName);
  return [
    ...validateRequiredText(qualifiedNameErrors, 'driverName', driver.toLowerCase()),
    ...validateParameters(parameters),
    ...errorIf(!hasEntries(parameters), () => required('parameters', 'must contain at least one key/value pair')),
  ];
}

/** Driver and parameters are immutable. */
export const validateVolumeAttributesClassUpdate = (
  attributes: VolumeAttributesClass,
  old: VolumeAttributesClass,
): FieldErrors => [
  ...errorIf(attributes.driverName !== old.driverName, () =>
    forbiddenField('driverName', 'updates to driverName are forbidden.'),
  ),
  ...errorIf(!sameJson(attributes.parameters, old.parameters), () =>
    forbiddenField('parameters', 'updates to parameters are forbidden.'),
  ),
  ...validateCoreObjectMeta(metadataOf(attributes), false, subdomainName),
  ...validateVolumeAttributesClass(attributes),
];
