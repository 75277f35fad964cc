import type { Order } from '../../explain/trace/permuted-request.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { turnId } from './turn-id.ts';

/**
 * The mutating webhooks among these that were not called: `stubbed` ones have no backend in the trial, and `--assume` answers for
 * others. Nothing is known of what they do.
 */
export function uncalledAmong(
  webhooks: Order,
  stubbed: ReadonlySet<string>,
  trace: Trace | undefined,
): readonly string[] {
  const assumed = new Set(
    (trace?.admission ?? []).flatMap((one) =>
      one.type === 'webhook' && one.phase === 'mutating' && one.assumed !== undefined ? [turnId(one)] : [],
    ),
  );
  return webhooks.filter((webhook) => stubbed.has(webhook) || assumed.has(webhook));
}
