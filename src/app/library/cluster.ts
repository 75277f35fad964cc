import type { Converter, ConverterFunction } from './converter.ts';
import type { Client } from './client.ts';
import type { Traces } from './traces.ts';
import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import type { Webhook, WebhookFunction, WebhookOptions } from './webhook.ts';

/** An API server with its admission chain: what a server and a world without sockets have in common. */
export interface Cluster {
  /** A client that is kubernetes-admin. */
  readonly client: Client;
  readonly traces: Traces;
  /**
   * Has a function answer for a webhook, and stores the configuration that has it called. Rejects with an ApiError when
   * the configuration is not valid; `name` needs three parts, as in `pods.example.com`.
   */
  readonly webhook: (name: string, options: WebhookOptions, answer: WebhookFunction) => Promise<Webhook>;
  /** Has a function answer for a webhook of a configuration that somebody else has stored; throws when none has it. */
  readonly answer: (name: string, answer: WebhookFunction, options?: AnswerOptions) => Webhook;
  /**
   * Has a function convert the objects of a stored CustomResourceDefinition between its versions. A definition whose
   * `spec.conversion` names no webhook is told to ask one. Rejects when there is no such definition.
   */
  readonly converter: (
    definition: string,
    convert: ConverterFunction,
    options?: { readonly faults?: readonly Fault[] },
  ) => Promise<Converter>;
  /** Stores manifests: files and folders by their paths, and objects. Rejects for the first that is refused. */
  readonly load: (...manifests: readonly Manifest[]) => Promise<void>;
  /** Waits until the controllers have done what the writes so far ask for. */
  readonly settle: () => Promise<void>;
  /** Everything is as it was right after the start: objects, webhooks, traces. */
  readonly reset: () => Promise<void>;
  /** Ends everything; nothing keeps the process afterwards. */
  readonly close: () => Promise<void>;
}

/** The path of a file or folder, or an object. */
export type Manifest = string | object;

export interface AnswerOptions {
  /** When several configurations have a webhook of this name. */
  readonly configuration?: string;
  readonly faults?: readonly Fault[];
}
