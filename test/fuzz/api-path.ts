import type { RandomChoices } from '../harness/random-choices.ts';
import { names, oddTexts } from '../harness/hostile-value.ts';

const parameters = {
  dryRun: ['All', 'None'],
  fieldManager: ['m', 'kubectl'],
  fieldValidation: ['Strict', 'Ignore', 'Warn'],
  force: ['true', 'false', '1'],
  timeout: ['1s', '34s', '10ms', '0', '99999999h'],
  pretty: ['true', '1'],
  gracePeriodSeconds: ['0', '1', '-1', '9223372036854775808'],
  propagationPolicy: ['Foreground', 'Orphan', 'Background'],
} as const;

/** Options of writes, seldom odd ones. */
export function generateWriteQuery(random: RandomChoices): string {
  const query = new URLSearchParams();
  while (random.chance(0.3)) {
    const name = random.pick([
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'force',
      'timeout',
      'pretty',
      'gracePeriodSeconds',
      'propagationPolicy',
    ]);
    query.append(
      name,
      random.chance(0.85) ? random.pick<readonly [string, ...string[]]>(parameters[name]) : random.pick(oddTexts),
    );
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

export const pickName = (random: RandomChoices): string => random.pick(names);
