import type { JsonObject, JsonValue } from '../machinery/json/json.ts';
import type { Digest } from '../explain/render/digest.ts';
import type { ChainChoices, ChainDocument } from '../explain/trace/chain-document.ts';
import type { ConfigurationChange } from '../explain/trace/configuration-history.ts';
import type { Coverage } from '../explain/trace/coverage.ts';
import type { OrdersDocument, OrdersProgress } from '../explain/trace/permuted-request.ts';
import type { RequestBudget } from '../explain/trace/request-budget.ts';
import type { NumberedSummary } from '../explain/trace/trace-summary.ts';
import type { Trace } from '../explain/trace/trace.ts';

/** The source of traces: a running server, or the page's own file. */
export interface PageSource {
  /** The source's name in the header. */
  readonly title: string;
  readonly isLive: boolean;
  /** Whether values of Secrets can be revealed. */
  readonly canReveal: boolean;
  /** The URL of a trace file; absent in such a file. */
  readonly fileUrl?: (id: string, reveal: boolean) => string;
  readonly trace: (id: string, reveal: boolean) => Promise<Trace | undefined>;
  /** By id. */
  readonly digests: (ids: readonly string[]) => Promise<ReadonlyMap<string, Digest>>;
  readonly coverage: () => Promise<Coverage>;
  /** Oldest first. */
  readonly configurations: () => Promise<readonly ConfigurationChange[]>;
  /** Absent for a file. */
  readonly breaks?: BreaksSource;
  /** Absent for a file. */
  readonly chain?: ChainSource;
  /** Reports requests, first the existing ones; returns a function that ends it. */
  readonly listen: (listener: SourceListener) => () => void;
}

/** The present chain, and the addresses of webhooks. */
export interface ChainSource {
  /** null: the server shows a file. */
  readonly choices: () => Promise<ChainChoices | null>;
  /** `POST /kadmit/v1/chain`. Rejects with an Error for an invalid question. */
  readonly chainOf: (question: JsonObject) => Promise<ChainDocument>;
  /** The time that webhooks may take for each kind of request, the worst first. */
  readonly budgets: () => Promise<readonly RequestBudget[]>;
  /** Repeats the request with its mutating webhooks in every order. Rejects when it cannot. */
  readonly orders: (id: string, reveal: boolean, gone: AbortSignal) => Promise<OrdersDocument>;
  /** Of the current trial. */
  readonly ordersProgress: () => Promise<OrdersProgress>;
  readonly mappings: () => Promise<readonly WebhookMapping[]>;
  /** `{ set: 'FROM=URL' }` or `{ remove: 'FROM' }`. Resolves with the problem, '' for none. */
  readonly map: (change: JsonObject) => Promise<string>;
}

/** The address of a Service or host of webhooks. */
export interface WebhookMapping {
  readonly from: string;
  readonly url: string;
  /** The description of the program, from `kadmit run`. */
  readonly program?: string;
}

/** Breakpoints at webhooks, and the requests paused there. */
export interface BreaksSource {
  /** null: the server shows a file. */
  readonly state: (reveal: boolean) => Promise<BreaksState | null>;
  /** `NAME` or `CONFIGURATION/NAME`, with `:before`, `:after` or `:both`. Resolves with the problem, '' for none. */
  readonly switch: (to: 'on' | 'off', point: string) => Promise<string>;
  /** Continues a request, optionally with another response. Resolves with the problem, '' for none. */
  readonly resume: (id: string, action: JsonObject) => Promise<string>;
}

export interface BreaksState {
  readonly breaks: readonly { readonly webhook: string; readonly moment: 'before' | 'after' }[];
  readonly held: readonly HeldRequest[];
}

export interface HeldRequest {
  readonly id: string;
  readonly moment: 'before' | 'after';
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly configuration: string;
  readonly webhook: string;
  readonly phase: string;
  readonly review: JsonObject;
  readonly answer?: {
    readonly outcome: string;
    readonly code?: number;
    readonly body?: JsonValue;
    /** With the patch as a list of operations, for editing. */
    readonly response?: JsonObject;
    readonly error?: string;
  };
}

export interface SourceListener {
  /** Newer than all so far, oldest first. */
  readonly onRequests: (fresh: readonly NumberedSummary[]) => void;
  /** Older than all so far, newest first. */
  readonly onOlderRequests: (older: readonly NumberedSummary[]) => void;
  readonly connection: (state: ConnectionState) => void;
  readonly breaksChanged: () => void;
}

/** `lost`: the server does not respond, or it is another one with another token. */
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'file';
