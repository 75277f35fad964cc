import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorText } from '../../../machinery/error-text.ts';
import { makeFolder } from '../../../machinery/files/make-folder.ts';
import { chooseWrites } from '../../../testing/scenario/record/choose-writes.ts';
import { recordScenario } from '../../../testing/scenario/record/record-scenario.ts';
import type { RecordedScenario } from '../../../testing/scenario/record/recording.ts';
import { wantedBy, wantedObjects } from '../../../testing/scenario/record/wanted-objects.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { schemaFor } from '../schema-for.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import type { Parts } from '../command.ts';
import { fetchObjects } from './fetch-objects.ts';
import { fetchAllTraces } from '../explain/fetch-trace.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { recordFlags, recordHelp } from './record-options.ts';
import type { RecordOptions } from './record-options.ts';
import { runCommand } from './run-command.ts';
import { tryScenarios } from '../test/try-scenarios.ts';

type RecordParts = Pick<Parts, 'createWorlds'>;

/** `kadmit record`: writes a scenario of what a server has just seen, or of what a command does, and runs it once. */
export async function record(args: readonly string[], io: Io, parts: RecordParts): Promise<number> {
  const end = args.indexOf('--');
  const [own, command] = end < 0 ? [args, undefined] : [args.slice(0, end), args.slice(end + 1)];
  const parsed = parseFlags(recordFlags, spelledOut(own, { o: 'output', n: 'namespace' }));
  if (parsed.outcome === 'help') {
    io.out(recordHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'record', parsed.problem);
  const problem = usageProblem(parsed.options, parsed.rest, command);
  if (problem !== undefined) return usageError(io, 'record', problem);
  try {
    return await recordInto(parsed.options, command, { io, parts });
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'record', error.message);
    throw error;
  }
}

function usageProblem(
  { output, since, last }: RecordOptions,
  rest: readonly string[],
  command: readonly string[] | undefined,
): string | undefined {
  if (rest.length > 0) {
    return `${JSON.stringify(rest[0])} is one argument too many; a command stands behind --: kadmit record -- kubectl apply -k .`;
  }
  if (command?.length === 0) return 'which command? kadmit record -- kubectl apply -k .';
  if (command && since !== '') return '--since and a command: give one of them';
  if (since !== '' && last > 0) return '--since and --last: give one of them';
  const file = join(output, 'scenario.yaml');
  return existsSync(file) ? `${file} is there already: name another folder with -o` : undefined;
}

interface Surroundings {
  readonly io: Io;
  readonly parts: RecordParts;
}

async function recordInto(
  options: RecordOptions,
  command: readonly string[] | undefined,
  surroundings: Surroundings,
): Promise<number> {
  const { io } = surroundings;
  const access = await readKubeconfig(options.kubeconfig);
  const { traces, since } = command
    ? await tracesOfCommand(command, access, { io, kubeconfig: options.kubeconfig })
    : { traces: await fetchAllTraces(access), since: options.since };
  const choice = chooseWrites(traces, { ...options, since });
  if (choice.outcome === 'unknown') throw new ConfigError(choice.problem);
  const { writes, leftOut } = choice;
  if (writes.length === 0) {
    throw new ConfigError([`there is nothing to record: ${nothing(command)}`, ...leftOut].join('; '));
  }
  const near = await fetchObjects(access, wantedObjects(writes));
  const found = [...near, ...(await fetchObjects(access, wantedBy(near)))];
  const scenario = recordScenario({
    writes,
    traces,
    found,
    name: options.name || basename(resolve(options.output)),
    description: command ? `Recorded: ${command.join(' ')}` : '',
    schema: schemaFor(options.output),
    golden: options.golden,
    reveal: options.reveal,
  });
  if (scenario.steps === 0) throw new ConfigError(`there is nothing to record: ${scenario.notes.join('; ')}`);
  save(options.output, scenario);
  io.out(`${join(options.output, 'scenario.yaml')}: ${sizeOf(scenario)}`);
  for (const note of [...leftOut, ...scenario.notes]) io.out(`  ${note}`);
  return tryOut(options, surroundings);
}

const nothing = (command: readonly string[] | undefined): string =>
  command ? 'the command has written nothing' : 'no write of a client is left';

const sizeOf = ({ steps, webhooks, files }: RecordedScenario): string =>
  [counted(steps, 'step'), counted(webhooks, 'webhook'), counted(files.size, 'file')].join(', ');

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Runs a command; the traces since, and the id of the first of them. */
async function tracesOfCommand(
  command: readonly string[],
  access: ServerAccess,
  { io, kubeconfig }: { readonly io: Io; readonly kubeconfig: string },
): Promise<{ readonly traces: readonly Trace[]; readonly since: string }> {
  const before = new Set((await fetchAllTraces(access)).map(({ id }) => id));
  const say = (line: string): void => io.error(`kadmit record: ${line}`);
  const end = await runCommand(command, { ...process.env, KUBECONFIG: resolve(kubeconfig) }, { say });
  if (end !== '0')
    io.error(`kadmit record: ${command[0] ?? ''} ended with ${end}; what it did is recorded all the same`);
  const traces = await fetchAllTraces(access);
  const first = traces.find(({ id }) => !before.has(id));
  if (first === undefined) throw new ConfigError(`there is nothing to record: ${nothing(command)}`);
  return { traces, since: first.id };
}

function save(folder: string, { files }: RecordedScenario): void {
  try {
    for (const [path, text] of files) {
      makeFolder(dirname(join(folder, path)), 0o777);
      writeFileSync(join(folder, path), text);
    }
  } catch (error) {
    throw new ConfigError(`${folder} cannot be written: ${errorText(error)}`);
  }
}

/** Runs what was written; that writes the golden files too. */
async function tryOut({ output }: RecordOptions, { io, parts }: Surroundings): Promise<number> {
  const failed = await tryScenarios([join(output, 'scenario.yaml')], 'record', { io, parts });
  if (failed === 0) return exitCodes.fine;
  io.out('The recording does not repeat itself as it is: it depends on something that is not in it.');
  return exitCodes.failed;
}
