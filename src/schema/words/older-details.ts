import type { FieldErrorType } from '../../apimachinery/field-error.ts';

interface DetailRow {
  /** The first minor release that says it as kadmit does. */
  readonly since: number;
  readonly type: FieldErrorType;
  readonly field: RegExp;
  readonly now: string;
  readonly before: string;
}

const row = (since: number, type: FieldErrorType, field: RegExp, now: string, before: string): DetailRow => ({
  since,
  type,
  field,
  now,
  before,
});

const rule = (field: string, now: string): DetailRow =>
  row(
    34,
    'FieldValueInvalid',
    new RegExp(`\\.(?:x-kubernetes-validations|validations)\\[\\d+\\]\\.${field}$`),
    now,
    `${field} ${now}`,
  );

const required = (field: RegExp, before: string): DetailRow => row(34, 'FieldValueRequired', field, '', before);

/** How releases before 1.36 end their complaints, where it is otherwise. Each follows the file it names in that release and the next. */
export const detailRows: readonly DetailRow[] = [
  // apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go; kubernetes pkg/apis/admissionregistration/validation/validation.go
  rule('fieldPath', 'must be a valid path'),
  rule('fieldPath', 'must be non-empty if specified'),
  rule('fieldPath', 'must not contain line breaks'),
  rule('message', 'must be non-empty if specified'),
  rule('message', 'must not contain line breaks'),
  row(
    34,
    'FieldValueInvalid',
    /^spec\.variables\[\d+\]\.name$/,
    'must be a valid CEL identifier',
    'name is not a valid CEL identifier',
  ),
  row(
    34,
    'FieldValueInvalid',
    /\.selectableFields$/,
    'may only be set when `version.schema.openAPIV3Schema` is not included',
    'selectableFields may only be set when version.schema.openAPIV3Schema is not included',
  ),
  row(
    34,
    'FieldValueInvalid',
    /\.selectableFields$/,
    'may only be set when validations.schema is included',
    'selectableFields may only be set when validations.schema is included',
  ),
  required(/^spec\.versions\[\d+\]\.schema\.openAPIV3Schema$/, 'schemas are required'),
  // apiserver pkg/util/webhook/validation.go
  required(/\.service\.name$/, 'service name is required'),
  required(/\.service\.namespace$/, 'service namespace is required'),
  // apiextensions-apiserver pkg/apiserver/schema/objectmeta/validation.go
  required(/\.(?:apiVersion|kind)$/, 'must not be empty'),
  // apimachinery pkg/api/validation/objectmeta.go
  ...['kind', 'name', 'uid'].map((field) =>
    row(
      34,
      'FieldValueInvalid',
      new RegExp(`^metadata\\.ownerReferences(?:\\[\\d+\\])?\\.${field}$`),
      'must not be empty',
      `${field} must not be empty`,
    ),
  ),
  // apimachinery pkg/apis/meta/v1/validation/validation.go
  required(/conditions\[\d+\]\.(?:lastTransitionTime|reason)$/, 'must be set'),
  // kubernetes pkg/apis/batch/validation/validation.go
  row(
    34,
    'FieldValueInvalid',
    /^status\.completionTime$/,
    'must be equal to or after `startTime`',
    'completionTime cannot be set before startTime',
  ),
  row(34, 'FieldValueInvalid', /^status\.completionTime$/, 'field is immutable', 'completionTime cannot be mutated'),
  row(
    34,
    'FieldValueInvalid',
    /^status\.uncountedTerminatedPods$/,
    'must be empty for finished job',
    'uncountedTerminatedPods needs to be empty for finished job',
  ),
  // kubernetes pkg/apis/core/validation/validation.go
  ...['hostNetwork', 'hostPID', 'hostIPC', 'HostPID', 'HostIPC'].map((field) =>
    row(
      34,
      'FieldValueForbidden',
      new RegExp(`\\.${field}$`),
      'when `hostUsers` is false',
      'when `pod.Spec.HostUsers` is false',
    ),
  ),
  // kubernetes pkg/apis/flowcontrol/validation/validation.go
  row(
    34,
    'FieldValueInvalid',
    /^spec\.type$/,
    "must be 'Exempt' if and only if `name` is 'exempt'",
    "type must be 'Exempt' if and only if name is 'exempt'",
  ),
  // apimachinery pkg/util/validation/field/errors.go
  row(34, 'FieldValueTooLong', /./, 'may not be more than 1 byte', 'may not be more than 1 bytes'),
  row(34, 'FieldValueTooMany', /./, 'must have at most 1 item', 'must have at most 1 items'),
];
