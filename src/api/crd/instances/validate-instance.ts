import { goPrint, goTypeOf } from '../../../machinery/go/go-print.ts';
import {
  append,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import { invalidValue, type FieldError } from '../../../machinery/meta/field-error.ts';
import { apiVersionOf, type GroupVersionKind } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { correlate, type CorrelatedObject } from '../correlated-object.ts';
import { validateEmbedded } from '../embedded.ts';
import { validateListSetsAndMaps } from '../validate-list-sets-and-maps.ts';
import type { Structural } from '../structural.ts';
import { checkValue } from './check-value.ts';
import { toFieldErrors, createSchemaFindings } from './findings.ts';
import { runRules, type RuleNode, type ValidationResult } from './run-rules.ts';
import { readValueSchema, type ValueSchema } from './value-schema.ts';

const maxInt32 = 2 ** 31 - 1;

/** Follows apiextensions-apiserver pkg/registry/customresource/validator.go. */
export const validateScale = (object: JsonObject, scale: JsonObject): readonly FieldError[] => [
  ...validateReplicas(object, asString(scale['specReplicasPath'])),
  ...validateScaleStatus(object, scale),
];

function validateScaleStatus(object: JsonObject, scale: JsonObject): readonly FieldError[] {
  const selectorPath = asString(scale['labelSelectorPath']);
  return [
    ...validateReplicas(object, asString(scale['statusReplicasPath'])),
    ...(selectorPath === '' ? [] : validateSelector(object, selectorPath)),
  ];
}

function validateReplicas(object: JsonObject, path: string): readonly FieldError[] {
  const found = findValueAtPath(object, path);
  if (found === undefined) return [];
  const { value } = found;
  if (found.isBefore || goTypeOf(value) !== 'int64')
    return [invalidValue(path, 0, formatAccessorError(found, 'int64'))];
  const replicas = typeof value === 'bigint' ? value : Number(value);
  return [
    ...(replicas < 0 ? [invalidValue(path, replicas, 'should be a non-negative integer')] : []),
    ...(replicas > maxInt32 ? [invalidValue(path, replicas, `should be less than or equal to ${maxInt32}`)] : []),
  ];
}

function validateSelector(object: JsonObject, path: string): readonly FieldError[] {
  const found = findValueAtPath(object, path);
  if (found === undefined || (!found.isBefore && typeof found.value === 'string')) return [];
  return [invalidValue(path, '', formatAccessorError(found, 'string'))];
}

interface ValueAtScalePath {
  readonly value: JsonValue;
  readonly at: string;
  /** A value on the path that is no object. */
  readonly isBefore: boolean;
}

const formatAccessorError = ({ value, at, isBefore }: ValueAtScalePath, wanted: string): string =>
  `${at} accessor error: ${goPrint(value)} is of the type ${goTypeOf(value) ?? '<nil>'}, expected ${
    isBefore ? 'map[string]interface{}' : wanted
  }`;

/** `.spec.replicas`; undefined when absent. */
function findValueAtPath(object: JsonObject, path: string): ValueAtScalePath | undefined {
  const fields = path.replace(/^\./, '').split('.');
  let value: JsonValue = object;
  for (const [index, field] of fields.entries()) {
    const at = `.${fields.slice(0, index + 1).join('.')}`; // What was looked for, not where.
    if (!isJsonObject(value)) return value === null ? undefined : { value, at, isBefore: true };
    const inner: JsonValue | undefined = Object.hasOwn(value, field) ? value[field] : undefined;
    if (inner === undefined) return undefined;
    value = inner;
  }
  return { value, at: `.${fields.join('.')}`, isBefore: false };
}

export interface VersionValidator {
  readonly kind: GroupVersionKind;
  readonly schema: Structural;
  readonly scale: JsonObject | undefined;
  readonly rules: () => RuleNode | undefined;
}

export interface InstanceInput {
  readonly object: KubernetesObject;
  readonly old?: KubernetesObject | undefined;
  readonly metadataErrors?: readonly FieldError[] | undefined;
  /** For the status subresource: only the schema of the status, but all rules. */
  readonly ofStatus?: true;
}

/** Follows apiextensions-apiserver pkg/registry/customresource/strategy.go and validator.go. */
export function validateInstance(validator: VersionValidator, submission: InstanceInput): ValidationResult {
  const { object, old, metadataErrors = [], ofStatus } = submission;
  const { kind, scale, schema } = validator;
  const wrongType = validateTypeMeta(object, kind);
  if (wrongType.length > 0) return { errors: wrongType, warnings: [] };
  const correlated = old && correlate(object, old, schema);
  const errors = [...metadataErrors];
  if (ofStatus) {
    append(errors, validateStatus(object, schema, correlated?.key('status')));
    if (scale !== undefined) append(errors, validateScaleStatus(object, scale));
  } else {
    append(errors, validateAgainstSchema(object, readValueSchema(schema.json), correlated));
    if (scale !== undefined) append(errors, validateScale(object, scale));
    append(errors, validateEmbedded(object, schema));
  }
  append(errors, validateListTypes(schema, submission));
  return validateWithRules(validator, submission, correlated, errors);
}

function validateStatus(
  object: JsonObject,
  { properties }: Structural,
  correlated: CorrelatedObject | undefined,
): readonly FieldError[] {
  const schema = properties.get('status');
  const { status } = object;
  if (schema === undefined || status === undefined) return [];
  return validateAgainstSchema(status, readValueSchema(schema.json), correlated, 'status');
}

/** `base` is the path of a value that is not a whole object. */
export function validateAgainstSchema(
  value: JsonValue,
  schema: ValueSchema,
  correlated?: CorrelatedObject,
  base = '',
): readonly FieldError[] {
  const findings = createSchemaFindings();
  checkValue({ value, path: '', correlated, check: checkValue }, schema, findings);
  return toFieldErrors(findings.errors, base);
}

/** Existing duplicates are tolerated. */
function validateListTypes(schema: Structural, { object, old }: InstanceInput): readonly FieldError[] {
  if (old !== undefined && validateListSetsAndMaps(old, schema).length > 0) return [];
  return validateListSetsAndMaps(object, schema);
}

function validateWithRules(
  validator: VersionValidator,
  { object, old }: InstanceInput,
  correlated: CorrelatedObject | undefined,
  errors: readonly FieldError[],
): ValidationResult {
  const rules = validator.rules();
  if (rules === undefined) return { errors, warnings: [] };
  if (errors.some(isBlocking)) return { errors: [...errors, rulesNotCheckedError], warnings: [] };
  const verdict = runRules(rules, object, old, correlated);
  return { errors: [...errors, ...verdict.errors], warnings: verdict.warnings };
}

const blockingTypes: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const isBlocking = ({ type }: FieldError): boolean => blockingTypes.has(type);

const rulesNotCheckedError = invalidValue(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

function validateTypeMeta(object: JsonObject, kind: GroupVersionKind): readonly FieldError[] {
  const { kind: sent, apiVersion } = object;
  const wanted = apiVersionOf(kind);
  return [
    ...(sent === kind.kind ? [] : [invalidValue('kind', sent ?? '', `must be ${kind.kind}`)]),
    ...(apiVersion === wanted ? [] : [invalidValue('apiVersion', apiVersion ?? '', `must be ${wanted}`)]),
  ];
}

export const readSubresources = (version: JsonObject): JsonObject => asObject(version['subresources']);

export const readScaleSubresource = (version: JsonObject): JsonObject | undefined => {
  const { scale } = readSubresources(version);
  return isJsonObject(scale) ? scale : undefined;
};
