/** As in the spec of a Pod. */
export type RestartPolicy = 'Never' | 'OnFailure' | 'Always';

export const restartPolicies: readonly RestartPolicy[] = ['Never', 'OnFailure', 'Always'];

const firstMs = 10_000;
const longestMs = 300_000;
/** A program that ran this long has no back-off. */
const forgottenMs = 2 * longestMs;

/** Delay of the next start, and of the one after it. */
export interface BackOff {
  readonly delayMs: number;
  readonly nextMs: number;
}

/** Before the first end of a program. */
export const noBackOff: BackOff = { delayMs: 0, nextMs: 0 };

/**
 * The delay after a program has ended; undefined when it is not restarted. Follows kubernetes
 * pkg/kubelet/container/helpers.go ShouldContainerBeRestarted, pkg/kubelet/kuberuntime doBackOff and client-go
 * util/flowcontrol/backoff.go: at once, then 10 s, 20 s, up to 5 minutes.
 */
export function backOffAfter(
  { exitCode, ranMs }: { readonly exitCode: number; readonly ranMs: number },
  policy: RestartPolicy,
  { nextMs }: BackOff,
): BackOff | undefined {
  if (policy === 'Never' || (policy === 'OnFailure' && exitCode === 0)) return undefined;
  if (nextMs === 0 || ranMs > forgottenMs) return { delayMs: 0, nextMs: firstMs };
  return { delayMs: nextMs, nextMs: Math.min(nextMs * 2, longestMs) };
}
