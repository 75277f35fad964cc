import type { Converter, ConverterFunction } from './register-function.ts';
import type { Client } from './client.ts';
import type { Traces } from './traces.ts';
import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import type { Webhook, WebhookFunction, WebhookOptions } from './webhook.ts';

/** What servers and worlds have in common. */
export interface Cluster {
  /** As kubernetes-admin. */
  readonly client: Client;
  readonly traces: Traces;
  /**
   * Registers a function as a webhook and stores its configuration. Rejects with ApiError when that is invalid; `name` needs
   * three parts, as in `pods.example.com`.
   */
  readonly webhook: (name: string, options: WebhookOptions, answer: WebhookFunction) => Promise<Webhook>;
  /** Registers a function for a webhook of a stored configuration; throws when there is none. */
  readonly answer: (name: string, answer: WebhookFunction, options?: AnswerOptions) => Webhook;
  /**
   * Registers a function as the converter of a stored CustomResourceDefinition, and sets its `spec.conversion` unless that
   * names a webhook. Rejects when there is no such definition.
   */
  readonly converter: (
    definition: string,
    convert: ConverterFunction,
    options?: { readonly faults?: readonly Fault[] },
  ) => Promise<Converter>;
  /** Stores manifests: paths of files and folders, and objects. Rejects for the first refused one. */
  readonly load: (...manifests: readonly Manifest[]) => Promise<void>;
  /** Waits until the controllers have processed all writes so far. */
  readonly settle: () => Promise<void>;
  /** Restores the state after the start: objects, webhooks, traces. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The path of a file or folder, or an object. */
export type Manifest = string | object;

export interface AnswerOptions {
  /** Required when several configurations have a webhook of this name. */
  readonly configuration?: string;
  readonly faults?: readonly Fault[];
}
