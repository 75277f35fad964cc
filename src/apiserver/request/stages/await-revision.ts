import { goQuote } from '../../../machinery/meta/field-error.ts';
import { parseUint64 } from '../../../machinery/go/strconv.ts';
import { failure, plainError, type Status } from '../../../machinery/meta/status.ts';
import type { ApiRequest } from '../api-request.ts';
import type { HandlerDeps } from '../handler-deps.ts';

/** Polling interval. */
const pollIntervalMs = 50;

/** False after `timeoutMs`. Follows apiserver pkg/storage/cacher/watch_cache.go waitUntilFreshAndBlock. */
export async function awaitRevision(
  { clock, cluster }: Pick<HandlerDeps, 'clock' | 'cluster'>,
  wanted: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const until = clock.now() + timeoutMs;
  while (wanted > cluster.revision() && !signal.aborted) {
    const remainingMs = until - clock.now();
    if (remainingMs <= 0) return false;
    await clock.sleep(Math.min(pollIntervalMs, remainingMs), signal);
  }
  return wanted <= cluster.revision();
}

export const revisionWaitMs = 3000;

/**
 * Undefined when the requested revision is available. Follows apiserver pkg/storage/cacher/cacher.go Get and
 * pkg/storage/api_object_versioner.go ParseResourceVersion.
 */
export async function freshnessRefusal(
  deps: Pick<HandlerDeps, 'clock' | 'cluster'>,
  { query, signal }: Pick<ApiRequest, 'query' | 'signal'>,
): Promise<Status | undefined> {
  const requested = query.get('resourceVersion') ?? '';
  if (requested === '') return undefined;
  const requiredRevision = parseUint64(requested);
  if (requiredRevision.outcome === 'unparsable') {
    return plainError(`resourceVersion: Invalid value: ${goQuote(requested)}: ${requiredRevision.error}`);
  }
  if (requiredRevision.value <= deps.cluster.revision()) return undefined;
  const reached = await awaitRevision(deps, requiredRevision.value, revisionWaitMs, signal());
  return reached ? undefined : revisionTooLarge(requested, deps.cluster.revision());
}

/** `wanted` as text: it may have 64 bits. Follows apiserver pkg/storage/errors.go NewTooLargeResourceVersionError. */
export const revisionTooLarge = (wanted: string, current: number): ReturnType<typeof failure> =>
  failure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${BigInt(wanted)}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
