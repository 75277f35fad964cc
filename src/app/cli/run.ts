import { didYouMean } from '../../machinery/nearest-name.ts';
import { type Command, commandGroups } from './command.ts';
import { type CommandContext } from './command-context.ts';
import { version } from './package-file.ts';
import { exitCodes, type Io } from './terminal/io.ts';

/** Resolves with the exit code. */
export async function run(args: readonly string[], io: Io, parts: CommandContext): Promise<number> {
  const [name = '', ...rest] = args;
  switch (name) {
    case '':
      return print(io.error, helpText(await loadCommands()), exitCodes.usage);
    case '--help':
    case '-h':
      return print(io.out, helpText(await loadCommands()), exitCodes.fine);
    case 'help':
      return run(rest[0] === undefined ? ['--help'] : [rest[0], '--help'], io, parts);
    case 'version':
    case '--version':
    case '-v':
      return print(io.out, `kadmit ${version()}`, exitCodes.fine);
    default:
      return runCommandNamed(name, rest, io, parts);
  }
}

async function runCommandNamed(name: string, args: readonly string[], io: Io, parts: CommandContext): Promise<number> {
  if (name === 'completion' && args[0] === 'of') return complete(args.slice(args[1] === '--' ? 2 : 1), io);
  const command = await importCommandOf(name);
  if (command) return command.run(args, io, parts);
  const names = name.startsWith('-') ? ['--help', '--version'] : [...commandNames, 'version'];
  const hint = didYouMean(name, names) || '; kadmit --help lists the commands';
  return print(io.error, `kadmit: unknown command ${JSON.stringify(name)}${hint}`, exitCodes.usage);
}

async function complete(line: readonly string[], io: Io): Promise<number> {
  const { completionLines } = await import('./completion/candidates.ts');
  const lines = await completionLines(line, await loadCommands());
  return lines === '' ? exitCodes.fine : print(io.out, lines, exitCodes.fine);
}

function print(to: (text: string) => void, text: string, exitCode: number): number {
  to(text);
  return exitCode;
}

function helpText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const groups = commandGroups.flatMap((group) => {
    const own = commands.filter((command) => command.group === group);
    const lines = own.map(({ name, purpose }) => `  ${name.padEnd(width)}  ${purpose}`);
    return ['', group, ...lines, `  Example: kadmit ${own[0]?.examples[0] ?? ''}`];
  });
  return [
    'Usage: kadmit COMMAND [FLAGS]',
    ...groups,
    '',
    'kadmit COMMAND --help shows the help of a command, kadmit version the version.',
  ].join('\n');
}

/** In the order of `kadmit --help`. Each is loaded on demand. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import('./dev/dev.ts')).devCommand,
  run: async () => (await import('./in-pod/run-in-pod.ts')).runInPodCommand,
  envtest: async () => (await import('./envtest/envtest.ts')).envtestCommand,
  cel: async () => (await import('./cel/cel.ts')).celCommand,
  mcp: async () => (await import('./mcp/mcp.ts')).mcpCommand,
  explain: async () => (await import('./explain/explain.ts')).explainCommand,
  requests: async () => (await import('./requests/requests.ts')).requestsCommand,
  chain: async () => (await import('./chain/chain.ts')).chainCommand,
  trace: async () => (await import('./trace/trace.ts')).traceCommand,
  replay: async () => (await import('./replay/replay.ts')).replayCommand,
  test: async () => (await import('./test/test.ts')).testCommand,
  record: async () => (await import('./record/record.ts')).recordCommand,
  import: async () => (await import('./import/import.ts')).importCommand,
  bench: async () => (await import('./bench/bench.ts')).benchCommand,
  lint: async () => (await import('./lint/lint.ts')).lintCommand,
  budget: async () => (await import('./budget/budget.ts')).budgetCommand,
  order: async () => (await import('./trials/order.ts')).orderCommand,
  idempotency: async () => (await import('./trials/idempotency.ts')).idempotencyCommand,
  diff: async () => (await import('./diff/diff.ts')).diffCommand,
  compat: async () => (await import('./trials/compat.ts')).compatCommand,
  serve: async () => (await import('./serve/serve.ts')).serveCommand,
  map: async () => (await import('./map/map.ts')).mapCommand,
  user: async () => (await import('./user/user.ts')).userCommand,
  snapshot: async () => (await import('./snapshot/snapshot.ts')).snapshotCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  completion: async () => (await import('./completion/completion.ts')).completionCommand,
};

export const commandNames: readonly string[] = Object.keys(loaders);

const importCommandOf = (name: string): Promise<Command> | undefined =>
  Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined;

export const loadCommands = (): Promise<readonly Command[]> =>
  Promise.all(Object.values(loaders).map((load) => load()));
