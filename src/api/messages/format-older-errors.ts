import { base64Bytes } from '../../machinery/go/base64-bytes.ts';
import { printNumber } from '../../machinery/go/go-number.ts';
import { isJsonObject, isList, type JsonObject, type JsonValue, asString } from '../../machinery/json/json.ts';
import { goQuote, type FieldError } from '../../machinery/meta/field-error.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import { detailRows } from './older-error-details.ts';

/** `isCustom`: a custom resource. */
export interface ErrorSubject extends GroupResource {
  readonly isCustom: boolean;
}

export type FormatErrorsForRelease = (errors: readonly FieldError[], subject: ErrorSubject) => readonly FieldError[];

export const formatErrorsForRelease =
  (minor: number): FormatErrorsForRelease =>
  (errors, subject) =>
    errors
      .flatMap((error) => toOlderErrors(error, subject, minor))
      .map((error) => withOlderValue(error, subject, minor));

function withOlderValue(error: FieldError, subject: ErrorSubject, minor: number): FieldError {
  const value = formatOlderValue(error, subject, minor);
  return { ...error, ...(value === undefined ? {} : { value }) };
}

/**
 * Follows apiextensions-apiserver pkg/apiserver/schema/cel/validation.go of 1.34 and 1.35, and apimachinery
 * pkg/util/validation/field/errors.go of 1.33 and 1.34.
 */
function formatOlderValue(error: FieldError, subject: ErrorSubject, minor: number): string | undefined {
  const { ruleOf, given, type, value } = error;
  if (ruleOf !== undefined && minor < 35) return valueless.has(type) ? undefined : goQuote(ruleOf);
  return minor >= 34 || given === undefined || value === undefined ? value : formatGiven(error, subject, given);
}

function formatGiven(error: FieldError, subject: ErrorSubject, given: JsonValue): string | undefined {
  if (typeof given === 'string') return formatScalar(given, error, findFieldType(error, subject));
  if (given === null || typeof given === 'number')
    return formatPlain(given, findFieldType(error, subject)) ?? error.value;
  if (!isList(given) && !isJsonObject(given)) return error.value;
  const isFree = subject.isCustom && !error.field.startsWith('metadata.');
  return formatGoSyntax(given, isFree ? 'interface {}' : (findFieldType(error, subject) ?? inferGoType(given)));
}

/** Errors of these types print no value. */
const valueless: ReadonlySet<string> = new Set(['FieldValueForbidden', 'FieldValueRequired']);

const findFieldType = ({ field }: FieldError, { group, resource }: ErrorSubject): string | undefined =>
  typedFields.find(
    ([pattern, , of]) => pattern.test(field) && (of === undefined || of === `${group}/${resource}`),
  )?.[1];

function formatPlain(given: number | null, type = ''): string | undefined {
  if (given === null) return type.startsWith('[]') ? formatGoSyntax(given, type) : '"null"';
  return type === 'uint64' ? formatGoSyntax(given, type) : undefined;
}

/** Names of counted resources have a String method. */
function parseCountedName(field: string): string | undefined {
  if (!field.endsWith(']')) return undefined;
  const last = field.slice(field.lastIndexOf(']', field.length - 2) + 1, -1);
  return counted.exec(last)?.[1];
}

const counted = /\.(?:limits|requests|hard|min|max|default|defaultRequest|maxLimitRequestRatio|used)\[([^]*)/;

function formatScalar(given: string, { field, value }: FieldError, type: string | undefined): string | undefined {
  if (parseCountedName(field) === given) return given;
  return type === '[]byte' || type === 'resource.Quantity' ? formatGoSyntax(given, type) : value;
}

function toOlderErrors(error: FieldError, subject: ErrorSubject, minor: number): readonly FieldError[] {
  const { type, field, detail } = error;
  const row = detailRows.find(
    (candidate) =>
      minor < candidate.since &&
      candidate.type === type &&
      candidate.now === detail &&
      candidate.field.test(field) &&
      (candidate.of?.test(`${subject.group}/${subject.resource}`) ?? true),
  );
  if (typeof row?.before === 'string') return [{ ...error, detail: row.before }];
  if (row !== undefined) return row.before(error).flatMap((older) => toOlderErrors(older, subject, minor));
  // apimachinery pkg/util/validation/validation.go IsQualifiedName of 1.34, and pkg/api/validate/content/kube.go of 1.35.
  return [minor < 35 ? { ...error, detail: detail.replace(/^a valid label key /, 'a qualified name ') } : error];
}

type Print = (value: JsonValue | undefined, type: string) => string;

/** The first match counts. */
const printers: readonly (readonly [type: RegExp, print: Print])[] = [
  [/^interface \{\}$/, (value) => (isNil(value) ? 'interface {}(nil)' : formatAny(value))],
  [/^\*/, (value, type) => `(${type})(${isNil(value) ? 'nil' : exampleAddress})`],
  [/^\[\]byte$/, formatBytes],
  [/^resource\.Quantity$/, (value) => formatQuantity(asString(value))],
  [/^\[\]/, formatList],
  [/^map\[/, formatMap],
  [/^bool$/, (value) => String(value === true)],
  [/^uint/, (value) => `0x${Number(value ?? 0).toString(16)}`],
  [/^(?:int|float)\d/, (value) => (typeof value === 'number' ? printNumber(value) : '0')],
];

/** Go's `%#v`: `[]string{"v9"}`. Follows go src/fmt/print.go. */
function formatGoSyntax(value: JsonValue | undefined, type: string): string {
  const fields = structs[type];
  if (fields !== undefined) return formatStruct(isJsonObject(value) ? value : {}, type, fields);
  const print = printers.find(([pattern]) => pattern.test(type))?.[1];
  return print ? print(value, type) : goQuote(asString(value));
}

/** For values without a row in `typedFields`. */
function inferGoType(value: JsonValue): string {
  if (isList(value)) {
    if (value.every((item) => typeof item === 'string')) return '[]string';
    return value.every((item) => typeof item === 'number') ? '[]int32' : '[]interface {}';
  }
  if (!isJsonObject(value)) return 'interface {}';
  return Object.values(value).every((item) => typeof item === 'string')
    ? 'map[string]string'
    : 'map[string]interface {}';
}

/** Real addresses vary. */
const exampleAddress = '0xc000000000';

const isNil = (value: JsonValue | undefined): value is null | undefined => value === null || value === undefined;

function formatAny(value: JsonValue): string {
  if (isList(value)) return formatGoSyntax(value, '[]interface {}');
  if (isJsonObject(value)) return formatGoSyntax(value, 'map[string]interface {}');
  if (typeof value === 'string') return goQuote(value);
  return typeof value === 'number' ? printNumber(value) : String(value);
}

function formatList(value: JsonValue | undefined, type: string): string {
  if (!isList(value)) return `${type}(nil)`;
  return `${type}{${value.map((item) => formatGoSyntax(item, type.slice('[]'.length))).join(', ')}}`;
}

function formatMap(value: JsonValue | undefined, type: string): string {
  if (!isJsonObject(value)) return `${type}(nil)`;
  const ofValues = type.slice(type.indexOf(']') + 1);
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${type}{${sorted.map(([key, item]) => `${goQuote(key)}:${formatGoSyntax(item, ofValues)}`).join(', ')}}`;
}

/** `fields` is `Name string, Count int32`. */
function formatStruct(value: JsonObject, type: string, fields: string): string {
  const members = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
  const texts = fields.split(', ').map((field) => {
    const at = field.indexOf(' ');
    const name = field.slice(0, at);
    return `${name}:${formatGoSyntax(members.get(name.toLowerCase()), field.slice(at + 1))}`;
  });
  return `${type}{${texts.join(', ')}}`;
}

function formatBytes(value: JsonValue | undefined): string {
  const bytes = base64Bytes(asString(value));
  return `[]byte{${[...bytes].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
}

const decimalScales: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryPowers = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Follows apimachinery pkg/api/resource/quantity.go; assumes values that fit int64Amount. */
function formatQuantity(text: string): string {
  const [, integer = '0', fraction = '', suffix = ''] = /^([+-]?\d+)(?:\.(\d*))?(\D*)$/.exec(text) ?? [];
  const power = binaryPowers.indexOf(suffix) + 1;
  const value = BigInt(`${integer}${fraction}`) * 1024n ** BigInt(power);
  const scale = (decimalScales[suffix] ?? 0) - fraction.length;
  const format = power > 0 ? 'BinarySI' : 'DecimalSI';
  return `resource.Quantity{i:resource.int64Amount{value:${value}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${goQuote(text)}, Format:${goQuote(format)}}`;
}

/**
 * Internal Go types printed in errors. Follows kubernetes pkg/apis/…/types.go, apiextensions-apiserver
 * pkg/apis/apiextensions/types.go and apimachinery pkg/apis/meta/v1/types.go of 1.33.
 */
const structs: Readonly<Record<string, string>> = {
  'admissionregistration.AuditAnnotation': 'Key string, ValueExpression string',
  'apiextensions.CustomResourceColumnDefinition':
    'Name string, Type string, Format string, Description string, Priority int32, JSONPath string',
  'apiextensions.CustomResourceDefinitionVersion':
    'Name string, Served bool, Storage bool, Deprecated bool, DeprecationWarning *string, Schema *apiextensions.CustomResourceValidation, Subresources *apiextensions.CustomResourceSubresources, AdditionalPrinterColumns []apiextensions.CustomResourceColumnDefinition, SelectableFields []apiextensions.SelectableField',
  'apiextensions.SelectableField': 'JSONPath string',
  'apiextensions.ValidationRule':
    'Rule string, Message string, MessageExpression string, Reason *apiextensions.FieldValueErrorReason, FieldPath string, OptionalOldSelf *bool',
  'core.HostIP': 'IP string',
  'core.LocalObjectReference': 'Name string',
  'core.NodeAddress': 'Type core.NodeAddressType, Address string',
  'core.PodIP': 'IP string',
  'core.SecurityContext':
    'Capabilities *core.Capabilities, Privileged *bool, SELinuxOptions *core.SELinuxOptions, WindowsOptions *core.WindowsSecurityContextOptions, RunAsUser *int64, RunAsGroup *int64, RunAsNonRoot *bool, ReadOnlyRootFilesystem *bool, AllowPrivilegeEscalation *bool, ProcMount *core.ProcMountType, SeccompProfile *core.SeccompProfile, AppArmorProfile *core.AppArmorProfile',
  'core.Taint': 'Key string, Value string, Effect core.TaintEffect, TimeAdded *v1.Time',
  'core.Toleration':
    'Key string, Operator core.TolerationOperator, Value string, Effect core.TaintEffect, TolerationSeconds *int64',
  'v1.OwnerReference':
    'APIVersion string, Kind string, Name string, UID types.UID, Controller *bool, BlockOwnerDeletion *bool',
  'rbac.RoleRef': 'APIGroup string, Kind string, Name string',
  'v1.LabelSelector': 'MatchLabels map[string]string, MatchExpressions []v1.LabelSelectorRequirement',
  'v1.LabelSelectorRequirement': 'Key string, Operator v1.LabelSelectorOperator, Values []string',
};

/** Go types of fields whose JSON is ambiguous; `resource` limits a row. */
const typedFields: readonly (readonly [field: RegExp, type: string, resource?: string])[] = [
  [/^metadata\.resourceVersion$/, 'uint64'],
  [/^metadata\.ownerReferences$/, '[]v1.OwnerReference'],
  [/\.operations$/, '[]admissionregistration.OperationType'],
  [/^spec\.auditAnnotations$/, '[]admissionregistration.AuditAnnotation'],
  [/^spec\.validationActions$/, '[]admissionregistration.ValidationAction'],
  [/^spec\.versions$/, '[]apiextensions.CustomResourceDefinitionVersion'],
  [/\.x-kubernetes-validations\[\d+\]\.rule$/, 'apiextensions.ValidationRule'],
  [/^status\.storedVersions$/, '[]string'],
  [/\.default$/, 'map[string]interface {}', 'apiextensions.k8s.io/customresourcedefinitions'],
  [/\.securityContext$/, 'core.SecurityContext'],
  [/^spec\.scopes$|^spec\.scopeSelector\.scopes$/, '[]core.ResourceQuotaScope', '/resourcequotas'],
  [/^spec\.taints\[\d+\]$/, 'core.Taint', '/nodes'],
  [/^scheduling\.tolerations\[\d+\]$/, 'core.Toleration', 'node.k8s.io/runtimeclasses'],
  [/^status\.podIPs\[\d+\]$/, 'core.PodIP', '/pods'],
  [/^status\.podIPs$/, '[]core.PodIP', '/pods'],
  [/^status\.hostIPs\[\d+\]$/, 'core.HostIP', '/pods'],
  [/^status\.hostIPs$/, '[]core.HostIP', '/pods'],
  [/^status\.addresses\[\d+\]$/, 'core.NodeAddress', '/nodes'],
  [/^roleRef$/, 'rbac.RoleRef'],
  [/^spec\.selector$/, 'v1.LabelSelector'],
  [/^spec\.ipFamilies/, '[]core.IPFamily', '/services'],
  [/^spec\.request$/, '[]byte', 'certificates.k8s.io/certificatesigningrequests'],
  [
    /^spec\.limits\[\d+\]\.(?:min|max|default|defaultRequest|maxLimitRequestRatio)\[/,
    'resource.Quantity',
    '/limitranges',
  ],
];
