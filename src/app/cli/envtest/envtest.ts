import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Parts } from '../command.ts';
import { packageFile } from '../package-file.ts';
import { runCommand } from '../record/run-command.ts';
import type { CommandEnd } from '../record/run-command.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';

const usage = [
  'usage: kadmit envtest path',
  '       kadmit envtest run -- COMMAND...',
  '',
  'Puts kadmit in the place of the kube-apiserver and the etcd that suites of controller-runtime start. path prints the',
  'folder where programs of these names are, for KUBEBUILDER_ASSETS; run sets KUBEBUILDER_ASSETS for a command, and ends',
  'with its exit code. Where KADMIT_TRACE_DIR names a folder, every request leaves its trace there.',
  'KADMIT_KUBERNETES_VERSION names the release of Kubernetes, 1.32; without it the folder of versions does that a launcher is',
  'linked into, k8s/1.32.0-linux-amd64.',
].join('\n');

/** `kadmit envtest`: the launchers in dist/envtest call it too, with the name of what they stand for. */
export async function envtest(args: readonly string[], io: Io, parts: Parts): Promise<number> {
  const [what = '', ...rest] = args;
  switch (what) {
    case 'path':
      return path(io, rest);
    case 'run':
      return run(io, rest);
    case 'kube-apiserver':
      return (await import('./kube-apiserver.ts')).kubeApiserver(rest, io, parts);
    case 'etcd':
      return (await import('./etcd.ts')).etcd(rest, io);
    case '--help':
    case '-h':
      io.out(usage);
      return exitCodes.fine;
    default:
      return usageError(
        io,
        'envtest',
        what === ''
          ? `say path or run\n\n${usage}`
          : `there is no ${JSON.stringify(what)}${didYouMean(what, ['path', 'run', '--help']) || '; say path or run'}`,
      );
  }
}

function path(io: Io, rest: readonly string[]): number {
  if (rest.length > 0) return usageError(io, 'envtest path', `unexpected argument ${JSON.stringify(rest[0])}`);
  const folder = assets();
  if (folder === undefined) return usageError(io, 'envtest', notBuilt);
  io.out(folder);
  return exitCodes.fine;
}

async function run(io: Io, rest: readonly string[]): Promise<number> {
  const command = rest[0] === '--' ? rest.slice(1) : rest;
  if (command.length === 0 || command[0]?.startsWith('-'))
    return usageError(io, 'envtest run', 'say what to run: -- COMMAND');
  const folder = assets();
  if (folder === undefined) return usageError(io, 'envtest', notBuilt);
  const say = (line: string): void => io.error(`kadmit envtest run: ${line}`);
  try {
    return exitCodeOf(await runCommand(command, { ...withoutAssets(), KUBEBUILDER_ASSETS: folder }, { say }));
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'envtest run', error.message);
    throw error;
  }
}

const notBuilt = 'the launchers are not there; npm run build makes them';

function assets(): string | undefined {
  const folder = packageFile('dist/envtest');
  return existsSync(folder) ? folder : undefined;
}

/** A program that is named for itself goes before KUBEBUILDER_ASSETS. */
const withoutAssets = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^TEST_ASSET_(?:KUBE_APISERVER|ETCD|KUBECTL)$/.test(name)),
  );

/** As a shell has it: 128 and the number of the signal. */
function exitCodeOf(end: CommandEnd): number {
  const signal = Object.entries(constants.signals).find(([name]) => name === end)?.[1];
  return signal === undefined ? Number(end) : 128 + signal;
}
