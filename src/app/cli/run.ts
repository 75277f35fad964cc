import type { Command, Parts } from './command.ts';
import { exitCodes } from './terminal/io.ts';
import type { Io } from './terminal/io.ts';
import { version } from './version.ts';

/** The commands in the order in which `kadmit --help` lists them. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    synopsis: '[FLAGS]',
    purpose: 'run the API server',
    run: async (args, io, parts) => (await import('./serve/serve.ts')).serve(args, io, parts),
  },
  {
    name: 'test',
    synopsis: 'PATH... [FLAGS]',
    purpose: 'run scenarios and say what failed and why',
    run: async (args, io, parts) => (await import('./test/test.ts')).test(args, io, parts),
  },
  {
    name: 'explain',
    synopsis: '[ID|last|TYPE/NAME]',
    purpose: 'say of a request, or of the last write of an object, which webhooks were called or skipped, and why',
    run: async (args, io, parts) => (await import('./explain/explain.ts')).explain(args, io, parts),
  },
  {
    name: 'requests',
    synopsis: '[FLAGS]',
    purpose: 'list what a server was asked to write: who refused it, how many webhooks were called and skipped',
    run: async (args, io, parts) => (await import('./requests/requests.ts')).requests(args, io, parts),
  },
  {
    name: 'chain',
    synopsis: 'RESOURCE [--verb VERB]',
    purpose: 'say which plugins, policies and webhooks would be asked about a request, in order, and which not',
    run: async (args, io, parts) => (await import('./chain/chain.ts')).chain(args, io, parts),
  },
  {
    name: 'lint',
    synopsis: 'PATH... [FLAGS]',
    purpose: 'look for faults of webhook configurations and policies before they are in a cluster',
    run: async (args, io) => (await import('./lint/lint.ts')).lint(args, io),
  },
  {
    name: 'budget',
    synopsis: 'PATH... [FLAGS]',
    purpose: 'add up how long the webhooks of a request may take, and say where time ends',
    run: async (args, io) => (await import('./budget/budget.ts')).budget(args, io),
  },
  {
    name: 'permute',
    synopsis: 'SCENARIO... [FLAGS]',
    purpose: 'send the same writes with their mutating webhooks in every order, and say where the order matters',
    run: async (args, io, parts) => (await import('./trials/permute.ts')).permute(args, io, parts),
  },
  {
    name: 'refeed',
    synopsis: 'SCENARIO... [FLAGS]',
    purpose: 'give every mutating webhook its own output again, and say which are not idempotent',
    run: async (args, io, parts) => (await import('./trials/refeed.ts')).refeed(args, io, parts),
  },
  {
    name: 'diff',
    synopsis: 'A B REQUESTS... [FLAGS]',
    purpose: 'send the same requests to two sets of configurations and policies, and say where they differ',
    run: async (args, io, parts) => (await import('./diff/diff.ts')).diff(args, io, parts),
  },
  {
    name: 'upgrade',
    synopsis: '--from RELEASE --to RELEASE PATH...',
    purpose: 'store the same objects under two releases of Kubernetes, and say what the newer one does otherwise',
    run: async (args, io, parts) => (await import('./trials/upgrade.ts')).upgrade(args, io, parts),
  },
  {
    name: 'map',
    synopsis: '[FROM=URL...]',
    purpose: 'say, or change while the server runs, where Services of webhooks really listen',
    run: async (args, io) => (await import('./map/map.ts')).map(args, io),
  },
  {
    name: 'doctor',
    synopsis: '[FLAGS]',
    purpose: 'look at versions, ports, kubeconfig, server, certificates and webhooks, and say what is wrong',
    run: async (args, io) => (await import('./doctor/doctor.ts')).doctor(args, io),
  },
  {
    name: 'envtest',
    synopsis: 'path|run -- COMMAND',
    purpose: "run a suite of controller-runtime's envtest with kadmit as its kube-apiserver and etcd",
    run: async (args, io, parts) => (await import('./envtest/envtest.ts')).envtest(args, io, parts),
  },
  {
    name: 'run',
    synopsis: '[FLAGS] -- PROGRAM',
    purpose: "run a webhook's program with the ServiceAccount, Secrets and ConfigMaps that its Pod would have",
    run: async (args, io) => (await import('./in-pod/run-in-pod.ts')).runInPod(args, io),
  },
  {
    name: 'cel',
    synopsis: 'EXPRESSION',
    purpose: 'evaluate a CEL expression as the API server would',
    run: async (args, io, parts) => (await import('./cel/cel.ts')).cel(args, io, parts),
  },
  {
    name: 'trace',
    synopsis: 'export|open',
    purpose: 'write traces into a file that any browser opens; open such a file',
    run: async (args, io, parts) => (await import('./trace/trace.ts')).trace(args, io, parts),
  },
  {
    name: 'record',
    synopsis: '[FLAGS] [-- COMMAND...]',
    purpose: 'write a scenario of what the server has just seen, or of what a command does',
    run: async (args, io, parts) => (await import('./record/record.ts')).record(args, io, parts),
  },
  {
    name: 'replay',
    synopsis: 'ID|last --to URL',
    purpose: 'ask a webhook again what a trace says it was asked, and compare the answers',
    run: async (args, io, parts) => (await import('./replay/replay.ts')).replay(args, io, parts),
  },
  {
    name: 'load',
    synopsis: 'MANIFEST... [FLAGS]',
    purpose: 'write at a rate, and say how long requests and webhooks took',
    run: async (args, io) => (await import('./load/load.ts')).load(args, io),
  },
  {
    name: 'import',
    synopsis: 'FILE... --out PATH',
    purpose: 'write scenarios of tests of Kyverno, gator, kat and chainsaw, and of AdmissionReviews',
    run: async (args, io, parts) => (await import('./import/import.ts')).importTests(args, io, parts),
  },
  {
    name: 'snapshot',
    synopsis: 'save|restore|replay FILE',
    purpose: 'write the objects of a server into a file, such a file to a server, or recorded changes at their pace',
    run: async (args, io) => (await import('./snapshot/snapshot.ts')).snapshot(args, io),
  },
  {
    name: 'completion',
    synopsis: 'bash|zsh|fish',
    purpose: 'print what a shell needs to complete commands, flags, files and names',
    run: async (args, io) => (await import('./completion/completion.ts')).completion(args, io, commands),
  },
];

/** Runs the command that the arguments name; resolves with the exit code. */
export async function run(args: readonly string[], io: Io, parts: Parts): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '--version' || name === '-v') return print(io.out, `kadmit ${version()}`, exitCodes.fine);
  const about = commands.find((one) => name === 'help' && one.name === rest[0]);
  if (about) return about.run(['--help'], io, parts);
  if (name === 'help' && rest[0] !== undefined) return unknown(rest[0], io);
  if (['--help', '-h', 'help'].includes(name)) return print(io.out, usage(), exitCodes.fine);
  if (name === '') return print(io.error, usage(), exitCodes.usage);
  const command = commands.find((one) => one.name === name);
  return command === undefined ? unknown(name, io) : command.run(rest, io, parts);
}

async function unknown(name: string, io: Io): Promise<number> {
  const near = (await nearest(name)) || '; kadmit --help lists them';
  return print(io.error, `kadmit: there is no command ${JSON.stringify(name)}${near}`, exitCodes.usage);
}

/** Only who mistyped waits for what finds the word. */
async function nearest(name: string): Promise<string> {
  if (name === 'version') return '; kadmit --version says which version this is';
  const { didYouMean } = await import('../../machinery/nearest-name.ts');
  const words = name.startsWith('-') ? ['--help', '--version'] : commands.map((command) => command.name);
  return didYouMean(name, words);
}

function print(to: (text: string) => void, text: string, exitCode: number): number {
  to(text);
  return exitCode;
}

function usage(): string {
  const width = Math.max(...commands.map(({ name, synopsis }) => name.length + synopsis.length + 1));
  const lines = commands.map(({ name, synopsis, purpose }) => `  ${`${name} ${synopsis}`.padEnd(width)}  ${purpose}`);
  return [
    'usage: kadmit COMMAND',
    '',
    ...lines,
    '',
    'kadmit COMMAND --help tells more about one. kadmit --version prints the version.',
  ].join('\n');
}
