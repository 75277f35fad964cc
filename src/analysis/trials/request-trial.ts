import type { Callee } from '../../apiserver/admission/chain/reinvocation.ts';
import type { Order } from '../../explain/trace/permuted-request.ts';
import type { WorldAnswer } from '../../testing/scenario/world.ts';

/** The webhooks to call, by `CONFIGURATION/WEBHOOK`. */
export type Callees = ReadonlyMap<string, Callee>;

export interface RequestTrial {
  /** Sends a dry run with this order; undefined: the default order. */
  readonly attempt: (order?: Order) => Promise<WorldAnswer | undefined>;
  readonly callees: Callees;
  /** Webhooks replaced by stubs, `CONFIGURATION/WEBHOOK`. */
  readonly stubbed: ReadonlySet<string>;
  /** Random orders, where there are too many to try all. */
  readonly samples: number;
  readonly seed: number;
  /** Up to this number all orders are tried; default: 720, those of six. */
  readonly most?: number;
}
