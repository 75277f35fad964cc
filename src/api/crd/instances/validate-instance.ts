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
import { correlate, type Correlated } from '../correlated.ts';
import { embeddedErrors } from '../embedded.ts';
import { listErrors } from '../list-errors.ts';
import type { Structural } from '../structural.ts';
import { checkValue } from './check-value.ts';
import { fieldErrors, noFindings } from './findings.ts';
import { runRules, type RuleNode, type ValidationResult } from './run-rules.ts';
import { readValueSchema, type ValueSchema } from './value-schema.ts';

const largest = 2 ** 31 - 1;

/** Follows apiextensions-apiserver pkg/registry/customresource/validator.go. */
export const customScaleErrors = (object: JsonObject, scale: JsonObject): readonly FieldError[] => [
  ...replicasErrors(object, asString(scale['specReplicasPath'])),
  ...scaleStatusErrors(object, scale),
];

function scaleStatusErrors(object: JsonObject, scale: JsonObject): readonly FieldError[] {
  const selectorPath = asString(scale['labelSelectorPath']);
  return [
    ...replicasErrors(object, asString(scale['statusReplicasPath'])),
    ...(selectorPath === '' ? [] : selectorErrors(object, selectorPath)),
  ];
}

function replicasErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = valueAtPath(object, path);
  if (found === undefined) return [];
  const { value } = found;
  if (found.isBefore || goTypeOf(value) !== 'int64') return [invalidValue(path, 0, accessorError(found, 'int64'))];
  const replicas = typeof value === 'bigint' ? value : Number(value);
  return [
    ...(replicas < 0 ? [invalidValue(path, replicas, 'should be a non-negative integer')] : []),
    ...(replicas > largest ? [invalidValue(path, replicas, `should be less than or equal to ${largest}`)] : []),
  ];
}

function selectorErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = valueAtPath(object, path);
  if (found === undefined || (!found.isBefore && typeof found.value === 'string')) return [];
  return [invalidValue(path, '', accessorError(found, 'string'))];
}

interface FoundValue {
  readonly value: JsonValue;
  readonly at: string;
  /** A value on the path that is no object. */
  readonly isBefore: boolean;
}

const accessorError = ({ value, at, isBefore }: FoundValue, wanted: string): string =>
  `${at} accessor error: ${goPrint(value)} is of the type ${goTypeOf(value) ?? '<nil>'}, expected ${
    isBefore ? 'map[string]interface{}' : wanted
  }`;

/** `.spec.replicas`; undefined when absent. */
function valueAtPath(object: JsonObject, path: string): FoundValue | undefined {
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
  const wrongType = typeMetaErrors(object, kind);
  if (wrongType.length > 0) return { errors: wrongType, warnings: [] };
  const correlated = old && correlate(object, old, schema);
  const errors = [...metadataErrors];
  if (ofStatus) {
    append(errors, statusErrors(object, schema, correlated?.key('status')));
    if (scale !== undefined) append(errors, scaleStatusErrors(object, scale));
  } else {
    append(errors, instanceSchemaErrors(object, readValueSchema(schema.json), correlated));
    if (scale !== undefined) append(errors, customScaleErrors(object, scale));
    append(errors, embeddedErrors(object, schema));
  }
  append(errors, keyedListErrors(schema, submission));
  return withRules(validator, submission, correlated, errors);
}

function statusErrors(
  object: JsonObject,
  { properties }: Structural,
  correlated: Correlated | undefined,
): readonly FieldError[] {
  const schema = properties.get('status');
  const { status } = object;
  if (schema === undefined || status === undefined) return [];
  return instanceSchemaErrors(status, readValueSchema(schema.json), correlated, 'status');
}

/** `base` is the path of a value that is not a whole object. */
export function instanceSchemaErrors(
  value: JsonValue,
  schema: ValueSchema,
  correlated?: Correlated,
  base = '',
): readonly FieldError[] {
  const findings = noFindings();
  checkValue({ value, path: '', correlated, check: checkValue }, schema, findings);
  return fieldErrors(findings.errors, base);
}

/** Existing duplicates are tolerated. */
function keyedListErrors(schema: Structural, { object, old }: InstanceInput): readonly FieldError[] {
  if (old !== undefined && listErrors(old, schema).length > 0) return [];
  return listErrors(object, schema);
}

function withRules(
  validator: VersionValidator,
  { object, old }: InstanceInput,
  correlated: Correlated | undefined,
  errors: readonly FieldError[],
): ValidationResult {
  const rules = validator.rules();
  if (rules === undefined) return { errors, warnings: [] };
  if (errors.some(isBlocking)) return { errors: [...errors, notChecked], warnings: [] };
  const verdict = runRules(rules, object, old, correlated);
  return { errors: [...errors, ...verdict.errors], warnings: verdict.warnings };
}

const blocking: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const isBlocking = ({ type }: FieldError): boolean => blocking.has(type);

const notChecked = invalidValue(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

function typeMetaErrors(object: JsonObject, kind: GroupVersionKind): readonly FieldError[] {
  const { kind: sent, apiVersion } = object;
  const wanted = apiVersionOf(kind);
  return [
    ...(sent === kind.kind ? [] : [invalidValue('kind', sent ?? '', `must be ${kind.kind}`)]),
    ...(apiVersion === wanted ? [] : [invalidValue('apiVersion', apiVersion ?? '', `must be ${wanted}`)]),
  ];
}

export const subresourcesOf = (version: JsonObject): JsonObject => asObject(version['subresources']);

export const scaleSubresource = (version: JsonObject): JsonObject | undefined => {
  const { scale } = subresourcesOf(version);
  return isJsonObject(scale) ? scale : undefined;
};
