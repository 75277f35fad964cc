import { contextCanceledText, deadlineExceededText } from '../../apiserver/admission/webhooks/call-text.ts';
import type { CallPhase, ServerCertificate } from '../../apiserver/admission/webhooks/call.ts';
import type { FailureCause } from '../../apiserver/admission/webhooks/failure-cause.ts';

/** What is known besides how far it got. */
interface Known {
  readonly cause?: FailureCause;
  /** Of a certificate that was refused: what it says. */
  readonly certificate?: ServerCertificate | undefined;
}

/** A call that failed: how far it got, why, and the same in the words of Go's network stack. */
export class CallFailure extends Error {
  readonly phase: CallPhase;
  readonly known: Known;
  /** The headers of the response had arrived. */
  readonly readingBody: boolean;
  constructor(phase: CallPhase, text: string, known: Known = {}, readingBody = phase === 'body') {
    super(text);
    this.phase = phase;
    this.known = known;
    this.readingBody = readingBody;
  }
}

/** The timeout of the webhook or of the request is over. Follows Go's context.DeadlineExceeded (rule FAIL-4). */
export const deadlineExceeded = (): CallFailure => new CallFailure('timeout', deadlineExceededText);

/** The client has gone. Follows Go's context.Canceled. */
export const contextCanceled = (): CallFailure => new CallFailure('canceled', contextCanceledText);
