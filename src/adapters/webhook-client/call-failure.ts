import { contextCanceledText, deadlineExceededText } from '../../apiserver/admission/webhooks/call-text.ts';
import type { CallPhase, ServerCertificate } from '../../apiserver/admission/webhooks/call.ts';
import type { FailureCause } from '../../apiserver/admission/webhooks/failure-cause.ts';

interface Known {
  readonly cause?: FailureCause;
  readonly certificate?: ServerCertificate | undefined;
}

/** A failed call: its phase, cause, and the error text of Go's network stack. */
export class CallFailure extends Error {
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
export const deadlineExceeded = (): CallFailure => new CallFailure('timeout', deadlineExceededText);

/** The client disconnected. Follows Go's context.Canceled. */
export const contextCanceled = (): CallFailure => new CallFailure('canceled', contextCanceledText);
