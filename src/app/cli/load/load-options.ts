import { kubeconfigFlag, outputFlag, switchFlag, readPeriod } from '../../../adapters/config/flags/common-flags.ts';
import { flagLines } from '../../../adapters/config/flags/flags.ts';
import type { Flag, FlagReading, FlagsOf } from '../../../adapters/config/flags/flags.ts';
import type { LoadWish } from '../../../testing/load/put-load.ts';
import { readMix } from '../../../testing/load/mix.ts';
import { readThreshold } from '../../../testing/load/threshold.ts';

export interface LoadOptions extends LoadWish {
  readonly kubeconfig: string;
  readonly output: 'text' | 'json' | 'yaml';
}

const number = (
  name: string,
  argument: string,
  help: string,
  { fallback, most }: { fallback: number; most: number },
): Flag<number> => ({
  name,
  argument,
  help,
  fallback,
  read: (texts): FlagReading<number> => {
    const value = Number(texts.at(-1));
    if (/^\d+(?:\.\d+)?$/.test(texts.at(-1) ?? '') && value > 0 && value <= most) return { outcome: 'read', value };
    return { outcome: 'wrong', problem: `is no number from above 0 to ${most}` };
  },
});

const whole = (flag: Flag<number>): Flag<number> => ({
  ...flag,
  read: (texts) => {
    const reading = flag.read(texts);
    return reading.outcome === 'read' && !Number.isInteger(reading.value)
      ? { outcome: 'wrong', problem: 'is no whole number' }
      : reading;
  },
});

/** The flags of `kadmit load`, in the order of its help. */
export const loadFlags: FlagsOf<LoadOptions> = {
  rate: number('rate', 'N', 'requests a second', { fallback: 20, most: 10_000 }),
  duration: {
    name: 'duration',
    argument: 'DURATION',
    help: 'for how long',
    fallback: 10_000,
    shownFallback: '10s',
    read: readPeriod,
  },
  concurrency: whole(
    number('concurrency', 'N', 'how many may be under way at the same time', { fallback: 16, most: 1000 }),
  ),
  mix: {
    name: 'mix',
    argument: 'SHARES',
    help: 'what is done, in shares; updates, patches and deletes are of what was created (create=2,update=1,patch=1,delete=1)',
    fallback: { create: 2, update: 1, patch: 1, delete: 1 },
    shownFallback: '',
    read: (texts) => {
      const reading = readMix(texts.at(-1) ?? '');
      return reading.outcome === 'read' ? { outcome: 'read', value: reading.mix } : reading;
    },
  },
  threshold: {
    name: 'threshold',
    argument: 'LIMIT',
    help: 'p99<200ms, create.p95<50ms, webhook:NAME.p99<100ms, errors<1%, rate>90%: exit code 1 when it is not kept to; repeatable',
    fallback: [],
    shownFallback: '',
    read: (texts) => {
      const readings = texts.flatMap((text) => text.split(',')).map(readThreshold);
      const wrong = readings.find((reading) => reading.outcome === 'wrong');
      if (wrong?.outcome === 'wrong') return wrong;
      return {
        outcome: 'read',
        value: readings.flatMap((reading) => (reading.outcome === 'read' ? [reading.threshold] : [])),
      };
    },
  },
  dryRun: switchFlag('dry-run', 'creates with dryRun=All alone: nothing is stored, every webhook is called'),
  seed: whole(number('seed', 'N', 'decides the order of the mix', { fallback: 1, most: Number.MAX_SAFE_INTEGER })),
  kubeconfig: kubeconfigFlag,
  output: outputFlag,
};

export const loadHelp = (): string =>
  [
    'usage: kadmit load MANIFEST... [FLAGS]',
    '',
    'Creates copies of these objects at a rate, updates, patches and deletes them, and says how long requests and webhooks took.',
    'What it has created it deletes at the end. Any server will do: kadmit, kind, a test cluster.',
    "example: kadmit load pod.yaml --rate 50 --duration 30s --threshold 'p99<200ms' --threshold 'errors<1%'",
    'Exit codes: 0 all thresholds are kept to, 1 one is not, 2 a file or a server that cannot be used.',
    '',
    ...flagLines(loadFlags),
  ].join('\n');
