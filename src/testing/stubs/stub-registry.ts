import type { JsonObject } from '../../machinery/json/json.ts';
import type { StubPlan } from './plan.ts';
import type { WebhookSpec } from './webhook-spec.ts';

export interface StubRegistry {
  readonly specs: () => readonly WebhookSpec[];
  /** undefined: no stub for this call. */
  readonly find: (webhookName: string, configuration: string | undefined) => WebhookSpec | undefined;
  /**
   * Changes behaviour or faults from the next call on. New faults count calls from 1. `name` is NAME or `CONFIGURATION/NAME`. Throws for an
   * unknown name.
   */
  readonly configure: (name: string, change: WebhookChange) => void;
  /** Records a call and plans its outcome; undefined: no stub for this call. */
  readonly receive: (arrival: IncomingCall) => PlannedResponse | undefined;
  /** The plan of the next call, as far as it does not depend on a namespace. */
  readonly planOf: (webhookName: string, configuration: string | undefined) => StubPlan | undefined;
  /** The last 10,000 calls in order, including those that a fault prevented. */
  readonly calls: () => readonly ReceivedCall[];
  /** A call of a process at `to` that got no response. */
  readonly reportUnanswered: (call: UnansweredCall) => void;
  /** The first 2,000 of them. */
  readonly unanswered: () => readonly UnansweredCall[];
}

export interface UnansweredCall {
  readonly webhook: string;
  /** Absent when the caller has none. */
  readonly configuration?: string;
  /** URL of the process. */
  readonly to: string;
  /** Go's text: `dial tcp 127.0.0.1:8400: connect: connection refused`. */
  readonly error: string;
}

export type WebhookChange = Partial<Pick<WebhookSpec, 'does' | 'faults' | 'to'>>;

export interface IncomingCall extends Omit<ReceivedCall, 'configuration'> {
  readonly configuration: string | undefined;
}

export interface PlannedResponse {
  readonly spec: WebhookSpec;
  readonly plan: StubPlan;
}

export interface ReceivedCall {
  readonly webhook: string;
  /** Absent when the caller has none. */
  readonly configuration?: string;
  /** Milliseconds since 1970 on the world's clock. */
  readonly at: number;
  readonly review: JsonObject;
}
