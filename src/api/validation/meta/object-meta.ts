import {
  validateEnum,
  validateOptionalText,
  validateRequiredText,
  validateText,
  eachOf,
  noErrors,
  errorIf,
} from '../field-rules.ts';
import {
  type FieldError,
  forbiddenField,
  goQuote,
  invalidValue,
  required,
  tooLong,
} from '../../../machinery/meta/field-error.ts';
import { parseApiVersion } from '../../../machinery/meta/gvk.ts';
import {
  byteLength,
  dns1123Label,
  dns1123Subdomain,
  fieldManagerErrors,
  pathSegmentName,
  pathSegmentPrefix,
  qualifiedNameErrors,
  type TextCheck,
} from '../../../machinery/meta/names.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asString, type JsonValue } from '../../../machinery/json/json.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference, StringMap } from '../../../machinery/meta/object.ts';
import { emptyList, concat } from '../../../machinery/lists.ts';
import { validateLabels } from './labels.ts';
import { validateCanonicalIp } from '../core/ip-address.ts';

/** `prefix`: the text is a generateName. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

/** Checks a generateName without its trailing dash. Follows apimachinery pkg/api/validation/generic.go. */
export const maskTrailingDash =
  (check: TextCheck): NameRule =>
  (name, prefix) =>
    check(prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);

export const subdomainName = maskTrailingDash(dns1123Subdomain);
export const labelName = maskTrailingDash(dns1123Label);

/** Kinds with declarative name validation do not check generateName. Follows ValidateObjectMetaWithOpts. */
export const wholeSubdomain: NameRule = (name, prefix) => (prefix ? [] : dns1123Subdomain(name));

/** RBAC objects, and the minimum for every name. */
export const pathSegment: NameRule = (name, prefix) => (prefix ? pathSegmentPrefix(name) : pathSegmentName(name));

export const ipName: NameRule = (name) => validateCanonicalIp('', name).map(({ detail }) => detail);

const maxAnnotationBytes = 256 * 1024;

export const immutableText = 'field is immutable';

/**
 * The errors about the metadata of an object that is to be stored: its name by the kind's rule, namespace, labels,
 * annotations, owners and finalizers. The whole file follows apimachinery pkg/api/validation/objectmeta.go.
 */
export function validateObjectMeta(
  metadata: ObjectMeta,
  namespaced: boolean,
  nameRule: NameRule,
  path = 'metadata',
): readonly FieldError[] {
  const { generation = 0 } = metadata;
  return concat(
    validateNames(metadata, nameRule, path),
    validateNamespace(metadata.namespace ?? '', namespaced, path),
    errorIf(generation < 0, () => invalidValue(`${path}.generation`, generation, 'must be greater than or equal to 0')),
    validateLabels(metadata.labels, `${path}.labels`),
    validateAnnotations(metadata.annotations, `${path}.annotations`),
    validateOwnerReferences(metadata.ownerReferences ?? emptyList, `${path}.ownerReferences`),
    validateFinalizers(metadata.finalizers ?? emptyList, `${path}.finalizers`),
    validateManagedFields(metadata.managedFields ?? emptyList, `${path}.managedFields`),
  );
}

function validateNames(metadata: ObjectMeta, nameRule: NameRule, path: string): readonly FieldError[] {
  const { name = '', generateName = '' } = metadata;
  return concat(
    validateOptionalText((text) => nameRule(text, true), `${path}.generateName`, generateName),
    validateRequiredText((text) => nameRule(text, false), `${path}.name`, name, 'name or generateName is required'),
  );
}

function validateNamespace(namespace: string, namespaced: boolean, path: string): readonly FieldError[] {
  const field = `${path}.namespace`;
  if (!namespaced) return errorIf(namespace !== '', () => forbiddenField(field, 'not allowed on this type'));
  return validateRequiredText(dns1123Label, field, namespace);
}

/** Keys are qualified names in any case; all together hold at most 256 KiB. */
export function validateAnnotations(annotations: StringMap | undefined, path: string): readonly FieldError[] {
  if (annotations === undefined) return noErrors;
  const keys = Object.keys(annotations);
  const bytes = keys.reduce((sum, key) => sum + byteLength(key) + byteLength(annotations[key] ?? ''), 0);
  const errors = eachOf(keys, (key) => validateText(() => qualifiedNameErrors(key.toLowerCase()), path, key));
  return bytes > maxAnnotationBytes ? [...errors, tooLong(path, maxAnnotationBytes)] : errors;
}

function validateOwnerReferences(owners: readonly OwnerReference[], path: string): readonly FieldError[] {
  if (owners.length === 0) return noErrors;
  const controllers = owners.filter((owner) => owner.controller === true).map(({ kind, name }) => `${kind}/${name}`);
  const [first, ...others] = controllers;
  const errors = eachOf(owners, (owner, index) => validateOwnerReference(owner, `${path}[${index}]`));
  if (others.length === 0) return errors;
  const error = invalidValue(path, owners, ''); // Printed once: the list may be long.
  const text = 'Only one reference can have Controller set to true. Found "true" in references for';
  return [...errors, ...others.map((other) => ({ ...error, detail: `${text} ${first} and ${other}` }))];
}

function validateOwnerReference(owner: OwnerReference, path: string): readonly FieldError[] {
  const isReadable = owner.apiVersion.split('/').length <= 2;
  const { version } = isReadable ? parseApiVersion(owner.apiVersion) : { version: '' };
  const isEvent = owner.apiVersion === 'v1' && owner.kind === 'Event';
  const empty = (['apiVersion', 'kind', 'name', 'uid'] as const).filter((field) => owner[field] === '');
  return [
    ...errorIf(version === '' && owner.apiVersion !== '', () =>
      invalidValue(`${path}.apiVersion`, owner.apiVersion, 'must be <group>/<version> or <version>'),
    ),
    ...empty.map((field) => required(`${path}.${field}`, 'must not be empty')),
    ...(isEvent ? [invalidValue(path, owner, '/v1, Kind=Event is disallowed from being an owner')] : []),
  ];
}

function validateFinalizers(finalizers: readonly string[], path: string): readonly FieldError[] {
  const errors = eachOf(finalizers, (finalizer) => validateText(qualifiedNameErrors, path, finalizer));
  return finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')
    ? [...errors, invalidValue(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')]
    : errors;
}

const managerOperations = ['Apply', 'Update'];

/** Of the object itself what cannot be read did not come so far; of one embedded in it it does. Follows ValidateManagedFields there. */
const validateManagedFields = (entries: readonly ManagedFieldsEntry[], path: string): readonly FieldError[] =>
  eachOf(entries, (entry, index) => {
    const { manager, operation = '', fieldsType = '', subresource } = entry;
    const field = `${path}[${index}]`;
    return [
      ...(operation === ''
        ? [required(`${field}.operation`, 'must not be empty')]
        : validateEnum(`${field}.operation`, operation, managerOperations)),
      ...(fieldsType === '' || fieldsType === 'FieldsV1'
        ? []
        : [invalidValue(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`')]),
      ...fieldManagerErrors(asString(manager), `${field}.manager`),
      ...(byteLength(asString(subresource)) > 256 ? [tooLong(`${field}.subresource`, 256)] : []),
    ];
  });

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

/**
 * Built-in kinds accept a few finalizers without a domain. Follows kubernetes pkg/apis/core/validation
 * validateKubeFinalizerName.
 */
export const validateKubeFinalizerName = (finalizer: string, field: string): readonly FieldError[] =>
  finalizer.includes('/') || standardFinalizers.includes(finalizer)
    ? []
    : [invalidValue(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')];

/** Follows kubernetes pkg/apis/core/validation ValidateObjectMeta. */
export const validateCoreObjectMeta = (
  metadata: ObjectMeta,
  namespaced: boolean,
  nameRule: NameRule,
): readonly FieldError[] =>
  concat(validateObjectMeta(metadata, namespaced, nameRule), validateKubeFinalizers(metadata));

/** Follows ValidateObjectMetaUpdate. */
export const validateCoreObjectMetaUpdate = (metadata: ObjectMeta, old: ObjectMeta): readonly FieldError[] =>
  concat(validateObjectMetaUpdate(metadata, old), validateKubeFinalizers(metadata));

export const validateKubeFinalizers = ({ finalizers = emptyList }: ObjectMeta): readonly FieldError[] =>
  eachOf(finalizers, (finalizer, index) => validateKubeFinalizerName(finalizer, `metadata.finalizers[${index}]`));

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

export function validateObjectMetaUpdate(metadata: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const path = 'metadata';
  const generation = metadata.generation ?? 0;
  return concat(
    old.deletionTimestamp === undefined ? noErrors : validateNoNewFinalizers(metadata, old, path),
    errorIf(!metadata.resourceVersion, () =>
      invalidValue(`${path}.resourceVersion`, '', 'must be specified for an update'),
    ),
    errorIf(generation < (old.generation ?? 0), () =>
      invalidValue(`${path}.generation`, generation, 'must not be decremented'),
    ),
    eachOf(immutableFields, (field) =>
      metadata[field] === old[field]
        ? noErrors
        : validateImmutableField(`${path}.${field}`, metadata[field], old[field], emptyFieldValue(field)),
    ),
    validateLabels(metadata.labels, `${path}.labels`),
    validateAnnotations(metadata.annotations, `${path}.annotations`),
    validateOwnerReferences(metadata.ownerReferences ?? emptyList, `${path}.ownerReferences`),
    validateManagedFields(metadata.managedFields ?? emptyList, `${path}.managedFields`),
  );
}

const emptyFieldValue = (field: (typeof immutableFields)[number]): JsonValue =>
  field === 'name' || field === 'namespace' || field === 'uid' ? '' : null;

function validateNoNewFinalizers(metadata: ObjectMeta, old: ObjectMeta, path: string): readonly FieldError[] {
  const before = new Set(old.finalizers);
  const added = [...new Set(metadata.finalizers)].filter((finalizer) => !before.has(finalizer));
  if (added.length === 0) return noErrors;
  const found = `[]string{${added.sort().map(goQuote).join(', ')}}`;
  return [
    forbiddenField(
      `${path}.finalizers`,
      `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`,
    ),
  ];
}

/** `empty` is printed for an absent value. */
export const validateImmutableField = (
  field: string,
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  empty: JsonValue = null,
): readonly FieldError[] => (sameJson(value, old) ? noErrors : [invalidValue(field, value ?? empty, immutableText)]);
