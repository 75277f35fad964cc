import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { parseFlags } from '../../../adapters/config/flags/flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { runCommand } from '../record/run-command.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { becomeAccount } from './become-account.ts';
import { followFiles } from './follow-files.ts';
import { inClusterCommand, prepareMountPoint } from './in-cluster.ts';
import { inPodFlags, inPodHelp, mappingsOf, mountsOf, qualified } from './in-pod-options.ts';
import type { InPodOptions, Qualified } from './in-pod-options.ts';
import { leadServices } from './lead-services.ts';
import { runStarts } from './run-starts.ts';

/**
 * `kadmit run`: a local program with what it would have in its Pod: the credentials of a ServiceAccount, and Secrets and
 * ConfigMaps as files that follow the objects. Resolves with the exit code of its last end.
 */
export async function runInPod(args: readonly string[], io: Io): Promise<number> {
  const end = args.indexOf('--');
  const [own, command] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const parsed = parseFlags(inPodFlags, own);
  if (parsed.outcome === 'help') {
    io.out(inPodHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'run', parsed.problem);
  if (parsed.rest.length > 0 || command.length === 0)
    return usageError(io, 'run', 'which program? kadmit run --as-service-account NAMESPACE/NAME -- PROGRAM');
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-run-'));
  try {
    return await runWith(parsed.options, command, { io, folder });
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'run', error.message);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface RunFolder {
  readonly io: Io;
  /** Nobody else may look in. */
  readonly folder: string;
}

async function runWith(options: InPodOptions, command: readonly string[], { io, folder }: RunFolder): Promise<number> {
  const access = await readKubeconfig(options.kubeconfig);
  const account = accountOf(options);
  const mounts = mountsOf(options);
  const mappings = mappingsOf(options);
  const say = (line: string): void => io.error(`kadmit run: ${line}`);
  const become = account && (await becomeAccount(access, account, folder));
  const following = await followFiles(access, mounts, say);
  const program = basename(command[0] ?? '');
  const leading = await leadServices(access, mappings, program);
  const own = become?.environment ?? { KUBECONFIG: resolve(access.kubeconfig) };
  const environment = { ...process.env, ...own, ...(options.inCluster ? { KUBECONFIG: undefined } : {}) };
  const started = options.inCluster ? inClusterCommand(command, process.getuid?.()) : command;
  const run = async (): Promise<number> => exitCodeOf(await runCommand(started, environment, { say }));
  try {
    return await runStarts(run, { program, policy: options.restart, become, leading, say });
  } finally {
    following.stop();
    become?.stop();
    await leading.stop();
  }
}

/** Whom it runs as, if it is somebody; --in-cluster wants a place for the files of that one. */
function accountOf({ asServiceAccount, inCluster }: InPodOptions): Qualified | undefined {
  if (asServiceAccount === '' && inCluster) throw new ConfigError('--in-cluster needs --as-service-account');
  if (inCluster) prepareMountPoint();
  return asServiceAccount === '' ? undefined : qualified('as-service-account', asServiceAccount);
}

/** As a shell has it: 128 and the number of the signal. */
function exitCodeOf(end: string): number {
  const signal = Object.entries(constants.signals).find(([name]) => name === end)?.[1];
  return signal === undefined ? Number(end) : 128 + signal;
}
