import { repeatedFlag, textFlag, readPort } from '../../../adapters/config/flags/common-flags.ts';
import { parseFlags } from '../../../adapters/config/flags/flags.ts';
import { serveFlags } from '../../../adapters/config/flags/serve/serve-options.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { Mapping } from '../../../adapters/config/mapping.ts';
import type { ServerConfig } from '../../../adapters/config/server-config.ts';
import { flagProblem, startProblem } from '../../../adapters/config/start-problem.ts';
import { optionsProblem } from '../../../adapters/config/upstream/validate-options.ts';
import { applyEmulatedVersion } from '../../../adapters/config/upstream/versions.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { withCertDir } from '../serve/serve.ts';
import { type StartedServer, startServer } from '../serve/start-server.ts';
import { untilInterrupted } from '../terminal/terminal.ts';
import { exitCodes, type Io } from '../terminal/io.ts';
import { freePort, isPortTaken } from './program.ts';
import { readDevManifests } from './manifests.ts';
import { openServingFiles } from './serving-files.ts';
import { runSession } from './session.ts';

const { securePort, uiPort, kubernetesVersion, nodes, load, dataDir, writeKubeconfig, map, assume, breakOn } =
  serveFlags;
const sharedFlags = {
  securePort,
  uiPort,
  kubernetesVersion,
  nodes,
  load,
  dataDir,
  writeKubeconfig,
  map,
  assume,
  breakOn,
};

/** Stands for {PORT} in a mapping's URL until the port of the command is known: nothing listens on port 0. */
const commandPort = '0';

const flags = {
  filename: {
    ...repeatedFlag(
      'filename',
      'PATH',
      'webhook configurations and other manifests to apply, and again when they change',
    ),
    short: 'f',
  },
  watch: repeatedFlag('watch', 'PATH', 'restart the command when a file below PATH changes'),
  port: {
    name: 'port',
    argument: 'PORT',
    help: 'the port on which the command listens; 0 picks a free one (controller-runtime listens on 9443)',
    fallback: 0,
    read: readPort(0),
  },
  commandCertDir: textFlag('cert-dir', 'FOLDER', 'the folder of tls.crt, tls.key and ca.crt; default: a temporary one'),
  ...sharedFlags,
  map: {
    ...map,
    help: `${map.help}; {PORT} is the port of the command`,
    read: (texts: readonly string[]) => map.read(texts.map((text) => text.replaceAll('{PORT}', commandPort))),
  },
};
type Options = OptionsOf<typeof flags>;

/** `kadmit dev -- COMMAND`: the server, the webhook and their requests in one terminal. */
export const devCommand = defineCommand<Options, CommandContext>({
  name: 'dev',
  group: 'Develop',
  synopsis: ['[-f PATH]... [--watch PATH]... [FLAGS] -- COMMAND [ARG...]'],
  purpose: 'run the server and your webhook in one terminal',
  details: [
    'Starts the API server and the command, routes the Services of the configurations to it, applies the configurations with ' +
      'its caBundle, and prints a line for each write that a webhook or policy decides on.',
    'The command gets PORT, KUBECONFIG, CERT_DIR, TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE; {PORT} and the like are ' +
      'replaced in its arguments. It may serve this certificate, one of its own, or plain HTTP.',
  ],
  flags,
  program: true,
  examples: [
    'dev -f webhook.yaml --watch src -- node src/hook.mjs',
    'dev -f config --port 9443 -- go run . --webhook-cert-path={CERT_DIR}',
  ],
  run: async ({ options, given, program = [] }, io, parts) => {
    if (program.length === 0) throw new ConfigError('-- COMMAND is required');
    // Fails before the server starts; the session reads them again.
    readDevManifests(options.filename);
    const port = await choosePort(options);
    const config = createConfig({ ...options, map: options.map.map((one) => withCommandPort(one, port)) });
    const problem = flagProblem(config, []) ?? optionsProblem(config, []);
    if (problem !== undefined) throw new ConfigError(problem);
    const stop = new AbortController();
    // A closed terminal ends the command, too, which is in a process group of its own.
    const hangUp = (): boolean => process.emit('SIGTERM');
    process.on('SIGHUP', hangUp);
    const running = serveWithProgram({ options, config, program, port, given, signal: stop.signal }, io, parts);
    const interrupted = untilInterrupted(async () => {
      stop.abort();
      await running.catch(() => {});
    }, closingMs);
    try {
      return await Promise.race([running, interrupted.then(() => exitCodes.fine)]);
    } finally {
      process.off('SIGHUP', hangUp);
    }
  },
});

/** The grace period of the command, and time to close the server. */
const closingMs = 6_000;

/** Mapped webhooks without a caBundle are trusted: no cert-manager runs here. */
function createConfig(options: Options): ServerConfig {
  const standard = parseFlags(serveFlags, []);
  if (standard.outcome !== 'parsed') throw new Error('the flags of serve have no defaults');
  const { filename: _files, watch: _watch, port: _port, commandCertDir: _folder, ...own } = options;
  const config = { ...standard.options, ...own, injectCa: true };
  return withCertDir(applyEmulatedVersion(config), new Set());
}

const withCommandPort = (mapping: Mapping, port: number): Mapping =>
  new URL(mapping.url).port === commandPort
    ? { ...mapping, url: mapping.url.replace(`:${commandPort}`, `:${port}`) }
    : mapping;

async function choosePort({ port }: Options): Promise<number> {
  if (port === 0) return freePort();
  if (!(await isPortTaken(port))) return port;
  throw new ConfigError(`port ${port} is taken; stop what listens there or choose another --port`);
}

interface DevRun {
  readonly options: Options;
  readonly config: ServerConfig;
  readonly program: readonly string[];
  readonly port: number;
  readonly given: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

async function serveWithProgram(
  { options, config, program, port, given, signal }: DevRun,
  io: Io,
  parts: CommandContext,
): Promise<number> {
  const { server, kubeconfig } = await startOrThrow(config, parts, given);
  try {
    if (server.uiProblem !== '') io.error(`kadmit dev: ${server.uiProblem}; running without the page`);
    if (kubeconfig.note !== '') io.error(`kadmit dev: ${kubeconfig.note}; this server uses ${kubeconfig.path}`);
    const files = openServingFiles(options.commandCertDir, config.certDir);
    // Also at a second Ctrl-C.
    process.once('exit', files.remove);
    try {
      return await runSession({ ...options, program, port, files, server, kubeconfig: kubeconfig.path, signal }, io);
    } finally {
      files.remove();
      process.off('exit', files.remove);
    }
  } finally {
    kubeconfig.remove();
    await server.close();
  }
}

async function startOrThrow(
  config: ServerConfig,
  parts: CommandContext,
  given: ReadonlySet<string>,
): Promise<StartedServer> {
  try {
    return await startServer(config, parts, given);
  } catch (error) {
    const problem = startProblem(error, config);
    throw problem === undefined ? error : new ConfigError(problem);
  }
}
