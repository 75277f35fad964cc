import { releaseNames } from '../../../machinery/meta/release-names.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import { readGoDuration } from '../../../machinery/go/go-duration.ts';
import { type Mapping, readMapping } from '../mapping.ts';
import { readGoBool } from '../../../machinery/go/strconv.ts';
import type { Flag, FlagReading } from './flags.ts';
import { readRelease } from '../../../api/release/load-release.ts';

type Texts = readonly string[];

const read = <Value>(value: Value): FlagReading<Value> => ({ outcome: 'read', value });
const wrong = (problem: string): { readonly outcome: 'wrong'; readonly problem: string } => ({
  outcome: 'wrong',
  problem,
});

/** Reads the last text that was given. */
const ofLast =
  <Value>(readText: (text: string) => FlagReading<Value>) =>
  (texts: Texts): FlagReading<Value> =>
    readText(texts.at(-1) ?? '');

const readTextFlag = ofLast((text) => read(text));

const readReleaseName = ofLast<string>((text) => {
  const problem = releaseProblem(text);
  return problem === undefined ? read(text) : wrong(problem);
});

export const readRepeated = (texts: Texts): FlagReading<readonly string[]> => read(texts);

/** Names of all comma-separated lists; `""` is an empty list. */
export const readNames = (texts: Texts): FlagReading<readonly string[]> =>
  read(texts.flatMap((text) => text.split(',')).flatMap((name) => (name.trim() === '' ? [] : [name.trim()])));

/** A port number from `lowest` (-1 or 0) up. */
export const readPort =
  (lowest: -1 | 0) =>
  (texts: Texts): FlagReading<number> => {
    const text = texts.at(-1) ?? '';
    const port = Number(text);
    if (/^(?:-1|\d{1,5})$/.test(text) && port >= lowest && port <= 65_535) return read(port);
    return wrong(`is not a port: give a number from ${lowest} to 65535`);
  };

export const readLevel = ofLast<number>((text) =>
  /^\d{1,3}$/.test(text) ? read(Number(text)) : wrong('is not a level: give a number from 0 up'),
);

/** The longest delay of Node's timers. */
const maxPeriodMs = 24 * 24 * 3_600_000;

/** Milliseconds of a non-negative Go duration. */
export const readPeriod = ofLast<number>((text) => {
  const milliseconds = readGoDuration(text);
  const isPeriod = milliseconds !== undefined && milliseconds >= 0 && milliseconds <= maxPeriodMs;
  return isPeriod ? read(milliseconds) : wrong('is not a duration: give one from 0 to 576h, such as 30m');
});

const readDuration = ofLast<number>((text) => {
  const milliseconds = readGoDuration(text);
  return milliseconds === undefined ? wrong('is not a duration: give one such as 30m') : read(milliseconds);
});

export const readNodeCount = ofLast<number>((text) => {
  const isCount = /^\d{1,4}$/.test(text) && Number(text) <= 1000;
  return isCount ? read(Number(text)) : wrong('is not a number of nodes: give one from 0 to 1000');
});

export const readSeed = ofLast<number>((text) => {
  const isSeed = /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));
  return isSeed ? read(Number(text)) : wrong('must be an integer');
});

export const readWhole = ofLast<number>((text) => {
  const isWhole = /^[+-]?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));
  return isWhole ? read(Number(text)) : wrong(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
});

const readBoolean = ofLast<boolean>((text) => {
  const parsed = readGoBool(text);
  return parsed === undefined ? wrong('is neither true nor false') : read(parsed);
});

export const readChoice =
  <Choice extends string>(choices: readonly Choice[]) =>
  (texts: Texts): FlagReading<Choice> => {
    const choice = choices.find((one) => one === texts.at(-1));
    const written = texts.at(-1) ?? '';
    return choice === undefined
      ? wrong(`is none of ${choices.join(', ')}${didYouMean(written, choices)}`)
      : read(choice);
  };

export function readMappings(texts: Texts): FlagReading<readonly Mapping[]> {
  const readings = texts.map(readMapping);
  const unreadable = readings.find((reading) => reading.outcome === 'wrong');
  if (unreadable?.outcome === 'wrong') return wrong(unreadable.problem);
  const mappings = readings.flatMap((reading) => (reading.outcome === 'read' ? [reading.mapping] : []));
  const names = mappings.map(({ from }) => from);
  return new Set(names).size < names.length ? wrong('is for one that is led somewhere already') : read(mappings);
}

/** `--assume NAME=allow|deny|ignore`: the assumed response of a webhook without a backend. */
interface Assumption {
  /** A webhook, a configuration, or `CONFIGURATION/WEBHOOK`; `*`: every webhook without a backend. */
  readonly webhook: string;
  readonly verdict: 'allow' | 'deny' | 'ignore';
}

/** `NAME=allow|deny|ignore`, comma-separated or repeated. */
export function readAssumptions(texts: Texts): FlagReading<readonly Assumption[]> {
  const readings = texts.flatMap((text) => text.split(',')).map(readAssumption);
  const assumptions = readings.filter((one) => one !== undefined);
  if (assumptions.length < readings.length) {
    return wrong(
      'is not NAME=allow, NAME=deny or NAME=ignore: give one such as injector.example.com=allow, or *=ignore',
    );
  }
  const names = assumptions.map(({ webhook }) => webhook);
  return new Set(names).size < names.length ? wrong('is for a webhook that has one already') : read(assumptions);
}

function readAssumption(text: string): Assumption | undefined {
  const { webhook, verdict } = /^(?<webhook>[^=]+)=(?<verdict>[^=]*)$/.exec(text.trim())?.groups ?? {};
  const known = (['allow', 'deny', 'ignore'] as const).find((one) => one === verdict);
  return webhook === undefined || known === undefined ? undefined : { webhook, verdict: known };
}

export const textFlag = (name: string, argument: string, help: string, fallback = ''): Flag<string> => ({
  name,
  argument,
  help,
  fallback,
  read: readTextFlag,
});

export const numberFlag = (
  name: string,
  argument: string,
  help: string,
  value: Pick<Flag<number>, 'fallback' | 'read'>,
): Flag<number> => ({ name, argument, help, ...value });

/** Milliseconds, perhaps negative: upstream/validate-options.ts checks the range. */
export const durationFlag = (
  name: string,
  help: string,
  value: Pick<Flag<number>, 'fallback' | 'shownFallback'> = { fallback: 0 },
): Flag<number> => ({ name, argument: 'DURATION', help, ...value, read: readDuration });

/** `--name=false` switches it off. */
export const switchFlag = (name: string, help: string, fallback = false): Flag<boolean> => ({
  name,
  argument: 'true|false',
  help,
  fallback,
  read: readBoolean,
  isSwitch: true,
});

export const repeatedFlag = (name: string, argument: string, help: string): Flag<readonly string[]> => ({
  name,
  argument,
  help: `${help}; repeatable`,
  fallback: [],
  read: readRepeated,
});

/** A flag of comma-separated names. */
export const namesFlag = (
  name: string,
  help: string,
  { argument = 'NAMES', fallback = [] }: Partial<Pick<Flag<readonly string[]>, 'argument' | 'fallback'>> = {},
): Flag<readonly string[]> => ({ name, argument, help, fallback, read: readNames });

/** A flag that takes one of these words. */
export const choiceFlag = <Choice extends string>(
  name: string,
  choices: readonly Choice[],
  help: string,
  fallback: Choice,
): Flag<Choice> => ({ name, argument: choices.join('|'), help, fallback, read: readChoice(choices) });

export const kubeconfigFlag: Flag<string> = textFlag(
  'kubeconfig',
  'FILE',
  'kubeconfig of the server to use',
  '.kadmit/kubeconfig',
);

/** `-n`, which otherwise is the namespace of the kubeconfig. */
export const namespaceFlag = (help: string): Flag<string> => ({
  ...textFlag('namespace', 'NAMESPACE', help),
  short: 'n',
});

/** `-f`, as kubectl has it. */
export const manifestsFlag = (help: string): Flag<readonly string[]> => ({
  ...repeatedFlag('filename', 'FILE', help),
  short: 'f',
});

const outputs = ['text', 'json', 'yaml'] as const;

export const outputFlag: Flag<(typeof outputs)[number]> = {
  ...choiceFlag('output', outputs, 'output format', 'text'),
  short: 'o',
};

export const kubernetesVersionFlag: Flag<string> = {
  name: 'kubernetes-version',
  argument: 'RELEASE',
  help: `the release of Kubernetes to follow: one of ${releaseNames.join(', ')}, or with its patch number`,
  fallback: '',
  read: readReleaseName,
};

/** Why the text names no supported release of Kubernetes; undefined: it does. */
export function releaseProblem(text: string): string | undefined {
  const reading = readRelease(text);
  return reading.outcome === 'known' ? undefined : reading.problem;
}
