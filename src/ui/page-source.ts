import type { JsonObject, JsonValue } from '../machinery/json/json.ts';
import type { FindingBadge } from '../explain/findings/digest.ts';
import type { ChainChoices, ChainDocument } from '../explain/trace/chain-document.ts';
import type { ConfigurationChange } from '../explain/trace/configuration-history.ts';
import type { Coverage } from '../explain/trace/coverage.ts';
import type { OrdersDocument } from '../explain/trace/permuted-request.ts';
import type { RequestBudget } from '../explain/trace/request-budget.ts';
import type { NumberedSummary } from '../explain/trace/trace-summary.ts';
import type { Trace } from '../explain/trace/trace.ts';

/** Where the page gets its traces: a running server, or the file it stands in. */
export interface PageSource {
  /** What the header says: where the traces come from. */
  readonly title: string;
  readonly isLive: boolean;
  /** Can values of Secrets be asked for? A file holds them, or it does not. */
  readonly canReveal: boolean;
  /** Where a trace file of a request can be had; absent in such a file. */
  readonly fileUrl?: (id: string, reveal: boolean) => string;
  readonly trace: (id: string, reveal: boolean) => Promise<Trace | undefined>;
  /** By id, of those requests that have findings graver than a note. */
  readonly marks: (ids: readonly string[]) => Promise<ReadonlyMap<string, FindingBadge>>;
  readonly coverage: () => Promise<Coverage>;
  /** Who changed which configuration, oldest first. */
  readonly configurations: () => Promise<readonly ConfigurationChange[]>;
  /** Absent where no request can be held. */
  readonly breaks?: BreaksSource;
  /** Absent where there is no server behind the traces. */
  readonly chain?: ChainSource;
  /** Reports requests, first those that exist; returns a function that ends it. */
  readonly listen: (ears: SourceListener) => () => void;
}

/** The chain as it is configured now, and where the backends of its webhooks are looked for. */
export interface ChainSource {
  /** null: the server shows a file, there is no chain. */
  readonly choices: () => Promise<ChainChoices | null>;
  /** The question of `POST /kadmit/v1/chain`. Rejects with what is wrong with it. */
  readonly ask: (question: JsonObject) => Promise<ChainDocument>;
  /** How long webhooks may hold up each kind of request, the worst first. */
  readonly budgets: () => Promise<readonly RequestBudget[]>;
  /** The request once more in every order of its mutating webhooks. Rejects with why it cannot be tried. */
  readonly orders: (id: string, reveal: boolean, gone: AbortSignal) => Promise<OrdersDocument>;
  readonly mappings: () => Promise<readonly WebhookMapping[]>;
  /** `{ set: 'FROM=URL' }` or `{ remove: 'FROM' }`. Resolves with what is wrong; '' when nothing is. */
  readonly map: (wish: JsonObject) => Promise<string>;
}

/** Where what a clientConfig names really listens. */
export interface WebhookMapping {
  readonly from: string;
  readonly url: string;
  /** Who listens there, as `kadmit run` says of what it started. */
  readonly program?: string;
}

/** The switches that hold requests at a webhook, and the requests they hold. */
export interface BreaksSource {
  /** null: the server shows a file, no request can be held. */
  readonly state: (reveal: boolean) => Promise<BreaksState | null>;
  /** `NAME` or `CONFIGURATION/NAME`, with `:before`, `:after` or `:both`. Resolves with what is wrong; '' when nothing is. */
  readonly switch: (to: 'on' | 'off', point: string) => Promise<string>;
  /** Lets a request go on, with another answer if one is given. Resolves with what is wrong; '' when nothing is. */
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
    /** With the patch as a list of operations, ready to be edited. */
    readonly response?: JsonObject;
    readonly error?: string;
  };
}

export interface SourceListener {
  /** Newer than all so far, oldest first. */
  readonly heard: (fresh: readonly NumberedSummary[]) => void;
  /** Older than all so far, newest first. */
  readonly heardOlder: (older: readonly NumberedSummary[]) => void;
  readonly connection: (state: ConnectionState) => void;
  readonly breaksChanged: () => void;
}

/** `lost`: the server answers no more, or it is another one with another token. */
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'file';
