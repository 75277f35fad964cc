import { ConfigError } from '../../../adapters/config/config-error.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { longestTraceFile } from '../../../explain/trace/trace-file.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { readBoundedFile } from '../../../machinery/files/bounded-file.ts';
import { bigintAsText } from '../../../machinery/json/bigint-replacer.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import type { Difference } from '../../../testing/record-replay/compare.ts';
import type { RecordedCall } from '../../../testing/record-replay/pick-call.ts';
import type { Replayed } from '../../../testing/record-replay/replay-call.ts';
import type { Destination } from '../../../testing/record-replay/send-review.ts';
import type { Parts } from '../command.ts';
import { fetchTrace } from '../explain/fetch-trace.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { structured } from '../terminal/structured.ts';
import { replayFlags, replayHelp } from './replay-options.ts';
import type { ReplayOptions } from './replay-options.ts';

/** `kadmit replay ID|last --to URL`: asks a webhook again what a trace says it was asked, and compares the answers. */
export async function replay(
  args: readonly string[],
  io: Io,
  { readYaml, createWorlds }: Pick<Parts, 'readYaml' | 'createWorlds'>,
): Promise<number> {
  if (args.some((arg) => /^--(?:audit-log|dump)(?:=|$)/.test(arg))) {
    return (await import('./replay-log.ts')).replayLog(args, io, { createWorlds });
  }
  const parsed = parseFlags(replayFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(replayHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'replay', parsed.problem);
  const { options, rest } = parsed;
  const problem = usageProblem(options, rest);
  if (problem !== undefined) return usageError(io, 'replay', problem);
  try {
    const destination = destinationOf(options);
    const call = await recordedCall(options, rest[0] ?? 'last');
    const { replayCall } = await import('../../../testing/record-replay/replay-call.ts');
    return print(await replayCall(call, destination, readYaml), options, io);
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'replay', error.message);
    throw error;
  }
}

function usageProblem({ to, from, ca, insecure }: ReplayOptions, rest: readonly string[]): string | undefined {
  if (rest.length > 1) return `${JSON.stringify(rest[1])} is one argument too many`;
  if (from !== '' && rest.length > 0) return `${JSON.stringify(rest[0])} and --from: give one of them`;
  if (from === '' && rest.length === 0) return 'which request? kadmit replay ID|last --to URL, or --from FILE';
  if (to === '') return 'where does the webhook listen now? --to URL';
  if (!/^https?:\/\//.test(to) || !URL.canParse(to)) {
    return `--to ${JSON.stringify(to)} is no URL: give one such as https://127.0.0.1:8443/mutate`;
  }
  return insecure && ca !== '' ? '--insecure and --ca: give one of them' : undefined;
}

const destinationOf = ({ to, ca, insecure, timeout }: ReplayOptions): Destination => ({
  url: new URL(to),
  ca: ca === '' ? '' : readFile('--ca', ca),
  insecure,
  timeoutMs: timeout * 1000,
});

function readFile(flag: string, path: string): string {
  try {
    return readBoundedFile(path, longestTraceFile);
  } catch (error) {
    throw new ConfigError(`${flag} ${path} cannot be read: ${errorText(error)}`);
  }
}

async function recordedCall(options: ReplayOptions, id: string): Promise<RecordedCall> {
  const { from, kubeconfig, webhook, round } = options;
  const text = from === '' ? await fetchTrace(await readKubeconfig(kubeconfig), id) : readFile('--from', from);
  const { pickCall } = await import('../../../testing/record-replay/pick-call.ts');
  const picked = pickCall(readTrace(text, from), { webhook, round: round === '1' ? 1 : 0 });
  if (picked.outcome === 'undecided') throw new ConfigError(picked.problem);
  return picked.call;
}

function readTrace(text: string, file: string): Trace {
  const trace = parsed(text);
  if (isTrace(trace)) return trace;
  throw new ConfigError(
    file === ''
      ? 'the server answered with something else than a trace'
      : `--from ${file} is no trace: give what kadmit explain ID -o json prints`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isTrace = (value: unknown): value is Trace =>
  isJsonObject(value) && value['traceVersion'] === 1 && Array.isArray(value['admission']);

async function print(replayed: Replayed, { to, ca, insecure, output }: ReplayOptions, io: Io): Promise<number> {
  if (replayed.outcome === 'unreachable') {
    const { phase, error } = replayed;
    const advice =
      phase === 'tls' && ca === '' && !insecure && error.includes('certificate')
        ? '; --ca FILE names its authority, --insecure takes any'
        : '';
    return usageError(io, 'replay', `${to} did not answer (${phase}): ${error}${advice}`);
  }
  if (output === 'text') io.out(replayLines(replayed, to).join('\n'));
  else io.out(await structured(output, JSON.stringify(replayed, bigintAsText, 2)));
  return replayed.differences.length === 0 ? exitCodes.fine : exitCodes.failed;
}

type Answered = Extract<Replayed, { readonly outcome: 'answered' }>;

/** What a replay came to, for people: the verdict first, then each part that differs. */
function replayLines({ webhook, now, differences }: Answered, url: string): readonly string[] {
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
