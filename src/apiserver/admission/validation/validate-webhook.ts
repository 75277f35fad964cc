import { type FieldError, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import { dns1035Label, dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { duplicateIndexes } from '../../../machinery/lists.ts';
import { type WebhookEntryField, webhookFields } from '../../../machinery/meta/webhook-fields.ts';
import { validateLabelSelector } from '../../../api/validation/meta/labels.ts';
import { validateClientConfig } from '../../../api/validation/admissionregistration/webhook-client-config.ts';
import { type CompileCondition, validateMatchConditions } from './validate-match-conditions.ts';
import { supportedValueErrors, validateRule } from './validate-match-rules.ts';

/** What an update may keep (rules CFG-50 to CFG-55). */
export interface Leniency {
  readonly ignoreMatchConditions: boolean;
  readonly anySideEffects: boolean;
  readonly anyReviewVersion: boolean;
  readonly repeatedNames: boolean;
  readonly anySelectorValue: boolean;
  readonly storedExpressions: ReadonlySet<string>;
}

type ValidateField = (
  value: JsonValue | undefined,
  path: string,
  leniency: Leniency,
  compile: CompileCondition | undefined,
) => readonly FieldError[];

export const validateWebhook = (
  webhook: JsonObject,
  path: string,
  leniency: Leniency,
  compile: CompileCondition | undefined,
): readonly FieldError[] =>
  Object.entries(validators).flatMap(([field, validate]) =>
    validate(webhook[field], `${path}.${field}`, leniency, compile),
  );

/** Follows apimachinery pkg/util/validation/validation.go IsFullyQualifiedName. */
function validateWebhookName(value: JsonValue | undefined, path: string): readonly FieldError[] {
  const name = asString(value);
  if (name === '') return [required(path, '')];
  const errors = dns1123Subdomain(name);
  if (errors.length > 0) return [invalidValue(path, name, errors.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalidValue(path, name, 'should be a domain with at least three segments separated by dots')];
}

const { values: noSideEffects, formerValues } = webhookFields.sideEffects;
const allSideEffects = [...noSideEffects, ...formerValues];

function validateSideEffects(
  value: JsonValue | undefined,
  path: string,
  { anySideEffects }: Leniency,
): readonly FieldError[] {
  const allowed = anySideEffects ? allSideEffects : noSideEffects;
  if (value === undefined || value === null) return [required(path, `must specify one of ${allowed.join(', ')}`)];
  return supportedValueErrors(value, path, allowed);
}

function validateTimeout(value: JsonValue | undefined, path: string): readonly FieldError[] {
  const { minimum, maximum } = webhookFields.timeoutSeconds;
  if (typeof value !== 'number' || (value >= minimum && value <= maximum)) return [];
  return [invalidValue(path, value, `the timeout value must be between ${minimum} and ${maximum} seconds`)];
}

function validateSelector(
  value: JsonValue | undefined,
  path: string,
  { anySelectorValue }: Leniency,
): readonly FieldError[] {
  if (!isJsonObject(value)) return [];
  const errors = validateLabelSelector(value, path);
  return anySelectorValue ? errors.filter(({ field }) => !isExpressionValue(field)) : errors;
}

const isExpressionValue = (field: string): boolean => /\.matchExpressions\[\d+\]\.values\[\d+\]$/.test(field);

const reviewVersions = ['v1', 'v1beta1'];

function validateReviewVersions(
  value: JsonValue | undefined,
  path: string,
  { anyReviewVersion }: Leniency,
): readonly FieldError[] {
  const versions = asList(value).map(asString);
  if (versions.length === 0) return [required(path, `must specify one of ${reviewVersions.join(', ')}`)];
  const repeats = duplicateIndexes(versions);
  const errors = versions.flatMap((version, index) =>
    repeats.has(index)
      ? [invalidValue(`${path}[${index}]`, version, 'duplicate version')]
      : dns1035Label(version).map((error) => invalidValue(`${path}[${index}]`, version, error)),
  );
  if (anyReviewVersion || versions.some((version) => reviewVersions.includes(version))) return errors;
  return [...errors, invalidValue(path, versions, `must include at least one of ${reviewVersions.join(', ')}`)];
}

/** In the order of upstream's validateWebhook. */
const validators: Readonly<Record<WebhookEntryField, ValidateField>> = {
  name: validateWebhookName,
  rules: (rules, path) => asList(rules).flatMap((rule, index) => validateRule(asObject(rule), `${path}[${index}]`)),
  failurePolicy: (value, path) => supportedValueErrors(value, path, webhookFields.failurePolicy.values),
  matchPolicy: (value, path) => supportedValueErrors(value, path, webhookFields.matchPolicy.values),
  sideEffects: validateSideEffects,
  timeoutSeconds: validateTimeout,
  namespaceSelector: validateSelector,
  objectSelector: validateSelector,
  reinvocationPolicy: (value, path) => supportedValueErrors(value, path, webhookFields.reinvocationPolicy.values),
  clientConfig: validateClientConfig,
  matchConditions: (value, path, { ignoreMatchConditions, storedExpressions }, compile) =>
    ignoreMatchConditions ? [] : validateMatchConditions(value, path, compile, storedExpressions),
  admissionReviewVersions: validateReviewVersions,
};
