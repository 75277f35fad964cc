import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { kubeconfigFlag, outputFlag, switchFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagReading } from '../../../adapters/config/flags/flags.ts';
import { type ServerAccess, fetchObjects } from '../../../adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { makeFolder } from '../../../adapters/files/portable-files.ts';
import { chooseCalled, chooseWrites } from '../../../testing/scenario/record/choose-writes.ts';
import { recordScenario } from '../../../testing/scenario/record/record-scenario.ts';
import type { RecordedScenario } from '../../../testing/scenario/record/recording.ts';
import { dependenciesOfObjects, neededObjects } from '../../../testing/scenario/record/stored-before.ts';
import { type OptionsOf, defineCommand } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { fetchAllTraces } from '../explain/trace-source.ts';
import { schemaFor } from '../package-file.ts';
import { type Io, type Output, exitCodes, printDocument, structured } from '../terminal/io.ts';
import { reviewsFlag, reviewsText, saveReviews } from '../save-reviews.ts';
import { outcomeText, tryScenarios } from '../with-worlds.ts';
import { runCommand } from '../terminal/run-command.ts';
import { tryWrite } from '../../../adapters/config/read-files.ts';
import { countText } from '../../../machinery/lists.ts';

type RecordParts = Pick<CommandContext, 'createWorlds'>;

const lastFlag: Flag<number> = {
  name: 'last',
  argument: 'N',
  help: 'only the last N writes',
  fallback: 0,
  shownFallback: '',
  read: readCount,
};

const flags = {
  out: textFlag('out', 'FOLDER', 'folder to write', 'recorded'),
  since: textFlag('since', 'ID', 'only from the write with this Audit-Id on'),
  last: lastFlag,
  namespace: { ...textFlag('namespace', 'NAME', 'only writes in this namespace and of it'), short: 'n' },
  user: textFlag('user', 'NAME', 'only writes of this user'),
  name: textFlag('name', 'TEXT', 'name of the scenario; default: that of the folder'),
  reviews: reviewsFlag,
  golden: switchFlag('golden', 'compare every resulting object with a golden file'),
  showSecrets: switchFlag('show-secrets', 'write the values of Secrets, not masked'),
  output: outputFlag,
  kubeconfig: kubeconfigFlag,
};

type Options = OptionsOf<typeof flags>;

/** `kadmit record`: writes a scenario of recent requests, or of those of a command, and runs it once. */
export const recordCommand = defineCommand({
  name: 'record',
  group: 'Test',
  synopsis: ['[FLAGS]', '[FLAGS] -- COMMAND [ARG...]'],
  purpose: 'record recent requests, or those of a command, as a scenario',
  details: [
    'The scenario has the objects before the requests, the responses of each webhook, the requests and their results. It runs ' +
      'once after recording, as with kadmit test. With --reviews it is the AdmissionReviews of the webhooks instead, also of ' +
      'writes by controllers. COMMAND runs with KUBECONFIG set.',
  ],
  flags,
  positionals: { name: 'argument', complete: [{ type: 'files' }] },
  program: true,
  examples: ['record --last 3 --out scenarios/mine', 'record --out scenarios/mine -- kubectl apply -k .'],
  run: async ({ args, options, program, given }, io, parts: RecordParts) => {
    const problem = usageProblem(options, args, program) ?? reviewsProblem(options, given);
    if (problem !== undefined) throw new ConfigError(problem);
    return recordInto(options, program, { io, parts });
  },
});

function usageProblem(
  { out, since, last, reviews }: Options,
  args: readonly string[],
  command: readonly string[] | undefined,
): string | undefined {
  if (args.length > 0) return `unexpected argument ${JSON.stringify(args[0])}; a command goes after --`;
  if (command?.length === 0) return 'COMMAND is required after --';
  if (command && since !== '') return '--since and COMMAND cannot be used together';
  if (since !== '' && last > 0) return '--since and --last cannot be used together';
  const file = join(out, 'scenario.yaml');
  return reviews === '' && existsSync(file) ? `${file} exists already: choose another folder with --out` : undefined;
}

/** Flags of a scenario do not go with `--reviews`. */
function reviewsProblem({ reviews }: Options, given: ReadonlySet<string>): string | undefined {
  const other = reviews === '' ? undefined : ['out', 'name', 'golden'].find((name) => given.has(name));
  return other && `--${other} and --reviews cannot be used together`;
}

function readCount(texts: readonly string[]): FlagReading<number> {
  const count = Number(texts.at(-1));
  if (Number.isInteger(count) && count > 0) return { outcome: 'read', value: count };
  return { outcome: 'wrong', problem: 'is no number of writes: give one from 1 up' };
}

async function recordInto(
  options: Options,
  command: readonly string[] | undefined,
  { io, parts }: { readonly io: Io; readonly parts: RecordParts },
): Promise<number> {
  const access = await readKubeconfig(options.kubeconfig);
  const { traces, since } = command
    ? await tracesOfCommand(command, access, { io, ...options })
    : { traces: await fetchAllTraces(access), since: options.since };
  if (options.reviews !== '') {
    const chosen = chooseCalled(traces, { ...options, since });
    if (chosen.outcome === 'unknown') throw new ConfigError(chosen.problem);
    const saved = saveReviews(options.reviews, chosen.writes, options.showSecrets);
    await printDocument(io, options.output, saved, () => reviewsText(saved));
    return exitCodes.fine;
  }
  const choice = chooseWrites(traces, { ...options, since });
  if (choice.outcome === 'unknown') throw new ConfigError(choice.problem);
  const { writes, leftOut } = choice;
  if (writes.length === 0) {
    throw new ConfigError([`there is nothing to record: ${nothingRecordedText(command)}`, ...leftOut].join('; '));
  }
  const near = await fetchObjects(access, neededObjects(writes));
  const found = [...near, ...(await fetchObjects(access, dependenciesOfObjects(near)))];
  const scenario = recordScenario({
    writes,
    traces,
    currentObjects: found,
    name: options.name || basename(resolve(options.out)),
    description: command ? `Recorded: ${command.join(' ')}` : '',
    schema: schemaFor(options.out),
    golden: options.golden,
    reveal: options.showSecrets,
  });
  if (scenario.steps === 0) throw new ConfigError(`there is nothing to record: ${scenario.notes.join('; ')}`);
  saveScenario(options.out, scenario);
  return reproduce(toRecorded(options.out, scenario, leftOut), options.output, { io, parts });
}

/** Runs the recorded scenario once. */
async function reproduce(
  recorded: Recorded,
  output: Output,
  { io, parts }: { readonly io: Io; readonly parts: RecordParts },
): Promise<number> {
  if (output === 'text') io.out(recordedText(recorded));
  const { outcomes, failed } = await tryScenarios([recorded.file], 'record', { io, parts });
  for (const outcome of outcomes) (output === 'text' ? io.out : io.error)(outcomeText(outcome));
  const reproduces = failed === 0;
  if (output !== 'text') io.out(await structured(output, JSON.stringify({ ...recorded, reproduces }, null, 2)));
  else if (!reproduces) io.out('The recording does not reproduce: its result depends on something that is not in it.');
  return reproduces ? exitCodes.fine : exitCodes.failed;
}

interface Recorded {
  readonly file: string;
  readonly steps: number;
  readonly webhooks: number;
  readonly files: number;
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

const toRecorded = (folder: string, scenario: RecordedScenario, leftOut: readonly string[]): Recorded => ({
  file: join(folder, 'scenario.yaml'),
  steps: scenario.steps,
  webhooks: scenario.webhooks,
  files: scenario.files.size,
  notes: [...leftOut, ...scenario.notes],
});

const recordedText = ({ file, notes, ...size }: Recorded): string =>
  [`${file}: ${sizeText(size)}`, ...notes.map((note) => `  ${note}`)].join('\n');

const nothingRecordedText = (command: readonly string[] | undefined): string =>
  command ? 'the command has written nothing' : 'there is no write of a client';

const sizeText = ({ steps, webhooks, files }: Pick<Recorded, 'steps' | 'webhooks' | 'files'>): string =>
  [countText(steps, 'step'), countText(webhooks, 'webhook'), countText(files, 'file')].join(', ');

/** Runs a command; the traces since, and the id of the first of them. */
async function tracesOfCommand(
  command: readonly string[],
  access: ServerAccess,
  { io, kubeconfig, output }: Pick<Options, 'kubeconfig' | 'output'> & { readonly io: Io },
): Promise<{ readonly traces: readonly Trace[]; readonly since: string }> {
  const before = new Set((await fetchAllTraces(access)).map(({ id }) => id));
  const log = (line: string): void => io.error(`kadmit record: ${line}`);
  const environment = { ...process.env, KUBECONFIG: resolve(kubeconfig) };
  const end = await runCommand(command, environment, { log, output: output === 'text' ? 'stdout' : 'stderr' });
  if (end !== '0') io.error(`kadmit record: ${command[0] ?? ''} ended with ${end}; its requests are recorded`);
  const traces = await fetchAllTraces(access);
  const first = traces.find(({ id }) => !before.has(id));
  if (first === undefined) throw new ConfigError(`there is nothing to record: ${nothingRecordedText(command)}`);
  return { traces, since: first.id };
}

const saveScenario = (folder: string, { files }: RecordedScenario): void =>
  tryWrite(folder, () => {
    for (const [path, text] of files) {
      makeFolder(dirname(join(folder, path)), 0o777);
      writeFileSync(join(folder, path), text);
    }
  });
