import { invalidValue, notSupported, type FieldError, type FieldErrorType } from '../../machinery/meta/field-error.ts';
import { qualifiedNameErrors } from '../../machinery/meta/names.ts';

interface DetailRow {
  /** The first minor release with the current text. */
  readonly since: number;
  readonly type: FieldErrorType;
  readonly field: RegExp;
  /** `group/resource`, where another kind has a field of the same name. */
  readonly of?: RegExp;
  readonly now: string;
  /** The text, or the errors, of the releases before `since`. */
  readonly before: string | ((error: FieldError) => readonly FieldError[]);
}

type DetailTexts = Pick<DetailRow, 'of' | 'now' | 'before'>;

const createRowSince = (since: number, type: FieldErrorType, field: RegExp, texts: DetailTexts): DetailRow => ({
  since,
  type,
  field,
  ...texts,
});

const createRow = (type: FieldErrorType, field: RegExp, texts: DetailTexts): DetailRow =>
  createRowSince(34, type, field, texts);

const createRuleRow = (field: string, now: string): DetailRow =>
  createRow('FieldValueInvalid', new RegExp(`\\.(?:x-kubernetes-validations|validations)\\[\\d+\\]\\.${field}$`), {
    now,
    before: `${field} ${now}`,
  });

const createRequiredRow = (field: RegExp, before: string): DetailRow =>
  createRow('FieldValueRequired', field, { now: '', before });

/** Kinds with conditions of meta/v1. */
const withConditions = /^(?:policy\/poddisruptionbudgets|resource\.k8s\.io\/resourceclaims)$/;

const withoutIndex = (field: string): string => field.replace(/ownerReferences\[\d+\]/, 'ownerReferences');

/** Error texts of older releases, the newest changes first. Each group names the upstream file that changed. */
export const detailRows: readonly DetailRow[] = [
  // apimachinery pkg/api/validation/objectmeta.go validateOwnerReference: 1.37 names the index, and requires what was invalid.
  createRowSince(37, 'FieldValueRequired', /ownerReferences\[\d+\]\.(?:kind|name|uid)$/, {
    now: 'must not be empty',
    before: ({ field }) => [invalidValue(withoutIndex(field), '', 'must not be empty')],
  }),
  createRowSince(37, 'FieldValueRequired', /ownerReferences\[\d+\]\.apiVersion$/, {
    now: 'must not be empty',
    before: ({ field }) => [invalidValue(withoutIndex(field), '', 'version must not be empty')],
  }),
  createRowSince(37, 'FieldValueInvalid', /ownerReferences\[\d+\]\.apiVersion$/, {
    now: 'must be <group>/<version> or <version>',
    before: (error) => [{ ...error, field: withoutIndex(error.field), detail: 'version must not be empty' }],
  }),
  createRowSince(37, 'FieldValueInvalid', /ownerReferences\[\d+\]$/, {
    now: '/v1, Kind=Event is disallowed from being an owner',
    before: (error) => [{ ...error, field: withoutIndex(error.field) }],
  }),
  // kubernetes pkg/apis/rbac/validation/validation.go
  createRowSince(37, 'FieldValueInvalid', /^roleRef$/, { now: 'field is immutable', before: 'cannot change roleRef' }),
  // kubernetes pkg/apis/core/validation/validation.go: fields that the internal PodSpec has itself since 1.37.
  createRowSince(37, 'FieldValueInvalid', /(?:^|\.)spec\.shareProcessNamespace$/, {
    now: 'ShareProcessNamespace and HostPID cannot both be enabled',
    before: (error) => [
      { ...error, field: error.field.replace(/shareProcessNamespace$/, 'securityContext.shareProcessNamespace') },
    ],
  }),
  // apimachinery pkg/apis/meta/v1/validation/validation.go ValidateManagedFields and ValidateConditions.
  createRowSince(37, 'FieldValueRequired', /managedFields\[\d+\]\.operation$/, {
    now: 'must not be empty',
    before: ({ field }) => [invalidValue(field, '', 'must be `Apply` or `Update`')],
  }),
  createRowSince(37, 'FieldValueNotSupported', /managedFields\[\d+\]\.operation$/, {
    now: 'supported values: "Apply", "Update"',
    before: ({ field, given = '' }) => [invalidValue(field, given, 'must be `Apply` or `Update`')],
  }),
  createRowSince(37, 'FieldValueDuplicate', /^status\.(?:devices\[\d+\]\.)?conditions\[\d+\]$/, {
    of: withConditions,
    now: '',
    before: (error) => [{ ...error, field: `${error.field}.type` }],
  }),
  createRowSince(37, 'FieldValueRequired', /conditions\[\d+\]\.type$/, {
    now: 'is required',
    before: ({ field }) => qualifiedNameErrors('').map((sentence) => invalidValue(field, '', sentence)),
  }),
  createRowSince(37, 'FieldValueRequired', /^status\.(?:devices\[\d+\]\.)?conditions\[\d+\]\.status$/, {
    of: withConditions,
    now: '',
    before: ({ field }) => [notSupported(field, '', ['False', 'True', 'Unknown'])],
  }),
  // apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go; kubernetes pkg/apis/admissionregistration/validation/validation.go
  createRuleRow('fieldPath', 'must be a valid path'),
  createRuleRow('fieldPath', 'must be non-empty if specified'),
  createRuleRow('fieldPath', 'must not contain line breaks'),
  createRuleRow('message', 'must be non-empty if specified'),
  createRuleRow('message', 'must not contain line breaks'),
  createRow('FieldValueInvalid', /^spec\.variables\[\d+\]\.name$/, {
    now: 'must be a valid CEL identifier',
    before: 'name is not a valid CEL identifier',
  }),
  createRow('FieldValueInvalid', /\.selectableFields$/, {
    now: 'may only be set when `version.schema.openAPIV3Schema` is not included',
    before: 'selectableFields may only be set when version.schema.openAPIV3Schema is not included',
  }),
  createRow('FieldValueInvalid', /\.selectableFields$/, {
    now: 'may only be set when validations.schema is included',
    before: 'selectableFields may only be set when validations.schema is included',
  }),
  createRequiredRow(/^spec\.versions\[\d+\]\.schema\.openAPIV3Schema$/, 'schemas are required'),
  // apiserver pkg/util/webhook/validation.go
  createRequiredRow(/\.service\.name$/, 'service name is required'),
  createRequiredRow(/\.service\.namespace$/, 'service namespace is required'),
  // apiextensions-apiserver pkg/apiserver/schema/objectmeta/validation.go
  createRequiredRow(/^(?!spec\.(?:names|paramKind)\.).*\.(?:apiVersion|kind)$/, 'must not be empty'),
  // apimachinery pkg/api/validation/objectmeta.go
  ...['kind', 'name', 'uid'].map((field) =>
    createRow('FieldValueInvalid', new RegExp(`^metadata\\.ownerReferences(?:\\[\\d+\\])?\\.${field}$`), {
      now: 'must not be empty',
      before: `${field} must not be empty`,
    }),
  ),
  // kubernetes pkg/apis/core/validation/validation.go
  createRowSince(35, 'FieldValueInvalid', /\.env\[\d+\]\.valueFrom$/, {
    now: 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    before: 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
  }),
  createRowSince(35, 'FieldValueNotSupported', /\.tolerations\[\d+\]\.operator$/, {
    now: 'supported values: "Equal", "Exists", "Lt", "Gt"',
    before: 'supported values: "Equal", "Exists"',
  }),
  createRow('FieldValueInvalid', /\.resizePolicy$/, {
    now: "must be 'NotRequired' when pod `restartPolicy` is 'Never'",
    before: "must be 'NotRequired' when `restartPolicy` is 'Never'",
  }),
  // apimachinery pkg/apis/meta/v1/validation/validation.go
  createRequiredRow(/conditions\[\d+\]\.(?:lastTransitionTime|reason)$/, 'must be set'),
  // kubernetes pkg/apis/batch/validation/validation.go
  createRow('FieldValueInvalid', /^status\.completionTime$/, {
    now: 'must be equal to or after `startTime`',
    before: 'completionTime cannot be set before startTime',
  }),
  createRow('FieldValueInvalid', /^status\.completionTime$/, {
    now: 'field is immutable',
    before: 'completionTime cannot be mutated',
  }),
  createRow('FieldValueInvalid', /^status\.uncountedTerminatedPods$/, {
    now: 'must be empty for finished job',
    before: 'uncountedTerminatedPods needs to be empty for finished job',
  }),
  // kubernetes pkg/apis/core/validation/validation.go validateHostUsers
  ...['hostNetwork', 'hostPID', 'hostIPC', 'HostPID', 'HostIPC'].map((field) =>
    createRow('FieldValueForbidden', new RegExp(`\\.${field}$`), {
      now: 'when `hostUsers` is false',
      before: 'when `pod.Spec.HostUsers` is false',
    }),
  ),
  // kubernetes pkg/apis/flowcontrol/validation/validation.go
  createRow('FieldValueInvalid', /^spec\.type$/, {
    now: "must be 'Exempt' if and only if `name` is 'exempt'",
    before: "type must be 'Exempt' if and only if name is 'exempt'",
  }),
  // apimachinery pkg/util/validation/field/errors.go
  createRow('FieldValueTooLong', /./, { now: 'may not be more than 1 byte', before: 'may not be more than 1 bytes' }),
  createRow('FieldValueTooMany', /./, { now: 'must have at most 1 item', before: 'must have at most 1 items' }),
];
