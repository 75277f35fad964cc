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
  conversionErrors,
  missingNames,
  namesErrors,
  columnsErrors,
  deprecationErrors,
  selectableFieldErrors,
  subresourceErrors,
} from './part-errors.ts';
import { internalSpec, type InternalSpec, type InternalVersion, type PerVersion } from './internal-form.ts';
import { printedVersions } from './printed-form.ts';
import { forCreate, forUpdate, type DefinitionStrictness } from './strictness.ts';
import { versionSchemaErrors } from './version-errors.ts';

export const definitionName =
  (definition: JsonObject): NameRule =>
  (name, prefix) => {
    const { group, names } = internalSpec(definition);
    const isRight = name === `${asString(names['plural'])}.${group}`;
    return [...subdomainName(name, prefix), ...(isRight ? [] : ['must be spec.names.plural+"."+spec.group'])];
  };

/** The file follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go. */
export const validateDefinition = (definition: JsonObject, release?: number): readonly FieldError[] =>
  definitionErrors(definition, undefined, release);

export const validateDefinitionUpdate = (
  definition: JsonObject,
  old: JsonObject,
  release?: number,
): readonly FieldError[] => definitionErrors(definition, old, release);

function definitionErrors(
  definition: JsonObject,
  old: JsonObject | undefined,
  release: number | undefined,
): readonly FieldError[] {
  const spec = internalSpec(definition);
  return [
    ...specErrors(spec, { ...(old ? forUpdate(definition, old) : forCreate), release }),
    ...(old ? immutableErrors(spec, internalSpec(old), isEstablished(old)) : []),
    ...validateDefinitionStatusUpdate(definition),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, old),
    ...preserveErrors(definition, old),
  ];
}

export const validateDefinitionStatusUpdate = (definition: JsonObject): readonly FieldError[] =>
  namesErrors(asObject(asObject(definition['status'])['acceptedNames']), 'status.acceptedNames');

const isEstablished = (definition: JsonObject): boolean =>
  asList(asObject(definition['status'])['conditions'])
    .map(asObject)
    .some(({ type, status }) => type === 'Established' && status === 'True');

function immutableErrors(spec: InternalSpec, old: InternalSpec, established: boolean): readonly FieldError[] {
  return [
    ...(established ? validateImmutableField('spec.scope', spec.scope, old.scope) : []),
    ...(established ? validateImmutableField('spec.names.kind', spec.names['kind'], old.names['kind']) : []),
    ...validateImmutableField('spec.group', spec.group, old.group),
    ...validateImmutableField('spec.names.plural', spec.names['plural'], old.names['plural']),
  ];
}

/** A limit of kadmit: discovery, OpenAPI and the catalogue have an entry per version. */
const maxVersions = 500;

function specErrors(spec: InternalSpec, strictness: DefinitionStrictness): readonly FieldError[] {
  const { common, names, versions } = spec;
  if (versions && versions.length > maxVersions) return [tooMany('spec.versions', versions.length, maxVersions)];
  const ofVersions: FieldError[] = [];
  const isPerVersion = (versions ?? []).some(({ subresources }) => subresources !== undefined);
  for (const [index, version] of (versions ?? []).entries()) {
    const subresources = isPerVersion ? version.subresources : common.subresources;
    append(ofVersions, versionErrors(version, index, { hasStatus: hasStatus(subresources), strictness }));
  }
  return [
    ...groupErrors(spec.group),
    ...scopeErrors(spec.scope),
    ...missingSchemas(spec, strictness),
    ...defaultsWithoutPruning(spec, strictness),
    ...ofVersions,
    ...versionListErrors(spec),
    ...missingNames(names, 'spec.names'),
    ...namesErrors(names, 'spec.names'),
    ...partErrors(common, 'spec', {
      schemaPath: 'spec.validation',
      hasStatus: hasAnyStatus(spec),
      name: undefined,
      strictness,
    }),
    ...(spec.conversion !== undefined && spec.conversion['strategy'] !== 'None' && spec.preservesUnknown
      ? [invalidValue('spec.conversion.strategy', spec.conversion['strategy'] ?? '', noneOnly)]
      : []),
    ...conversionErrors(spec.conversion, 'spec.conversion', strictness.knownReview),
  ];
}

const noneOnly = 'must be None if spec.preserveUnknownFields is true';

function groupErrors(group: string): readonly FieldError[] {
  if (group === '') return [required('spec.group', '')];
  const errors = dns1123Subdomain(group);
  if (errors.length > 0) return [invalidValue('spec.group', group, errors.join(','))];
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

const scopes = ['Cluster', 'Namespaced'];

function scopeErrors(scope: string): readonly FieldError[] {
  if (scope === '') return [required('spec.scope', '')];
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)];
}

function missingSchemas({ common, versions }: InternalSpec, { schemas }: DefinitionStrictness): readonly FieldError[] {
  if (common.schema !== undefined) return [];
  return (versions ?? []).flatMap(({ schema, served }, index) => {
    if (schema !== undefined || (!schemas && !served)) return [];
    const detail = schemas ? '' : 'because otherwise all fields are pruned';
    return [required(`spec.versions[${index}].schema.openAPIV3Schema`, detail)];
  });
}

function defaultsWithoutPruning(spec: InternalSpec, { hasDefaults }: DefinitionStrictness): readonly FieldError[] {
  if (!spec.preservesUnknown || !hasDefaults(spec)) return [];
  return [invalidValue('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema')];
}

const hasStatus = (subresources: JsonObject | undefined): boolean =>
  subresources?.['status'] !== undefined && subresources['status'] !== null;

const hasAnyStatus = ({ common, versions }: InternalSpec): boolean =>
  hasStatus(common.subresources) || (versions ?? []).some(({ subresources }) => hasStatus(subresources));

function versionErrors(
  version: InternalVersion,
  index: number,
  place: Pick<PartSite, 'hasStatus' | 'strictness'>,
): readonly FieldError[] {
  const path = `spec.versions[${index}]`;
  const { name, deprecated, deprecationWarning: warning } = version;
  const nameErrors = dns1035Label(name);
  return [
    ...(nameErrors.length === 0 ? [] : [invalidValue(`${path}.name`, name, nameErrors.join(','))]),
    ...deprecationErrors(deprecated, warning).map((error) =>
      invalidWord(`${path}.deprecationWarning`, warning ?? '', error),
    ),
    ...partErrors(version, path, { ...place, schemaPath: `${path}.schema`, name }),
  ];
}

interface PartSite {
  readonly schemaPath: string;
  readonly hasStatus: boolean;
  /** undefined for the fields common to all versions. */
  readonly name: string | undefined;
  readonly strictness: DefinitionStrictness;
}

function partErrors(part: PerVersion, path: string, place: PartSite): readonly FieldError[] {
  const { schema, columns } = part;
  const { schemaPath, strictness, name } = place;
  return [
    ...(schema === undefined
      ? []
      : versionSchemaErrors(
          { schema, path: schemaPath, hasStatus: place.hasStatus, isUnchanged: strictness.isUnchanged(name) },
          strictness,
        )),
    ...subresourceErrors(part.subresources, `${path}.subresources`),
    ...columnsErrors(columns, `${path}.additionalPrinterColumns`),
    ...selectableFieldErrors(part, path, name === undefined),
  ];
}

function versionListErrors({ versions }: InternalSpec): readonly FieldError[] {
  const names = (versions ?? []).map(({ name }) => name);
  const stored = (versions ?? []).filter(({ storage }) => storage).length;
  const invalid = (detail: string): FieldError => invalidValue('spec.versions', printedVersions(versions), detail);
  return [
    ...(new Set(names).size < names.length ? [invalid('must contain unique version names')] : []),
    ...(stored === 1 ? [] : [invalid('must have exactly one version marked as storage version')]),
    ...firstNameErrors(names[0] ?? ''),
  ];
}

/** The internal form repeats the first version's name. */
function firstNameErrors(name: string): readonly FieldError[] {
  const errors = name === '' ? [] : dns1035Label(name);
  return errors.length === 0 ? [] : [invalidValue('spec.version', name, errors.join(','))];
}

function preserveErrors(definition: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const preserves = (one: JsonObject): boolean => internalSpec(one).preservesUnknown;
  if (!preserves(definition) || (old !== undefined && preserves(old))) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue('spec.preserveUnknownFields', true, detail)];
}

/**
 * Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go
 * ValidateCustomResourceDefinitionStoredVersions.
 */
function storedVersionErrors(definition: JsonObject): readonly FieldError[] {
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

interface Approval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  readonly reason: string;
}

const annotation = 'api-approved.kubernetes.io';
const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
const needed = `protected groups must have approval annotation ${goQuote(annotation)}`;

function approvalOf(definition: JsonObject): Approval {
  const text = annotationOf(definition);
  if (text === '') return { state: 'missing', reason: `${needed}, ${see}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${goQuote(text)}` };
  const url = parseGoUrl(text);
  if (url.outcome !== 'unparsable' && url.url.host !== '' && url.url.scheme !== '') {
    return { state: 'approved', reason: `approved in ${text}` };
  }
  const reason = `${needed} with either a URL or a reason starting with "unapproved", ${see}`;
  return { state: 'invalid', reason };
}

const annotationOf = (definition: JsonObject): string =>
  asString(asObject(asObject(definition['metadata'])['annotations'])[annotation]);

/** Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go validateAPIApproval. */
function approvalErrors(definition: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(asString(asObject(definition['spec'])['group']))) return [];
  const { state, reason } = approvalOf(definition);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const path = `metadata.annotations[${annotation}]`;
  if (state === 'missing') return [required(path, reason)];
  return state === 'invalid' ? [invalidValue(path, annotationOf(definition), reason)] : [];
}
