import { ConfigError } from '../../adapters/config/config-error.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { didYouMean } from '../../machinery/nearest-name.ts';
import { type WebhookRegistry, registerFunction, checkFaults } from './webhook-registry.ts';
import type { Client, ApiObject } from './client.ts';
import type { WebhookFieldValues } from '../../machinery/meta/webhook-fields.ts';
import type { Fault } from '../../testing/stubs/webhook-spec.ts';

export interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly request: AdmissionRequest;
}

export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: {
    readonly username: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** null for a DELETE. */
  readonly object: ApiObject | null;
  /** null for a CREATE. */
  readonly oldObject: ApiObject | null;
  readonly dryRun: boolean;
  readonly options: Readonly<Record<string, unknown>> | null;
}

/** undefined allows the request. */
export interface AdmissionResponse {
  readonly allowed?: boolean;
  readonly status?: { readonly message?: string; readonly code?: number; readonly reason?: string };
  /** JSON Patch operations, or their base64. */
  readonly patch?: readonly object[] | string;
  readonly patchType?: 'JSONPatch';
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** The API server receives what it throws as status 500. */
export type WebhookFunction = (
  review: AdmissionReview,
) => AdmissionResponse | undefined | void | Promise<AdmissionResponse | undefined | void>;

export interface Rule {
  readonly resources: readonly string[];
  /** Default `['']`, the core group. */
  readonly apiGroups?: readonly string[];
  /** Default: all. */
  readonly apiVersions?: readonly string[];
  /** Default: all. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[];
  readonly scope?: 'Cluster' | 'Namespaced' | '*';
}

/** `webhooks[]` of a configuration, with the API server's defaults and `sideEffects` None. */
export interface WebhookOptions extends Partial<WebhookFieldValues> {
  readonly type: 'mutating' | 'validating';
  readonly rules: readonly Rule[];
  /** Name of its configuration, which several may share; default: its own name. */
  readonly configuration?: string;
  /** Faults of its calls from the first on. */
  readonly faults?: readonly Fault[];
}

/** A webhook that is a function of this process. */
export interface Webhook {
  readonly name: string;
  /** Every review received, in order; also those that a fault left without response. */
  readonly calls: () => readonly AdmissionReview[];
  /** The errors that the function threw, in order. */
  readonly errors: () => readonly unknown[];
  /** Faults of the following calls; [] for none. */
  readonly setFaults: (faults: readonly Fault[]) => void;
  /** Removes it, also from the configuration that `webhook` stored. */
  readonly remove: () => Promise<void>;
}

export interface Webhooks {
  /**
   * Registers a function as a webhook and stores its configuration. Rejects with ApiError when that is invalid; `name` needs
   * three parts, as in `pods.example.com`.
   */
  readonly webhook: (name: string, options: WebhookOptions, answer: WebhookFunction) => Promise<Webhook>;
  /** Registers a function for a webhook of a stored configuration; throws when there is none. */
  readonly answer: (name: string, answer: WebhookFunction, options?: AnswerOptions) => Webhook;
}

export interface AnswerOptions {
  /** Required when several configurations have a webhook of this name. */
  readonly configuration?: string;
  readonly faults?: readonly Fault[];
}

export interface WebhookParts {
  readonly registry: WebhookRegistry;
  /** Stores configurations. */
  readonly client: Client;
  readonly stored: () => ClusterView;
}

export function createWebhooks({ registry, client, stored }: WebhookParts): Webhooks {
  return {
    webhook: async (name, { faults = [], ...options }, answer) => {
      checkOptions(name, options);
      checkAnswer(name, answer, faults);
      const configuration = configurationFor(name, options);
      const fieldManager = `kadmit/${name}`;
      await client.apply(configuration, { fieldManager, force: true, fieldValidation: 'Strict' });
      const webhook = register(registry, name, answer, { configuration: configuration.metadata.name, faults });
      return {
        ...webhook,
        remove: async () => {
          await webhook.remove();
          await removeFromConfiguration(configuration, fieldManager, client);
        },
      };
    },
    answer: (name, answer, options = {}) => {
      checkIsStored(name, options.configuration, stored());
      return register(registry, name, answer, options);
    },
  };
}

function register(
  registry: WebhookRegistry,
  name: string,
  answer: WebhookFunction,
  { configuration, faults = [] }: AnswerOptions,
): Webhook {
  checkAnswer(name, answer, faults);
  const { remove, ...registered } = registerFunction<AdmissionReview>(
    registry,
    { name, configuration, faults },
    answer,
  );
  return { name, ...registered, remove: async () => remove() };
}

type Configuration = ReturnType<typeof configurationFor>;

/** Removes a webhook from its configuration; an empty configuration is deleted. */
async function removeFromConfiguration(
  configuration: Configuration,
  fieldManager: string,
  client: Client,
): Promise<void> {
  const { apiVersion, kind, metadata } = configuration;
  const emptied: Emptied = { apiVersion, kind, metadata };
  const { webhooks = [] } = await client.apply(emptied, { fieldManager });
  if (webhooks.length === 0) await client.delete({ apiVersion, kind }, metadata);
}

type Emptied = Omit<Configuration, 'webhooks'> & Partial<Pick<Configuration, 'webhooks'>>;

const resources = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];

/** Throws when no stored configuration, or not the one named, has a webhook of this name. */
function checkIsStored(name: string, configuration: string | undefined, cluster: ClusterView): void {
  const names = resources.flatMap((resource) =>
    cluster
      .list({ group: 'admissionregistration.k8s.io', resource })
      .filter(({ metadata }) => configuration === undefined || metadata?.name === configuration)
      .flatMap((one) => asList(one['webhooks']).map((webhook) => asString(asObject(webhook)['name']))),
  );
  if (names.includes(name)) return;
  const where = configuration === undefined ? 'no webhook configuration here has' : `${configuration} has no`;
  const what = `webhook ${JSON.stringify(name)}`;
  const near = didYouMean(name, names) || '; store its configuration first';
  throw new ConfigError(`${where} ${configuration === undefined ? `a ${what}` : what}${near}`);
}

interface WebhookConfiguration {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly object[];
}

/** For server-side apply: several webhooks may share a configuration. */
function configurationFor(name: string, options: Omit<WebhookOptions, 'faults'>): WebhookConfiguration {
  const { type, rules, configuration = name, ...fields } = options;
  const webhook = {
    name,
    clientConfig: { url: `https://${name}.invalid/` },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...fields,
    rules: rules.map((rule) => ({ apiGroups: [''], apiVersions: ['*'], operations: ['*'], ...rule })),
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name: configuration },
    webhooks: [webhook],
  };
}

// Checks for programs without types.

/** Throws ConfigError for invalid options. */
function checkOptions(name: string, { type, rules }: WebhookOptions): void {
  if (!['mutating', 'validating'].includes(type)) {
    throw new ConfigError(`webhook ${name}: type must be 'mutating' or 'validating'`);
  }
  if (!Array.isArray(rules) || rules.some((rule) => !Array.isArray(rule?.resources))) {
    const example = "[{ operations: ['CREATE'], resources: ['pods'] }]";
    throw new ConfigError(`webhook ${name}: rules must be a list such as ${example}`);
  }
}

/** Throws ConfigError unless `answer` is a function and the faults are valid. */
function checkAnswer(name: string, answer: WebhookFunction, faults: readonly Fault[]): void {
  if (typeof answer !== 'function') throw new ConfigError(`webhook ${name}: the third argument must be a function`);
  checkFaults(name, faults);
}
