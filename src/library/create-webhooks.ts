import type { ReviewFunction } from '../faults/webhook-spec.ts';
import type { Client } from './client.ts';
import type { AnswerOptions, Cluster } from './cluster.ts';
import type { BoardEntry, WebhookBoard } from './webhook-board.ts';
import { configurationFor } from './webhook-configuration.ts';
import type { AdmissionReview, Webhook, WebhookFunction } from './webhook.ts';

/** Functions as webhooks, on this board; their configurations are stored by this client. */
export function createWebhooks(board: WebhookBoard, client: Client): Pick<Cluster, 'webhook' | 'answer'> {
  const register = (name: string, answer: WebhookFunction, { configuration, faults = [] }: AnswerOptions): BoardEntry =>
    board.add({
      name,
      ...(configuration === undefined ? {} : { configuration }),
      does: [{ type: 'script', run: asReviewFunction(answer) }],
      faults,
    });
  return {
    webhook: async (name, { faults = [], ...options }, answer) => {
      const configuration = configurationFor(name, options);
      const fieldManager = `kadmit/${name}`;
      await client.apply(configuration, { fieldManager, force: true, fieldValidation: 'Strict' });
      const entry = register(name, answer, { configuration: configuration.metadata.name, faults });
      const remove = async (): Promise<void> => {
        entry.remove();
        await leave(configuration, fieldManager, client);
      };
      return webhookOf(name, entry, remove);
    },
    answer: (name, answer, options = {}) => {
      const entry = register(name, answer, options);
      return webhookOf(name, entry, async () => entry.remove());
    },
  };
}

const webhookOf = (name: string, { calls, setFaults }: BoardEntry, remove: Webhook['remove']): Webhook => ({
  name,
  // A review is what the server sent: it has this form.
  calls: () => calls().map(({ review }) => review as unknown as AdmissionReview),
  setFaults,
  remove,
});

const asReviewFunction =
  (answer: WebhookFunction): ReviewFunction =>
  (review) =>
    answer(review as unknown as AdmissionReview);

type Configuration = ReturnType<typeof configurationFor>;

/** Takes a webhook out of its configuration, and the last one with the configuration. */
async function leave(configuration: Configuration, fieldManager: string, client: Client): Promise<void> {
  const { apiVersion, kind, metadata } = configuration;
  const emptied: Emptied = { apiVersion, kind, metadata };
  const { webhooks = [] } = await client.apply(emptied, { fieldManager });
  if (webhooks.length === 0) await client.delete({ apiVersion, kind }, metadata);
}

type Emptied = Omit<Configuration, 'webhooks'> & Partial<Pick<Configuration, 'webhooks'>>;
