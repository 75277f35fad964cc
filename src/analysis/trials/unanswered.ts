import type { Trace } from '../../explain/trace/trace.ts';
import { turnId } from './turn-id.ts';

/** A mutating webhook that was called in vain, so that nothing can be said of what it does. */
export interface Unanswered {
  /** `CONFIGURATION/WEBHOOK`. */
  readonly webhook: string;
  readonly error: string;
}

/** The mutating webhooks that were called in vain, whether the request failed by it or not. */
export const unansweredIn = (trace: Trace | undefined): readonly Unanswered[] =>
  (trace?.admission ?? []).flatMap((one) =>
    one.type === 'webhook' && one.phase === 'mutating' && one.round === 0 && one.failurePhase !== undefined
      ? [{ webhook: turnId(one), error: one.failureDetail ?? one.error ?? '' }]
      : [],
  );
