import type { WebhookCall } from '../admission/webhooks/call.ts';
import { contextCanceled, deadlineExceeded } from './call-failure.ts';
import type { CallFailure } from './call-failure.ts';

/** When a call is over, whether its answer has come or not. An AbortController for each would cost more than its timer. */
export interface CallEnd {
  /** Why it is over; undefined as long as it may go on. */
  readonly failure: () => CallFailure | undefined;
  /** Whom to tell when it is over, one at a time; undefined: nobody any more. */
  readonly tell: (listener: ((why: CallFailure) => void) | undefined) => void;
}

export interface CallTimer {
  readonly end: CallEnd;
  readonly stop: () => void;
}

/** The call is over when its time is, or when its client has gone. */
export function startTimer({ timeoutMs, signal }: Pick<WebhookCall, 'timeoutMs' | 'signal'>): CallTimer {
  let failure: CallFailure | undefined;
  let listener: ((why: CallFailure) => void) | undefined;
  const finish = (why: CallFailure): void => {
    if (failure) return;
    failure = why;
    listener?.(why);
  };
  const leave = (): void => finish(contextCanceled());
  const timer = setTimeout(() => finish(deadlineExceeded()), Math.max(0, timeoutMs));
  if (timeoutMs <= 0) finish(deadlineExceeded());
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave);
  return {
    end: {
      failure: () => failure,
      tell: (next) => {
        listener = next;
      },
    },
    stop: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    },
  };
}
