import type { ConfigurationFiles } from '../../../apiserver/admission/configuration/admission-configuration.ts';
import {
  duplicate,
  type FieldError,
  fieldErrorText,
  invalidValue,
  notSupported,
  notSupportedText,
  required,
  tooMany,
} from '../../../machinery/meta/field-error.ts';
import { goDuration } from '../../../machinery/go/go-duration.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { aggregateText } from '../../../apiserver/auth/authorizer.ts';
import {
  type AuthorizerConfiguration,
  authorizerTypes,
  type WebhookAuthorizerConfiguration,
} from './read-authorization-configuration.ts';

export interface ValidationPorts {
  readonly files: Pick<ConfigurationFiles, 'isAbsolute' | 'isFolder'>;
  readonly expressionFault: (expression: string) => string | undefined;
}

/**
 * The errors of a chain of authorizers as one text; `mustStay` are required types.
 * Follows apiserver pkg/apis/apiserver/validation/validation.go and kubernetes pkg/kubeapiserver/authorizer/config.go.
 */
export function authorizersFault(
  authorizers: readonly AuthorizerConfiguration[],
  ports: ValidationPorts,
  mustStay: readonly string[] = [],
): string | undefined {
  const errors = chainErrors(authorizers, ports).map(fieldErrorText);
  const texts = errors.length > 0 ? errors : ownErrors(authorizers, mustStay);
  return texts.length === 0 ? undefined : aggregateText(texts);
}

/** All but webhooks must be named after their type. */
function ownErrors(authorizers: readonly AuthorizerConfiguration[], mustStay: readonly string[]): readonly string[] {
  const own = authorizers.filter(({ type }) => type !== 'Webhook');
  const missing = mustStay.filter((type) => !own.some((one) => one.type === type)).toSorted();
  return [
    ...own
      .filter(({ type, name }) => name !== type.toLowerCase())
      .map(({ type, name }) => `expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`),
    ...(missing.length === 0 ? [] : [`missing required types: [${missing.join(' ')}]`]),
  ];
}

function chainErrors(authorizers: readonly AuthorizerConfiguration[], ports: ValidationPorts): readonly FieldError[] {
  if (authorizers.length === 0) return [required('authorizers', 'at least one authorization mode must be defined')];
  const types = new Set<string>();
  const names = new Set<string>();
  return authorizers.flatMap((authorizer, index) => {
    const at = `authorizers[${index}]`;
    const { type, name } = authorizer;
    if (type === '') return [required(`${at}.type`, '')];
    if (!authorizerTypes.includes(type)) return [notSupportedText(`${at}.type`, type, authorizerTypes)];
    if (types.has(type) && type !== 'Webhook') return [duplicate(`${at}.type`, type)];
    types.add(type);
    const ofName = nameErrors(name, `${at}.name`, names);
    names.add(name);
    return [...ofName, ...webhookErrors(authorizer, at, ports)];
  });
}

function nameErrors(name: string, at: string, seen: ReadonlySet<string>): readonly FieldError[] {
  if (name === '') return [required(at, '')];
  if (seen.has(name)) return [duplicate(at, name)];
  const faults = dns1123Subdomain(name);
  return faults.length === 0 ? [] : [invalidValue(at, name, `authorizer name is invalid: ${faults.join(', ')}`)];
}

function webhookErrors(
  { type, webhook }: AuthorizerConfiguration,
  at: string,
  ports: ValidationPorts,
): readonly FieldError[] {
  if (type !== 'Webhook') {
    return webhook ? [invalidValue(`${at}.webhook`, 'non-null', 'may only be specified when type=Webhook')] : [];
  }
  if (!webhook) return [required(`${at}.webhook`, 'required when type=Webhook')];
  const { timeout } = webhook;
  const isBounded = timeout > 0 && timeout <= 30_000;
  return [
    ...(timeout === 0 ? [required(`${at}.timeout`, '')] : []),
    ...(timeout === 0 || isBounded
      ? []
      : [invalidValue(`${at}.timeout`, goDuration(timeout), 'must be > 0s and <= 30s')]),
    ...ttlErrors(`${at}.authorizedTTL`, webhook.authorizedTTL),
    ...ttlErrors(`${at}.unauthorizedTTL`, webhook.unauthorizedTTL),
    ...choiceErrors(`${at}.subjectAccessReviewVersion`, webhook.subjectAccessReviewVersion, ['v1', 'v1beta1']),
    ...conditionVersionErrors(`${at}.matchConditionSubjectAccessReviewVersion`, webhook),
    ...choiceErrors(`${at}.failurePolicy`, webhook.failurePolicy, ['NoOpinion', 'Deny']),
    ...connectionErrors(`${at}.connectionInfo`, webhook, ports),
    ...conditionErrors(`${at}.matchConditions`, webhook, ports),
  ];
}

const ttlErrors = (at: string, ttl: number): readonly FieldError[] =>
  ttl < 0 ? [invalidValue(at, goDuration(ttl), 'must be > 0s')] : [];

function choiceErrors(at: string, value: string, choices: readonly string[]): readonly FieldError[] {
  if (value === '') return [required(at, '')];
  return choices.includes(value) ? [] : [notSupportedText(at, value, choices)];
}

function conditionVersionErrors(at: string, webhook: WebhookAuthorizerConfiguration): readonly FieldError[] {
  const { matchConditionSubjectAccessReviewVersion: version, matchConditions } = webhook;
  if (version !== '') return choiceErrors(at, version, ['v1']);
  return matchConditions.length === 0 ? [] : [required(at, 'required if match conditions are specified')];
}

function connectionErrors(
  at: string,
  { connectionInfo: { type, kubeConfigFile: path } }: WebhookAuthorizerConfiguration,
  { files }: ValidationPorts,
): readonly FieldError[] {
  const field = `${at}.kubeConfigFile`;
  if (type === '') return [required(`${at}.type`, '')];
  if (type === 'InClusterConfig') {
    return path === null ? [] : [invalidValue(field, path, 'can only be set when type=KubeConfigFile')];
  }
  if (type !== 'KubeConfigFile') {
    const printed = { Type: type, KubeConfigFile: path };
    return [notSupported(`${at}.type`, printed, ['InClusterConfig', 'KubeConfigFile'])];
  }
  if (path === null || path === '') return [required(field, '')];
  if (!files.isAbsolute(path)) return [invalidValue(field, path, 'must be an absolute path')];
  const folder = files.isFolder(path);
  if (!folder.ok) return [invalidValue(field, path, `error loading file: ${folder.error}`)];
  return folder.value ? [invalidValue(field, path, 'must be a regular file')] : [];
}

const maxConditions = 64;

function conditionErrors(
  at: string,
  { matchConditions }: WebhookAuthorizerConfiguration,
  { expressionFault }: ValidationPorts,
): readonly FieldError[] {
  if (matchConditions.length > maxConditions) return [tooMany(at, matchConditions.length, maxConditions)];
  const seen = new Set<string>();
  return matchConditions.flatMap(({ expression }, index) => {
    const field = `${at}[${index}].expression`;
    if (expression.trim() === '') return [required(field, '')];
    if (seen.has(expression)) return [duplicate(field, expression)];
    seen.add(expression);
    const fault = expressionFault(expression);
    return fault === undefined ? [] : [invalidValue(field, expression, fault)];
  });
}
