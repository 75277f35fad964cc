import { existsSync } from 'node:fs';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { type Subcommand, defineAction, defineCommandWithActions } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { packageFile } from '../package-file.ts';
import { exitCodeOf, runCommand } from '../terminal/run-command.ts';
import { exitCodes, type Io } from '../terminal/io.ts';

const path = defineAction({
  name: 'path',
  synopsis: [''],
  flags: {},
  positionals: { name: 'argument', max: 0, complete: [{ type: 'files' }] },
  run: (_input, io) => {
    io.out(assetsFolder());
    return Promise.resolve(exitCodes.fine);
  },
});

const run = defineAction({
  name: 'run',
  synopsis: ['-- COMMAND...'],
  flags: {},
  positionals: { name: 'argument', complete: [{ type: 'files' }] },
  program: true,
  run: async ({ args, program }, io) => {
    const command = program ?? args;
    if (command.length === 0) throw new ConfigError('-- COMMAND is required');
    const environment = { ...environmentWithoutAssets(), KUBEBUILDER_ASSETS: assetsFolder() };
    const log = (line: string): void => io.error(`kadmit envtest run: ${line}`);
    return exitCodeOf(await runCommand(command, environment, { log }));
  },
});

/** For the launchers in dist/envtest, with the name of the replaced program. */
const launcherAction = (
  name: string,
  start: (args: readonly string[], io: Io, parts: CommandContext) => Promise<number>,
): Subcommand<CommandContext> => ({
  name,
  synopsis: [],
  flags: [],
  complete: [],
  isHidden: true,
  run: (args, io, { parts }) => start(args, io, parts),
});

/** `kadmit envtest path` and `kadmit envtest run -- COMMAND`. */
export const envtestCommand = defineCommandWithActions<CommandContext>({
  name: 'envtest',
  group: 'Develop',
  purpose: 'run controller-runtime envtest suites against kadmit',
  details: [
    'path prints the folder with the launchers of kube-apiserver and etcd, for KUBEBUILDER_ASSETS. run sets ' +
      'KUBEBUILDER_ASSETS for a command and ends with its exit code.',
    'KADMIT_TRACE_DIR is a folder for the traces of all requests. KADMIT_KUBERNETES_VERSION is the Kubernetes release, such ' +
      'as 1.33; its default is that of the folder a launcher is linked into, k8s/1.33.0-linux-amd64.',
  ],
  examples: ['envtest run -- go test ./...', 'envtest path'],
  actions: [
    path,
    run,
    launcherAction('kube-apiserver', async (args, io, parts) =>
      (await import('./kube-apiserver.ts')).kubeApiserver(args, io, parts),
    ),
    launcherAction('etcd', async (args, io) => (await import('./etcd.ts')).etcd(args, io)),
  ],
});

function assetsFolder(): string {
  const folder = packageFile('dist/envtest');
  if (!existsSync(folder)) throw new ConfigError('the launchers are missing; npm run build makes them');
  return folder;
}

/** These variables take precedence over KUBEBUILDER_ASSETS. */
const environmentWithoutAssets = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^TEST_ASSET_(?:KUBE_APISERVER|ETCD|KUBECTL)$/.test(name)),
  );
