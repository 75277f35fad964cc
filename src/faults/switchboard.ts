import type { JsonObject } from '../apimachinery/json.ts';
import type { WebhookSpec } from './webhook-spec.ts';

/** The webhooks of one scenario: who answers which call, and what goes wrong with it. */
export interface Switchboard {
  readonly specs: () => readonly WebhookSpec[];
  /** The webhook that a call is for; undefined: nobody here answers it. */
  readonly find: (webhookName: string, configuration: string | undefined) => WebhookSpec | undefined;
  /** Replaces what a webhook does or what goes wrong with it, from the next call on. */
  readonly configure: (name: string, change: Partial<Pick<WebhookSpec, 'does' | 'faults' | 'to'>>) => void;
  /** Every call that arrived, in order. */
  readonly calls: () => readonly SwitchboardCall[];
}

export interface SwitchboardCall {
  readonly webhook: string;
  /** Milliseconds since 1970 on the world's clock. */
  readonly at: number;
  readonly review: JsonObject;
}
