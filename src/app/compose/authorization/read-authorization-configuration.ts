import {
  configurationKind,
  openDocument,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from '../../../apiserver/admission/configuration/configuration-document.ts';
import { goDurationFault, readGoDuration } from '../../../machinery/go/go-duration.ts';
import {
  type StructField,
  objectField,
  objectsField,
  optionalField,
  type Struct,
  stringField,
  boolField,
} from '../../../machinery/meta/decode-fields.ts';

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

type DecodedWebhook = Omit<WebhookAuthorizerConfiguration, CacheSwitch> &
  Readonly<Record<CacheSwitch, boolean | undefined>>;
type CacheSwitch = 'cacheAuthorizedRequests' | 'cacheUnauthorizedRequests';

/** In the order of upstream's message. */
export const authorizerTypes: readonly string[] = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];

const group = 'apiserver.config.k8s.io';
/** Milliseconds; 0 when absent. */
const duration: StructField<number> = (value, place) => {
  if (value === null || value === undefined) return 0;
  const written = stringField()(value, place);
  const fault = goDurationFault(written);
  if (fault !== undefined) place.faults.push(fault);
  return readGoDuration(written) ?? 0;
};

const webhook: Struct<DecodedWebhook> = {
  type: 'v1.WebhookConfiguration',
  fields: {
    authorizedTTL: duration,
    cacheAuthorizedRequests: boolField,
    unauthorizedTTL: duration,
    cacheUnauthorizedRequests: boolField,
    timeout: duration,
    subjectAccessReviewVersion: stringField(),
    matchConditionSubjectAccessReviewVersion: stringField(),
    failurePolicy: stringField(),
    connectionInfo: objectField({
      type: 'v1.WebhookConnectionInfo',
      fields: { type: stringField(), kubeConfigFile: optionalField(stringField()) },
    }),
    matchConditions: objectsField({ type: 'v1.WebhookMatchCondition', fields: { expression: stringField() } }),
  },
};
const authorizer = {
  type: 'v1.AuthorizerConfiguration',
  fields: { type: stringField(), name: stringField(), webhook: optionalField(objectField(webhook)) },
};
const kind = configurationKind({
  names: ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, 'AuthorizationConfiguration']),
  scheme: 'k8s.io/apiserver/pkg/apis/apiserver/load/load.go:32',
  struct: { type: 'AuthorizationConfiguration', fields: { authorizers: objectsField(authorizer) } },
});

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
export function readAuthorizationConfiguration(file: string): ConfigurationReading<readonly AuthorizerConfiguration[]> {
  if (file === '') return read([]);
  const document = openDocument(file);
  const other =
    document.ok && document.value.apiVersion === `${group}/v1` ? others.get(document.value.kind) : undefined;
  if (other !== undefined) return unreadable(`expected AuthorizationConfiguration, got ${other}`);
  const decoded = readConfiguration(file, kind);
  if (!decoded.ok) return decoded;
  return read(
    decoded.value.authorizers.map(({ webhook: configured, ...named }) => ({
      ...named,
      webhook: configured ? withDefaults(configured) : undefined,
    })),
  );
}

const minute = 60_000;

const withDefaults = (configured: DecodedWebhook): WebhookAuthorizerConfiguration => ({
  ...configured,
  authorizedTTL: configured.authorizedTTL || 5 * minute,
  cacheAuthorizedRequests: configured.cacheAuthorizedRequests ?? true,
  unauthorizedTTL: configured.unauthorizedTTL || minute / 2,
  cacheUnauthorizedRequests: configured.cacheUnauthorizedRequests ?? true,
});
