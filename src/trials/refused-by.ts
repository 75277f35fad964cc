import type { WorldAnswer } from '../scenario/world.ts';

/** Who refused a request: `policy no-latest`, `webhook a.example.com`, `the API server`. */
export function refusedBy({ trace }: Pick<WorldAnswer, 'trace'>): string {
  const decision = (trace?.admission ?? []).find(
    ({ outcome }) => outcome === 'denied' || outcome === 'failed-closed' || outcome === 'refused',
  );
  return decision === undefined ? 'the API server' : `${decision.type} ${decision.name}`;
}
