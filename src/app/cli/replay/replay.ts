import { ConfigError } from '../../../adapters/config/config-error.ts';
import { choiceFlag, outputFlag, switchFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagReading } from '../../../adapters/config/flags/flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { readFlagFile } from '../../../adapters/config/read-files.ts';
import { maxTraceFileBytes } from '../../../adapters/traces/trace-file.ts';
import { type Trace, isTrace } from '../../../explain/trace/trace.ts';
import type { VerdictDifference, Replayed } from '../../../testing/record-replay/replay-call.ts';
import type { RecordedCall } from '../../../testing/record-replay/pick-call.ts';
import type { Destination } from '../../../testing/record-replay/send-review.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { fetchTrace } from '../explain/trace-source.ts';
import { exitCodes, type Io, printDocument } from '../terminal/io.ts';

const timeoutFlag: Flag<number> = {
  name: 'timeout',
  argument: 'SECONDS',
  help: 'timeout of the response; 0 is none, for a webhook in a debugger',
  fallback: 30,
  read: readSeconds,
};

const flags = {
  to: textFlag('to', 'URL', 'URL of the webhook, with its path'),
  webhook: textFlag('webhook', 'NAME', 'which of several webhooks; CONFIGURATION/NAME when two share the name'),
  round: choiceFlag<'0' | '1'>('round', ['0', '1'], 'which call of a webhook that was reinvoked', '0'),
  from: textFlag('from', 'FILE', 'trace as JSON (kadmit explain -o json) instead of one of the server'),
  kubeconfig: textFlag('kubeconfig', 'FILE', 'kubeconfig of the server with the trace', '.kadmit/kubeconfig'),
  ca: textFlag('ca', 'FILE', 'CA certificates (PEM) for the webhook'),
  insecure: switchFlag('insecure', 'accept any certificate'),
  timeout: timeoutFlag,
  output: outputFlag,
};
type Options = OptionsOf<typeof flags>;

/** `kadmit replay ID|last --to URL`: a recorded review again; exit code 1 when the response is another one. */
export const replayCommand = defineCommand({
  name: 'replay',
  group: 'Explain',
  synopsis: ['ID|last --to URL [FLAGS]', '--from FILE --to URL [FLAGS]'],
  purpose: 'send a recorded review to a webhook again, compare responses',
  details: ['ID is the Audit-Id header of a response. Exit codes: 0 same response, 1 another one, 2 no response.'],
  flags,
  positionals: { name: 'ID', max: 1, complete: [{ type: 'server', of: 'requests' }, { type: 'nothing' }] },
  examples: [
    'replay last --to https://127.0.0.1:8443/mutate --insecure',
    'replay --from trace.json --to http://127.0.0.1:8080/mutate',
  ],
  run: async ({ args, options }, io, parts: Pick<CommandContext, 'readYaml'>) => {
    const problem = usageProblem(options, args);
    if (problem !== undefined) throw new ConfigError(problem);
    const { to } = options;
    const call = await readRecordedCall(options, args[0] ?? 'last');
    const { replayCall } = await import('../../../testing/record-replay/replay-call.ts');
    return printReplay(await replayCall(call, toDestination(to, options), parts.readYaml), to, options, io);
  },
});

function usageProblem({ to, from, ca, insecure }: Options, [id]: readonly string[]): string | undefined {
  if (from !== '' && id !== undefined) return `${JSON.stringify(id)} and --from cannot be used together`;
  if (from === '' && id === undefined) return 'ID, last or --from FILE is required';
  if (to === '') return '--to URL is required: the address of the webhook';
  if (!/^https?:\/\//.test(to) || !URL.canParse(to))
    return `--to ${JSON.stringify(to)} is not a URL: use one such as https://127.0.0.1:8443/mutate`;
  return insecure && ca !== '' ? '--insecure and --ca cannot be used together' : undefined;
}

function readSeconds(texts: readonly string[]): FlagReading<number> {
  const seconds = Number(texts.at(-1));
  if (Number.isFinite(seconds) && seconds >= 0 && texts.at(-1) !== '') return { outcome: 'read', value: seconds };
  return { outcome: 'wrong', problem: 'is no number of seconds' };
}

const toDestination = (to: string, { ca, insecure, timeout }: Options): Destination => ({
  url: new URL(to),
  ca: ca === '' ? '' : readFlagFile('--ca', ca),
  insecure,
  timeoutMs: timeout * 1000,
});

async function readRecordedCall(options: Options, id: string): Promise<RecordedCall> {
  const { from, kubeconfig, webhook, round } = options;
  const text =
    from === ''
      ? await fetchTrace(await readKubeconfig(kubeconfig), id)
      : readFlagFile('--from', from, maxTraceFileBytes);
  const { pickCall } = await import('../../../testing/record-replay/pick-call.ts');
  const picked = pickCall(readTrace(text, from), { webhook, round: round === '1' ? 1 : 0 });
  if (picked.outcome === 'undecided') throw new ConfigError(picked.problem);
  return picked.call;
}

function readTrace(text: string, file: string): Trace {
  const trace = parseJson(text);
  if (isTrace(trace)) return trace;
  throw new ConfigError(
    file === ''
      ? 'the response of the server is not a trace'
      : `--from ${file} is not a trace: use the output of kadmit explain ID -o json`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function printReplay(replayed: Replayed, to: string, { ca, insecure, output }: Options, io: Io): Promise<number> {
  if (replayed.outcome === 'unreachable') {
    const { phase, error } = replayed;
    const advice =
      phase === 'tls' && ca === '' && !insecure && error.includes('certificate')
        ? '; add --ca FILE with its CA, or --insecure'
        : '';
    throw new ConfigError(`${to} did not respond (${phase}): ${error}${advice}`);
  }
  await printDocument(io, output, replayed, () => replayLines(replayed, to).join('\n'));
  return replayed.differences.length === 0 ? exitCodes.fine : exitCodes.failed;
}

type Answered = Extract<Replayed, { readonly outcome: 'answered' }>;

function replayLines({ webhook, now, differences }: Answered, url: string): readonly string[] {
  const { name, configuration, phase, round, about, answeredBy } = webhook;
  const again = round === 1 ? ', second round' : '';
  return [
    `${differences.length === 0 ? 'same' : 'different'}: ${name} of ${configuration} (${phase}${again}) called again at ${url} about ${about}`,
    ...(answeredBy === '' ? [] : [`the recorded response was given by ${answeredBy} at a breakpoint`]),
    ...(differences.length === 0 ? [`response: ${now.outcome}${now.error === '' ? '' : `: ${now.error}`}`] : []),
    ...differences.flatMap((difference) => ['', ...differenceLines(difference)]),
    ...(hasSameObject(differences) ? ['', 'the resulting object is the same'] : []),
  ];
}

const titles: Readonly<Record<VerdictDifference['part'], string>> = {
  outcome: 'outcome',
  error: 'failure',
  status: 'status for the client',
  patch: 'patch',
  object: 'object after the patch',
  warnings: 'warnings',
  auditAnnotations: 'audit annotations',
};

const differenceLines = ({ part, lines }: VerdictDifference): readonly string[] => [
  titles[part],
  ...lines.map(({ sign, text }) => `${sign} ${text}`),
];

const hasSameObject = (differences: readonly VerdictDifference[]): boolean =>
  differences.some(({ part }) => part === 'patch') && differences.every(({ part }) => part !== 'object');
