import type { Result } from '../../machinery/meta/result.ts';
import type { Exchange } from './exchange.ts';

/**
 * Runs one attempt to write, then finishes what it began elsewhere, such as an allocated address: it is kept only if the
 * object was stored. Follows apiserver pkg/registry/generic/registry/store.go finishCreate and finishUpdate.
 */
export async function runAttempt<T extends Result<unknown> | 'again'>(
  { progress }: Pick<Exchange, 'progress'>,
  attempt: () => Promise<T>,
): Promise<T> {
  let stored = false;
  try {
    const result = await attempt();
    stored = result !== 'again' && result.ok;
    return result;
  } finally {
    const { begun } = progress;
    Object.assign(progress, { begun: undefined });
    await begun?.finish(stored);
  }
}
