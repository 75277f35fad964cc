import type { WorldAnswer } from '../../testing/scenario/world.ts';
import { refusalIn } from '../../explain/trace/refused-by.ts';

/** Who refused a request: `policy no-latest`, `webhook a.example.com`, `the API server`. */
export function refusedBy({ trace }: Pick<WorldAnswer, 'trace'>): string {
  const decision = trace && refusalIn(trace);
  return decision === undefined ? 'the API server' : `${decision.type} ${decision.name}`;
}
