import type { JsonObject } from '../../machinery/json/json.ts';
import type { Plan } from './plan.ts';
import type { WebhookSpec } from './webhook-spec.ts';

/** The webhooks of one scenario: who answers which call, and what goes wrong with it. */
export interface Switchboard {
  readonly specs: () => readonly WebhookSpec[];
  /** The webhook that a call is for; undefined: nobody here answers it. */
  readonly find: (webhookName: string, configuration: string | undefined) => WebhookSpec | undefined;
  /**
   * Replaces what a webhook does or what goes wrong with it, from the next call on. New faults count the calls from 1
   * again. `name` is the webhook's, or `CONFIGURATION/NAME` when several have it. Throws when there is none.
   */
  readonly configure: (name: string, change: WebhookChange) => void;
  /** Counts and remembers a call, and says what becomes of it; undefined: nobody here answers it. */
  readonly receive: (arrival: Arrival) => Turn | undefined;
  /** What the next call of a webhook comes to, as far as that can be said without its namespace. */
  readonly upcoming: (webhookName: string, configuration: string | undefined) => Plan | undefined;
  /** The last 10,000 calls that arrived, in order; also those that a fault kept from being answered. */
  readonly calls: () => readonly SwitchboardCall[];
}

export type WebhookChange = Partial<Pick<WebhookSpec, 'does' | 'faults' | 'to'>>;

/** A call as it comes in. */
export interface Arrival extends Omit<SwitchboardCall, 'configuration'> {
  readonly configuration: string | undefined;
}

/** What becomes of one call. */
export interface Turn {
  readonly spec: WebhookSpec;
  readonly plan: Plan;
}

export interface SwitchboardCall {
  readonly webhook: string;
  /** Absent when the caller does not know it. */
  readonly configuration?: string;
  /** Milliseconds since 1970 on the world's clock. */
  readonly at: number;
  readonly review: JsonObject;
}
