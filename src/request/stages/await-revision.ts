import { failure } from '../../apimachinery/status.ts';
import type { Rooms } from '../rooms.ts';

/** How often a waiting reader looks. */
const lookEveryMs = 50;

/**
 * Waits until the store has reached that revision, or so long; whether it has.
 * Follows apiserver pkg/storage/cacher/watch_cache.go waitUntilFreshAndBlock.
 */
export async function awaitRevision(
  { clock, cluster }: Rooms,
  wanted: number,
  patienceMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const until = clock.now() + patienceMs;
  while (wanted > cluster.revision() && !signal.aborted) {
    const left = until - clock.now();
    if (left <= 0) return false;
    await clock.sleep(Math.min(lookEveryMs, left), signal);
  }
  return wanted <= cluster.revision();
}

/** `wanted` as it was asked for, since it may have 64 bits. Follows apiserver pkg/storage/errors.go NewTooLargeResourceVersionError. */
export const tooLarge = (wanted: string, current: number): ReturnType<typeof failure> =>
  failure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${BigInt(wanted)}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
