import {
  type ConfigurationKind,
  openDocument,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from '../../../apiserver/admission/configuration/configuration-document.ts';
import { goDurationFault, readGoDuration } from '../../../machinery/go/go-duration.ts';
import type { FieldReader, Fields, StructPath } from '../../../machinery/meta/decode-fields.ts';

/** Follows apiserver pkg/apis/apiserver/types.go. */
export interface AuthorizerConfiguration {
  readonly type: string;
  readonly name: string;
  readonly webhook: WebhookAuthorizerConfiguration | undefined;
}

/** Times in milliseconds. */
export interface WebhookAuthorizerConfiguration {
  readonly authorizedTTL: number;
  readonly cacheAuthorizedRequests: boolean;
  readonly unauthorizedTTL: number;
  readonly cacheUnauthorizedRequests: boolean;
  readonly timeout: number;
  readonly subjectAccessReviewVersion: string;
  readonly matchConditionSubjectAccessReviewVersion: string;
  readonly failurePolicy: string;
  readonly connectionInfo: {
    readonly type: string;
    /** null when absent. */
    readonly kubeConfigFile: string | null;
  };
  readonly matchConditions: readonly { readonly expression: string }[];
}

/** In the order of upstream's message. */
export const authorizerTypes: readonly string[] = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];

const group = 'apiserver.config.k8s.io';
const kind: ConfigurationKind = {
  names: ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, 'AuthorizationConfiguration']),
  scheme: 'k8s.io/apiserver/pkg/apis/apiserver/load/load.go:32',
};

/** Other kinds of upstream's decoder, with their Go types. */
const others: ReadonlyMap<string, string> = new Map(
  ['AuthenticationConfiguration', 'EncryptionConfiguration', 'TracingConfiguration', 'AdmissionConfiguration'].map(
    (name) => [name, `*apiserver.${name}`],
  ),
);

/**
 * Strict decoding without validation; an empty file has no authorizers.
 * Follows apiserver pkg/apis/apiserver/load/load.go and v1/defaults.go.
 */
export function readAuthorizationConfiguration(text: string): ConfigurationReading<readonly AuthorizerConfiguration[]> {
  if (text === '') return read([]);
  const document = openDocument(text);
  const other =
    document.ok && document.value.apiVersion === `${group}/v1` ? others.get(document.value.kind) : undefined;
  if (other !== undefined) return unreadable(`expected AuthorizationConfiguration, got ${other}`);
  const durations: string[] = [];
  const decoded = readConfiguration(text, kind, (fields, reader) => {
    reader.only(fields, ['apiVersion', 'kind', 'authorizers'], '');
    const place = { struct: 'AuthorizationConfiguration', path: '' };
    return reader
      .objects(fields, 'authorizers', place, 'v1.AuthorizerConfiguration')
      .map((entry, index) => authorizerIn(entry, `authorizers[${index}]`, { reader, durations }));
  });
  const [fault] = durations;
  if (fault !== undefined && (decoded.ok || !decoded.error.startsWith('json:'))) return unreadable(fault);
  return decoded;
}

interface Decoding {
  readonly reader: FieldReader;
  /** Errors of durations. */
  readonly durations: string[];
}

const inAuthorizer: StructPath = { struct: 'AuthorizerConfiguration', path: 'authorizers' };
const inWebhook: StructPath = { struct: 'WebhookConfiguration', path: 'authorizers.webhook' };

function authorizerIn(entry: Fields, at: string, decoding: Decoding): AuthorizerConfiguration {
  const { reader } = decoding;
  reader.only(entry, ['type', 'name', 'webhook'], at);
  const webhook = reader.object(entry, 'webhook', inAuthorizer, 'v1.WebhookConfiguration');
  const isThere = (entry['webhook'] ?? null) !== null;
  return {
    type: reader.text(entry, 'type', inAuthorizer),
    name: reader.text(entry, 'name', inAuthorizer),
    webhook: isThere ? webhookIn(webhook, `${at}.webhook`, decoding) : undefined,
  };
}

const webhookFields = [
  'authorizedTTL',
  'cacheAuthorizedRequests',
  'unauthorizedTTL',
  'cacheUnauthorizedRequests',
  'timeout',
  'subjectAccessReviewVersion',
  'matchConditionSubjectAccessReviewVersion',
  'failurePolicy',
  'connectionInfo',
  'matchConditions',
];

const minute = 60_000;

function webhookIn(fields: Fields, at: string, { reader, durations }: Decoding): WebhookAuthorizerConfiguration {
  reader.only(fields, webhookFields, at);
  const duration = (name: string): number => {
    const text = reader.text(fields, name, inWebhook);
    if ((fields[name] ?? null) === null) return 0;
    const fault = goDurationFault(text);
    if (fault !== undefined) durations.push(fault);
    return readGoDuration(text) ?? 0;
  };
  const text = (name: string): string => reader.text(fields, name, inWebhook);
  const connectionInfo = reader.object(fields, 'connectionInfo', inWebhook, 'v1.WebhookConnectionInfo');
  reader.only(connectionInfo, ['type', 'kubeConfigFile'], `${at}.connectionInfo`);
  const inConnection = { struct: 'WebhookConnectionInfo', path: 'authorizers.webhook.connectionInfo' };
  const kubeConfigFile = reader.text(connectionInfo, 'kubeConfigFile', inConnection);
  const inCondition = { struct: 'WebhookMatchCondition', path: 'authorizers.webhook.matchConditions' };
  return {
    authorizedTTL: duration('authorizedTTL') || 5 * minute,
    cacheAuthorizedRequests: reader.truth(fields, 'cacheAuthorizedRequests', inWebhook) ?? true,
    unauthorizedTTL: duration('unauthorizedTTL') || minute / 2,
    cacheUnauthorizedRequests: reader.truth(fields, 'cacheUnauthorizedRequests', inWebhook) ?? true,
    timeout: duration('timeout'),
    subjectAccessReviewVersion: text('subjectAccessReviewVersion'),
    matchConditionSubjectAccessReviewVersion: text('matchConditionSubjectAccessReviewVersion'),
    failurePolicy: text('failurePolicy'),
    connectionInfo: {
      type: reader.text(connectionInfo, 'type', inConnection),
      kubeConfigFile: (connectionInfo['kubeConfigFile'] ?? null) === null ? null : kubeConfigFile,
    },
    matchConditions: reader
      .objects(fields, 'matchConditions', inWebhook, 'v1.WebhookMatchCondition')
      .map((condition, index) => {
        reader.only(condition, ['expression'], `${at}.matchConditions[${index}]`);
        return { expression: reader.text(condition, 'expression', inCondition) };
      }),
  };
}
