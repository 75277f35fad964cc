import { parseGoUrl } from '../../../machinery/go/go-url.ts';
import { append, asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import {
  type FieldError,
  goQuote,
  invalidValue,
  invalidWord,
  notSupported,
  required,
  tooMany,
} from '../../../machinery/meta/field-error.ts';
import { dns1035Label, dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { subdomainName, validateImmutableField, type NameRule } from '../../validation/meta/object-meta.ts';
import {
  validateConversion,
  validateRequiredNames,
  validateNames,
  validatePrinterColumns,
  deprecationWarningErrors,
  validateSelectableFields,
  validateSubresources,
} from './validate-parts.ts';
import { toInternalSpec, type InternalSpec, type InternalVersion, type VersionFields } from './internal-spec.ts';
import { formatVersions } from './format-go-structs.ts';
import { forCreate, forUpdate, type DefinitionStrictness } from './strictness.ts';
import { validateVersionSchema } from './validate-version-schema.ts';

export const definitionName =
  (definition: JsonObject): NameRule =>
  (name, prefix) => {
    const { group, names } = toInternalSpec(definition);
    const isRight = name === `${asString(names['plural'])}.${group}`;
    return [...subdomainName(name, prefix), ...(isRight ? [] : ['must be spec.names.plural+"."+spec.group'])];
  };

/** The file follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go. */
export const validateDefinition = (definition: JsonObject, release?: number): readonly FieldError[] =>
  validateDefinitionWith(definition, undefined, release);

export const validateDefinitionUpdate = (
  definition: JsonObject,
  old: JsonObject,
  release?: number,
): readonly FieldError[] => validateDefinitionWith(definition, old, release);

function validateDefinitionWith(
  definition: JsonObject,
  old: JsonObject | undefined,
  release: number | undefined,
): readonly FieldError[] {
  const spec = toInternalSpec(definition);
  return [
    ...validateSpec(spec, { ...(old ? forUpdate(definition, old) : forCreate), release }),
    ...(old ? validateImmutableFields(spec, toInternalSpec(old), isEstablished(old)) : []),
    ...validateDefinitionStatusUpdate(definition),
    ...validateStoredVersions(definition),
    ...validateApiApproval(definition, old),
    ...validatePreserveUnknownFields(definition, old),
  ];
}

export const validateDefinitionStatusUpdate = (definition: JsonObject): readonly FieldError[] =>
  validateNames(asObject(asObject(definition['status'])['acceptedNames']), 'status.acceptedNames');

const isEstablished = (definition: JsonObject): boolean =>
  asList(asObject(definition['status'])['conditions'])
    .map(asObject)
    .some(({ type, status }) => type === 'Established' && status === 'True');

function validateImmutableFields(spec: InternalSpec, old: InternalSpec, established: boolean): readonly FieldError[] {
  return [
    ...(established ? validateImmutableField('spec.scope', spec.scope, old.scope) : []),
    ...(established ? validateImmutableField('spec.names.kind', spec.names['kind'], old.names['kind']) : []),
    ...validateImmutableField('spec.group', spec.group, old.group),
    ...validateImmutableField('spec.names.plural', spec.names['plural'], old.names['plural']),
  ];
}

/** A limit of kadmit: discovery, OpenAPI and the catalogue have an entry per version. */
const maxVersions = 500;

function validateSpec(spec: InternalSpec, strictness: DefinitionStrictness): readonly FieldError[] {
  const { common, names, versions } = spec;
  if (versions && versions.length > maxVersions) return [tooMany('spec.versions', versions.length, maxVersions)];
  const ofVersions: FieldError[] = [];
  const isPerVersion = (versions ?? []).some(({ subresources }) => subresources !== undefined);
  for (const [index, version] of (versions ?? []).entries()) {
    const subresources = isPerVersion ? version.subresources : common.subresources;
    append(ofVersions, validateVersion(version, index, { hasStatus: hasStatus(subresources), strictness }));
  }
  return [
    ...validateGroup(spec.group),
    ...validateScope(spec.scope),
    ...validateRequiredSchemas(spec, strictness),
    ...validateDefaultsArePruned(spec, strictness),
    ...ofVersions,
    ...validateVersionList(spec),
    ...validateRequiredNames(names, 'spec.names'),
    ...validateNames(names, 'spec.names'),
    ...validateVersionFields(common, 'spec', {
      schemaPath: 'spec.validation',
      hasStatus: hasAnyStatus(spec),
      name: undefined,
      strictness,
    }),
    ...(spec.conversion !== undefined && spec.conversion['strategy'] !== 'None' && spec.preservesUnknown
      ? [invalidValue('spec.conversion.strategy', spec.conversion['strategy'] ?? '', noneOnlyText)]
      : []),
    ...validateConversion(spec.conversion, 'spec.conversion', strictness.knownReview),
  ];
}

const noneOnlyText = 'must be None if spec.preserveUnknownFields is true';

function validateGroup(group: string): readonly FieldError[] {
  if (group === '') return [required('spec.group', '')];
  const errors = dns1123Subdomain(group);
  if (errors.length > 0) return [invalidValue('spec.group', group, errors.join(','))];
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

const scopes = ['Cluster', 'Namespaced'];

function validateScope(scope: string): readonly FieldError[] {
  if (scope === '') return [required('spec.scope', '')];
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)];
}

function validateRequiredSchemas(
  { common, versions }: InternalSpec,
  { schemas }: DefinitionStrictness,
): readonly FieldError[] {
  if (common.schema !== undefined) return [];
  return (versions ?? []).flatMap(({ schema, served }, index) => {
    if (schema !== undefined || (!schemas && !served)) return [];
    const detail = schemas ? '' : 'because otherwise all fields are pruned';
    return [required(`spec.versions[${index}].schema.openAPIV3Schema`, detail)];
  });
}

function validateDefaultsArePruned(spec: InternalSpec, { hasDefaults }: DefinitionStrictness): readonly FieldError[] {
  if (!spec.preservesUnknown || !hasDefaults(spec)) return [];
  return [invalidValue('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema')];
}

const hasStatus = (subresources: JsonObject | undefined): boolean =>
  subresources?.['status'] !== undefined && subresources['status'] !== null;

const hasAnyStatus = ({ common, versions }: InternalSpec): boolean =>
  hasStatus(common.subresources) || (versions ?? []).some(({ subresources }) => hasStatus(subresources));

function validateVersion(
  version: InternalVersion,
  index: number,
  place: Pick<VersionSite, 'hasStatus' | 'strictness'>,
): readonly FieldError[] {
  const path = `spec.versions[${index}]`;
  const { name, deprecated, deprecationWarning: warning } = version;
  const nameErrors = dns1035Label(name);
  return [
    ...(nameErrors.length === 0 ? [] : [invalidValue(`${path}.name`, name, nameErrors.join(','))]),
    ...deprecationWarningErrors(deprecated, warning).map((error) =>
      invalidWord(`${path}.deprecationWarning`, warning ?? '', error),
    ),
    ...validateVersionFields(version, path, { ...place, schemaPath: `${path}.schema`, name }),
  ];
}

interface VersionSite {
  readonly schemaPath: string;
  readonly hasStatus: boolean;
  /** undefined for the fields common to all versions. */
  readonly name: string | undefined;
  readonly strictness: DefinitionStrictness;
}

function validateVersionFields(part: VersionFields, path: string, place: VersionSite): readonly FieldError[] {
  const { schema, columns } = part;
  const { schemaPath, strictness, name } = place;
  return [
    ...(schema === undefined
      ? []
      : validateVersionSchema(
          { schema, path: schemaPath, hasStatus: place.hasStatus, isUnchanged: strictness.isUnchanged(name) },
          strictness,
        )),
    ...validateSubresources(part.subresources, `${path}.subresources`),
    ...validatePrinterColumns(columns, `${path}.additionalPrinterColumns`),
    ...validateSelectableFields(part, path, name === undefined),
  ];
}

function validateVersionList({ versions }: InternalSpec): readonly FieldError[] {
  const names = (versions ?? []).map(({ name }) => name);
  const stored = (versions ?? []).filter(({ storage }) => storage).length;
  const invalid = (detail: string): FieldError => invalidValue('spec.versions', formatVersions(versions), detail);
  return [
    ...(new Set(names).size < names.length ? [invalid('must contain unique version names')] : []),
    ...(stored === 1 ? [] : [invalid('must have exactly one version marked as storage version')]),
    ...validateFirstVersionName(names[0] ?? ''),
  ];
}

/** The internal form repeats the first version's name. */
function validateFirstVersionName(name: string): readonly FieldError[] {
  const errors = name === '' ? [] : dns1035Label(name);
  return errors.length === 0 ? [] : [invalidValue('spec.version', name, errors.join(','))];
}

function validatePreserveUnknownFields(definition: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const preserves = (one: JsonObject): boolean => toInternalSpec(one).preservesUnknown;
  if (!preserves(definition) || (old !== undefined && preserves(old))) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue('spec.preserveUnknownFields', true, detail)];
}

/**
 * Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go
 * ValidateCustomResourceDefinitionStoredVersions.
 */
function validateStoredVersions(definition: JsonObject): readonly FieldError[] {
  const { storedVersions } = asObject(definition['status']);
  const stored = asList(storedVersions).map(asString);
  const path = 'status.storedVersions';
  if (stored.length === 0) return [invalidValue(path, storedVersions ?? null, 'must have at least one stored version')];
  const versions = toInternalSpec(definition).versions ?? [];
  const known = new Set(versions.map(({ name }) => name));
  const storing = new Set<string>(); // One is found once: the second version of that name misses it.
  const missing: FieldError[] = [];
  for (const [index, name] of stored.entries()) {
    if (known.has(name)) storing.add(name);
    else missing.push(invalidValue(`${path}[${index}]`, name, formatMissingVersion(name)));
  }
  const unstored = versions.filter(({ name, storage }) => !storing.delete(name) && storage);
  return [
    ...unstored.map(({ name }) => invalidValue(path, stored, `must have the storage version ${name}`)),
    ...missing,
  ];
}

const formatMissingVersion = (name: string): string =>
  `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;

interface Approval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  readonly reason: string;
}

const approvalAnnotation = 'api-approved.kubernetes.io';
const seeText = 'see https://github.com/kubernetes/enhancements/pull/1111';
const approvalNeededText = `protected groups must have approval annotation ${goQuote(approvalAnnotation)}`;

function readApproval(definition: JsonObject): Approval {
  const text = readApprovalAnnotation(definition);
  if (text === '') return { state: 'missing', reason: `${approvalNeededText}, ${seeText}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${goQuote(text)}` };
  const url = parseGoUrl(text);
  if (url.outcome !== 'unparsable' && url.url.host !== '' && url.url.scheme !== '') {
    return { state: 'approved', reason: `approved in ${text}` };
  }
  const reason = `${approvalNeededText} with either a URL or a reason starting with "unapproved", ${seeText}`;
  return { state: 'invalid', reason };
}

const readApprovalAnnotation = (definition: JsonObject): string =>
  asString(asObject(asObject(definition['metadata'])['annotations'])[approvalAnnotation]);

/** Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go validateAPIApproval. */
function validateApiApproval(definition: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(asString(asObject(definition['spec'])['group']))) return [];
  const { state, reason } = readApproval(definition);
  if (old !== undefined && readApproval(old).state === state) return [];
  const path = `metadata.annotations[${approvalAnnotation}]`;
  if (state === 'missing') return [required(path, reason)];
  return state === 'invalid' ? [invalidValue(path, readApprovalAnnotation(definition), reason)] : [];
}
