import type { CallEnd } from './call-end.ts';

/** The milliseconds a 429 or 5xx asks to wait; undefined when it is not to be sent again. Follows client-go rest/with_retry.go. */
export function retryDelay(reply: {
  readonly code: number;
  readonly header: (name: string) => string | undefined;
}): number | undefined {
  if (reply.code !== 429 && reply.code < 500) return undefined;
  const seconds = reply.header('retry-after') ?? '';
  return /^[+-]?\d+$/.test(seconds) ? Math.max(0, Number(seconds) * 1000) : undefined;
}

/** Resolves after a while, or at once when the call is over. */
export function slept(milliseconds: number, end: CallEnd): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      end.tell(undefined);
      resolve();
    };
    const timer = setTimeout(done, Math.min(milliseconds, 2 ** 31 - 1));
    if (end.failure()) done();
    else end.tell(done);
  });
}
