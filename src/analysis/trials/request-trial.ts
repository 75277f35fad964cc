import type { Callee } from '../../apiserver/admission/chain/reinvocation.ts';
import type { Order } from '../../explain/trace/permuted-request.ts';
import type { WorldAnswer } from '../../testing/scenario/world.ts';

/** How webhooks are called again, by `CONFIGURATION/WEBHOOK`. */
export type Callees = ReadonlyMap<string, Callee>;

/** One request that can be tried in any order. */
export interface RequestTrial {
  /** Sends it as a dry run, asking these in this order; undefined: all, as they are in force. */
  readonly attempt: (order?: Order) => Promise<WorldAnswer | undefined>;
  readonly callees: Callees;
  /** Webhooks that a stub stands for, `CONFIGURATION/WEBHOOK`. */
  readonly stubbed: ReadonlySet<string>;
  /** Orders drawn by chance where there are too many to try all. */
  readonly samples: number;
  readonly seed: number;
  /** Of so many orders all are tried; 720, those of six, unless said. */
  readonly most?: number;
}
