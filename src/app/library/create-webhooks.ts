import { ConfigError } from '../../adapters/config/config-error.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { didYouMean } from '../../machinery/nearest-name.ts';
import { checkAnswer, checkOptions } from './check-webhook.ts';
import type { Client } from './client.ts';
import type { AnswerOptions, Cluster } from './cluster.ts';
import { registerFunction } from './register-function.ts';
import type { WebhookRegistry } from './webhook-registry.ts';
import type { AdmissionReview, Webhook, WebhookFunction, WebhookOptions } from './webhook.ts';

export interface WebhookParts {
  readonly board: WebhookRegistry;
  /** Stores configurations. */
  readonly client: Client;
  readonly stored: () => ClusterView;
}

export function createWebhooks({ board, client, stored }: WebhookParts): Pick<Cluster, 'webhook' | 'answer'> {
  return {
    webhook: async (name, { faults = [], ...options }, answer) => {
      checkOptions(name, options);
      checkAnswer(name, answer, faults);
      const configuration = configurationFor(name, options);
      const fieldManager = `kadmit/${name}`;
      await client.apply(configuration, { fieldManager, force: true, fieldValidation: 'Strict' });
      const webhook = register(board, name, answer, { configuration: configuration.metadata.name, faults });
      return {
        ...webhook,
        remove: async () => {
          await webhook.remove();
          await removeFrom(configuration, fieldManager, client);
        },
      };
    },
    answer: (name, answer, options = {}) => {
      checkIsStored(name, options.configuration, stored());
      return register(board, name, answer, options);
    },
  };
}

function register(
  board: WebhookRegistry,
  name: string,
  answer: WebhookFunction,
  { configuration, faults = [] }: AnswerOptions,
): Webhook {
  checkAnswer(name, answer, faults);
  const { remove, ...registered } = registerFunction<AdmissionReview>(board, { name, configuration, faults }, answer);
  return { name, ...registered, remove: async () => remove() };
}

type Configuration = ReturnType<typeof configurationFor>;

/** Removes a webhook from its configuration; an empty configuration is deleted. */
async function removeFrom(configuration: Configuration, fieldManager: string, client: Client): Promise<void> {
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
