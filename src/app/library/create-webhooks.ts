import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { checkAnswer, checkOptions } from './check-webhook.ts';
import { checkIsStored } from './stored-webhooks.ts';
import type { Client } from './client.ts';
import type { AnswerOptions, Cluster } from './cluster.ts';
import { registerFunction } from './register-function.ts';
import type { WebhookBoard } from './webhook-board.ts';
import { configurationFor } from './webhook-configuration.ts';
import type { AdmissionReview, Webhook, WebhookFunction } from './webhook.ts';

export interface WebhookParts {
  readonly board: WebhookBoard;
  /** Stores configurations. */
  readonly client: Client;
  readonly stored: () => ClusterView;
}

/** Functions as webhooks, on this board. */
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
          await leave(configuration, fieldManager, client);
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
  board: WebhookBoard,
  name: string,
  answer: WebhookFunction,
  { configuration, faults = [] }: AnswerOptions,
): Webhook {
  checkAnswer(name, answer, faults);
  const { remove, ...registered } = registerFunction<AdmissionReview>(board, { name, configuration, faults }, answer);
  return { name, ...registered, remove: async () => remove() };
}

type Configuration = ReturnType<typeof configurationFor>;

/** Takes a webhook out of its configuration, and the last one with the configuration. */
async function leave(configuration: Configuration, fieldManager: string, client: Client): Promise<void> {
  const { apiVersion, kind, metadata } = configuration;
  const emptied: Emptied = { apiVersion, kind, metadata };
  const { webhooks = [] } = await client.apply(emptied, { fieldManager });
  if (webhooks.length === 0) await client.delete({ apiVersion, kind }, metadata);
}

type Emptied = Omit<Configuration, 'webhooks'> & Partial<Pick<Configuration, 'webhooks'>>;
