import {
  type CallPhase,
  contextCanceledText,
  deadlineExceededText,
  type ServerCertificate,
  type WebhookCall,
  type FailureCause,
} from '../../apiserver/admission/webhooks/call.ts';

interface Known {
  readonly cause?: FailureCause;
  readonly certificate?: ServerCertificate | undefined;
}

/** A failed call: its phase, cause, and the error text of Go's network stack. */
export class WebhookCallError extends Error {
  readonly phase: CallPhase;
  readonly known: Known;
  /** The response headers had arrived. */
  readonly readingBody: boolean;
  constructor(phase: CallPhase, text: string, known: Known = {}, readingBody = phase === 'body') {
    super(text);
    this.phase = phase;
    this.known = known;
    this.readingBody = readingBody;
  }
}

/** The webhook's or the request's timeout. Follows Go's context.DeadlineExceeded (rule FAIL-4). */
const deadlineExceeded = (): WebhookCallError => new WebhookCallError('timeout', deadlineExceededText);

/** The client disconnected. Follows Go's context.Canceled. */
const contextCanceled = (): WebhookCallError => new WebhookCallError('canceled', contextCanceledText);

/** Aborts with a WebhookCallError as its reason. */
export interface CallDeadline {
  readonly signal: AbortSignal;
  /** Rejects with the signal's reason. */
  readonly over: Promise<never>;
  readonly stop: () => void;
}

export function startDeadline({ timeoutMs, signal: client }: Pick<WebhookCall, 'timeoutMs' | 'signal'>): CallDeadline {
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

/**
 * Runs `end` after Node processed the bytes it read. Ending two HTTP/2 streams or a session earlier makes Node use
 * freed memory (nodejs/node#64113, nodejs/node#64850).
 */
export const afterReading = (end: () => void): void => void setImmediate(end);
