import { metadataOf } from '../../apimachinery/object.ts';
import { refuse } from '../../apimachinery/result.ts';
import { generateNameConflict } from '../../apimachinery/status.ts';
import { held } from '../exchange.ts';
import { runAttempt } from '../run-attempt.ts';
import type { Stage } from '../stage.ts';
import { objectOf } from './decode-body.ts';

const attempts = 8;

/**
 * A generated name that is taken gives way to another, with validation and validating admission anew, at most 8 times.
 * Follows apiserver pkg/registry/generic/registry/store.go (rule PATH-9).
 */
export const untilNamed = (stages: readonly Stage[]): Stage => ({
  name: 'until-named',
  run: async (exchange) => {
    const { name, generateName } = metadataOf(objectOf(exchange));
    const generates = (name ?? '') === '' && (generateName ?? '') !== '';
    let result = await runAttempt(stages, exchange);
    for (let attempt = 1; generates && isTaken(result) && attempt < attempts; attempt += 1) {
      exchange.journal.turn({ again: 'name-taken' });
      result = await runAttempt(stages, exchange);
    }
    if (!generates || !isTaken(result)) return result;
    const taken = result.ok ? '' : (result.status.details?.name ?? '');
    return refuse(generateNameConflict(held(exchange.target, 'target').resource, taken));
  },
});

const isTaken = (result: Awaited<ReturnType<typeof runAttempt>>): boolean =>
  !result.ok && result.status.reason === 'AlreadyExists';
