import type { Difference } from '../../../testing/record-replay/compare.ts';
import type { Replayed } from '../../../testing/record-replay/replay-call.ts';

type Answered = Extract<Replayed, { readonly outcome: 'answered' }>;

/** What a replay came to, for people: the verdict first, then each part that differs. */
export function replayLines({ webhook, now, differences }: Answered, url: string): readonly string[] {
  const { name, configuration, phase, round, about, answeredBy } = webhook;
  const again = round === 1 ? ', second round' : '';
  return [
    `${differences.length === 0 ? 'same' : 'different'}: ${name} of ${configuration} (${phase}${again}) asked again at ${url} about ${about}`,
    ...(answeredBy === '' ? [] : [`the recorded answer was given by ${answeredBy} while the request was held`]),
    ...(differences.length === 0 ? [`answer: ${now.outcome}${now.error === '' ? '' : `: ${now.error}`}`] : []),
    ...differences.flatMap((difference) => ['', ...differenceLines(difference)]),
    ...(hasSameObject(differences) ? ['', 'the object comes out the same'] : []),
  ];
}

const titles: Readonly<Record<Difference['part'], string>> = {
  outcome: 'outcome',
  error: 'failure',
  status: 'what the client reads',
  patch: 'patch',
  object: 'object after the patch',
  warnings: 'warnings',
  auditAnnotations: 'audit annotations',
};

const differenceLines = ({ part, lines }: Difference): readonly string[] => [
  titles[part],
  ...lines.map(({ sign, text }) => `${sign} ${text}`),
];

const hasSameObject = (differences: readonly Difference[]): boolean =>
  differences.some(({ part }) => part === 'patch') && differences.every(({ part }) => part !== 'object');
