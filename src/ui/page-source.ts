import type { NumberedSummary } from '../trace/trace-summary.ts';
import type { Trace } from '../trace/trace.ts';

/** Where the page gets its traces: a running server, or the file it stands in. */
export interface PageSource {
  /** What the header says: where the traces come from. */
  readonly title: string;
  readonly isLive: boolean;
  /** Can values of Secrets be asked for? A file holds them, or it does not. */
  readonly canReveal: boolean;
  readonly trace: (id: string, reveal: boolean) => Promise<Trace | undefined>;
  /** Every trace there is, oldest first. */
  readonly all: () => Promise<readonly Trace[]>;
  /** Tells of requests, first of all that are there; returns what ends it. */
  readonly listen: (ears: Ears) => () => void;
}

export interface Ears {
  readonly heard: (fresh: readonly NumberedSummary[]) => void;
  readonly connection: (state: Connection) => void;
  readonly breaksChanged: () => void;
}

/** `lost`: the server answers no more, or it is another one with another token. */
export type Connection = 'connecting' | 'live' | 'lost' | 'file';
