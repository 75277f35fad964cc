import type { TracedDecision } from '../trace/trace.ts';

type Turn = Pick<TracedDecision, 'phase' | 'round' | 'attempt' | 'object' | 'again'>;

/** What one pass of admission was: `Mutating, second round`, `Validating, of web, again: another write came first`. */
export function turnTitle({ phase, round, object, again, attempt = 0 }: Turn): string {
  const parts = [phase === 'mutating' ? 'Mutating' : 'Validating'];
  if (round === 1) parts.push('second round');
  if (object !== undefined) parts.push(`of ${object}`);
  if (again !== undefined) parts.push(`again: ${againWords(again)}`);
  // Traces of before do not say why.
  else if (object === undefined && attempt > 0) parts.push('again');
  return parts.join(', ');
}

/** Why a request was admitted once more. */
export const againWords = (again: NonNullable<Turn['again']>): string => reasons[again];

const reasons = {
  'another-write': 'another write came first',
  removal: 'what was marked as being deleted is removed',
  'name-taken': 'the generated name was taken',
} as const;
