import type { WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import { contextCanceled, deadlineExceeded } from './call-failure.ts';
import { afterReading } from './connection-pool.ts';

/** Aborts with a CallFailure as its reason. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects with the signal's reason. */
  readonly over: Promise<never>;
  readonly stop: () => void;
}

export function startDeadline({ timeoutMs, signal: client }: Pick<WebhookCall, 'timeoutMs' | 'signal'>): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  // A call may end between two requests.
  over.catch(() => undefined);
  const leave = (): void => afterReading(() => controller.abort(contextCanceled()));
  const timer = setTimeout(() => controller.abort(deadlineExceeded()), Math.max(0, timeoutMs));
  if (timeoutMs <= 0) controller.abort(deadlineExceeded());
  if (client?.aborted) controller.abort(contextCanceled());
  client?.addEventListener('abort', leave);
  return {
    signal,
    over,
    stop: () => {
      clearTimeout(timer);
      client?.removeEventListener('abort', leave);
    },
  };
}
