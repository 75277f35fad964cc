import {
  append,
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  invalidWord,
  notSupported,
  required,
  tooMany,
} from '../../../machinery/meta/field-error.ts';
import { byteLength, dns1035Label } from '../../../machinery/meta/names.ts';
import { parseFieldPath } from '../instances/rule-field-path.ts';
import { parseColumn } from '../table-columns.ts';
import type { VersionFields } from './internal-spec.ts';
import { readStructural } from '../structural.ts';
import { structuralConversionError } from './schema-walk.ts';
import { duplicateIndexes } from '../../../machinery/lists.ts';
import { validateClientConfig } from '../../validation/admissionregistration/webhook-client-config.ts';

// The whole file follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go.

export function validateSubresources(subresources: JsonObject | undefined, path: string): readonly FieldError[] {
  const { scale } = subresources ?? {};
  if (!isJsonObject(scale)) return [];
  const selector = asString(scale['labelSelectorPath']);
  return [
    ...validateScalePath(asString(scale['specReplicasPath']), `${path}.scale.specReplicasPath`, ['.spec']),
    ...validateScalePath(asString(scale['statusReplicasPath']), `${path}.scale.statusReplicasPath`, ['.status']),
    ...(selector === '' ? [] : validateScalePath(selector, `${path}.scale.labelSelectorPath`, ['.spec', '.status'])),
  ];
}

function validateScalePath(text: string, path: string, under: readonly string[]): readonly FieldError[] {
  if (text === '') return [required(path, '')];
  if (!text.startsWith('.')) return [invalidValue(path, text, notSimplePathText)];
  if (under.some((start) => text.startsWith(`${start}.`))) return [];
  const where = under.length > 1 ? `either ${under.join(' or ')}` : under.join('');
  return [(under.length > 1 ? invalidWord : invalidValue)(path, text, `should be a json path under ${where}`)];
}

const notSimplePathText = 'must be a simple json path starting with .';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function validatePrinterColumns(columns: readonly JsonValue[], path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, column] of columns.entries()) {
    append(errors, validatePrinterColumn(asObject(column), `${path}[${index}]`));
    parseColumn(asObject(column));
  }
  return errors;
}

function validatePrinterColumn(column: JsonObject, path: string): readonly FieldError[] {
  const type = asString(column['type']);
  const format = asString(column['format']);
  const jsonPath = asString(column['jsonPath']);
  const oneOf = (allowed: readonly string[]): string => `must be one of ${allowed.join(',')}`;
  return [
    ...(asString(column['name']) === '' ? [required(`${path}.name`, '')] : []),
    ...(type === '' ? [required(`${path}.type`, oneOf(columnTypes))] : []),
    ...(type === '' || columnTypes.includes(type) ? [] : [invalidValue(`${path}.type`, type, oneOf(columnTypes))]),
    ...(format === '' || columnFormats.includes(format)
      ? []
      : [invalidValue(`${path}.format`, format, oneOf(columnFormats))]),
    ...(jsonPath === '' ? [required(`${path}.JSONPath`, '')] : []),
    ...(jsonPath === '' || jsonPath.startsWith('.')
      ? []
      : [invalidValue(`${path}.JSONPath`, jsonPath, notSimplePathText)]),
  ];
}

const maxSelectableFields = 8;
const selectableTypes: ReadonlySet<string> = new Set(['string', 'boolean', 'integer']);

/** `isCommon`: the fields are common to all versions. */
export function validateSelectableFields(
  { schema, selectableFields }: VersionFields,
  part: string,
  isCommon: boolean,
): readonly FieldError[] {
  if (selectableFields.length === 0) return [];
  const path = `${part}.selectableFields`;
  if (schema === undefined) {
    return [
      invalidValue(path, '', isCommon ? 'may only be set when validations.schema is included' : schemaNotIncludedText),
    ];
  }
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  const unconvertible = structuralConversionError(schema);
  if (unconvertible !== undefined) errors.push(invalidValue(`${part}.schema.openAPIV3Schema`, '', unconvertible));
  for (const [index, field] of selectableFields.entries()) {
    const text = asString(asObject(field)['jsonPath']);
    append(errors, validateSelectableField(text, schema, `${path}[${index}].jsonPath`, seen));
  }
  return seen.size > maxSelectableFields ? [...errors, tooMany(path, seen.size, maxSelectableFields)] : errors;
}

/** Upstream's text; it means the opposite. */
const schemaNotIncludedText = 'may only be set when `version.schema.openAPIV3Schema` is not included';

const unselectableTypeText =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

function validateSelectableField(
  text: string,
  schema: JsonObject,
  path: string,
  seen: Set<string>,
): readonly FieldError[] {
  if (text === '') return [required(path, '')];
  const reading = parseFieldPath(text, readStructural(schema), false);
  if (reading.outcome === 'wrong') return [invalidValue(path, text, `is an invalid path: ${reading.error}`)];
  const isRepeated = seen.has(reading.path);
  seen.add(reading.path);
  return [
    ...(/^metadata(\.|$)/.test(reading.path) ? [invalidValue(path, text, 'must not point to fields in metadata')] : []),
    ...(selectableTypes.has(reading.schema?.type ?? '') ? [] : [invalidValue(path, text, unselectableTypeText)]),
    ...(isRepeated ? [duplicate(path, text)] : []),
  ];
}

export function deprecationWarningErrors(isDeprecated: boolean, warning: string | undefined): readonly string[] {
  if (warning === undefined) return [];
  if (!isDeprecated) return ['can only be set for deprecated versions'];
  return [
    ...(byteLength(warning) > 256 ? ['must be <= 256 characters long'] : []),
    ...(warning === '' ? ['must not be an empty string'] : []),
    ...unprintableErrors(warning),
  ];
}

function unprintableErrors(text: string): readonly string[] {
  const found = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(text);
  if (found === null) return [];
  const at = byteLength(text.slice(0, found.index));
  return [`must only contain printable UTF-8 characters; non-printable character found at index ${at}`];
}

/** Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go. */
export const validateRequiredNames = (names: JsonObject, path: string): readonly FieldError[] =>
  ['plural', 'singular', 'kind', 'listKind'].flatMap((name) =>
    asString(names[name]) === '' ? [required(`${path}.${name}`, '')] : [],
  );

/** Follows ValidateCustomResourceDefinitionNames. */
export function validateNames(names: JsonObject, path: string): readonly FieldError[] {
  const kind = asString(names['kind']);
  const listKind = asString(names['listKind']);
  return [
    ...validateOptionalDns1035Label(asString(names['plural']), `${path}.plural`),
    ...validateOptionalDns1035Label(asString(names['singular']), `${path}.singular`),
    ...validateMixedCaseLabel(kind, `${path}.kind`),
    ...validateMixedCaseLabel(listKind, `${path}.listKind`),
    ...validateDns1035Labels(names['shortNames'], `${path}.shortNames`),
    ...(kind !== '' && kind === listKind
      ? [invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...validateDns1035Labels(names['categories'], `${path}.categories`),
  ];
}

function validateDns1035Label(name: string, path: string): readonly FieldError[] {
  const errors = dns1035Label(name);
  return errors.length === 0 ? [] : [invalidValue(path, name, errors.join(','))];
}

const validateOptionalDns1035Label = (name: string, path: string): readonly FieldError[] =>
  name === '' ? [] : validateDns1035Label(name, path);

export function validateMixedCaseLabel(name: string, path: string): readonly FieldError[] {
  const errors = name === '' ? [] : dns1035Label(name.toLowerCase());
  if (errors.length === 0) return [];
  return [invalidValue(path, name, `may have mixed case, but should otherwise match: ${errors.join(',')}`)];
}

const validateDns1035Labels = (names: JsonValue | undefined, path: string): readonly FieldError[] =>
  asList(names).flatMap((name, index) => validateDns1035Label(asString(name), `${path}[${index}]`));

const conversionStrategies = ['None', 'Webhook'];
const knownReviewVersions = ['v1', 'v1beta1'];

/**
 * `needsKnown`: one ConversionReview version must be supported. Field names of the internal form. Follows
 * apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go validateCustomResourceConversion.
 */
export function validateConversion(
  conversion: JsonObject | undefined,
  path: string,
  needsKnown: boolean,
): readonly FieldError[] {
  if (conversion === undefined) return [];
  const strategy = asString(conversion['strategy']);
  const { clientConfig, conversionReviewVersions: reviews } = asObject(conversion['webhook']);
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(required(`${path}.strategy`, ''));
  else if (!conversionStrategies.includes(strategy))
    errors.push(notSupported(`${path}.strategy`, strategy, conversionStrategies));
  if (strategy === 'Webhook') {
    const clientPath = `${path}.webhookClientConfig`;
    return [
      ...errors,
      ...(isJsonObject(clientConfig)
        ? validateClientConfig(clientConfig, clientPath)
        : [required(clientPath, 'required when strategy is set to Webhook')]),
      ...validateConversionReviewVersions(
        asList(reviews).map(asString),
        `${path}.conversionReviewVersions`,
        needsKnown,
      ),
    ];
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (isJsonObject(clientConfig)) errors.push(forbiddenField(`${path}.webhookClientConfig`, detail));
  if (asList(reviews).length > 0) errors.push(forbiddenField(`${path}.conversionReviewVersions`, detail));
  return errors;
}

function validateConversionReviewVersions(
  versions: readonly string[],
  path: string,
  needsKnown: boolean,
): readonly FieldError[] {
  if (versions.length === 0) return [required(path, '')];
  const repeats = duplicateIndexes(versions);
  const errors = versions.flatMap((version, index) => {
    const at = `${path}[${index}]`;
    if (repeats.has(index)) return [invalidValue(at, version, 'duplicate version')];
    return dns1035Label(version).map((error) => invalidValue(at, version, error));
  });
  if (!needsKnown || hasKnownReviewVersion(versions)) return errors;
  return [...errors, invalidValue(path, versions, `must include at least one of ${knownReviewVersions.join(', ')}`)];
}

export const hasKnownReviewVersion = (versions: readonly string[]): boolean =>
  versions.some((version) => knownReviewVersions.includes(version));
