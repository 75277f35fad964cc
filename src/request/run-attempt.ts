import type { Result } from '../apimachinery/result.ts';
import type { Exchange } from './exchange.ts';
import { runStages } from './stage.ts';
import type { Stage } from './stage.ts';

/**
 * Runs the stages of one attempt to write, and brings to its end what it has begun elsewhere, whatever came of it.
 * Follows apiserver pkg/registry/generic/registry/store.go finishCreate and finishUpdate.
 */
export async function runAttempt(stages: readonly Stage[], exchange: Exchange): Promise<Result<Exchange>> {
  let stored = false;
  try {
    const result = await runStages(stages, exchange);
    stored = result.ok;
    return result;
  } finally {
    const { begun } = exchange.progress;
    Object.assign(exchange.progress, { begun: undefined });
    await begun?.finish(stored);
  }
}
