import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { StartFailure, commandFailed } from '../../../adapters/config/start-failure.ts';
import type { RunningServer, ServerConfig } from '../../../adapters/config/server-config.ts';
import { readUpstreamOptions } from '../../../adapters/config/upstream/options.ts';
import { aggregated, earlyProblem, optionsProblem } from '../../../adapters/config/upstream/validate-options.ts';
import { emulating } from '../../../adapters/config/upstream/emulating.ts';
import { banner } from './banner.ts';
import type { Parts } from '../command.ts';
import { parseFlags } from '../../../adapters/config/flags/flags.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { placeKubeconfig } from '../../../adapters/config/kubeconfig/place-kubeconfig.ts';
import type { PlacedKubeconfig } from '../../../adapters/config/kubeconfig/place-kubeconfig.ts';
import { serveHelp } from './serve-help.ts';
import { serveFlags } from '../../../adapters/config/flags/serve/serve-options.ts';
import { asPflag } from './pflag-words.ts';
import { flagProblem, pluginProblems, startProblem } from '../../../adapters/config/start-problem.ts';
import { sortUpstreamFlags } from './upstream-flags.ts';

/** `kadmit serve`: starts the server, says what to type next, and waits for Ctrl-C. */
export async function serve(args: readonly string[], io: Io, parts: Parts): Promise<number> {
  const { args: ownArgs, given, meaningless, fault } = sortUpstreamFlags(args);
  const early = earlyProblem(readUpstreamOptions(given));
  const parsed = parseFlags(serveFlags, ownArgs);
  if (fault !== undefined && parsed.outcome !== 'help') return failedWith(`Error: ${fault}`, io);
  if (early !== undefined && parsed.outcome !== 'help') return failedStart(io, commandFailed(early));
  switch (parsed.outcome) {
    case 'help':
      return help(ownArgs, io, parts);
    case 'usage':
      return badFlag(parsed.problem, io);
    case 'parsed': {
      const config = emulating({ ...parsed.options, upstream: readUpstreamOptions(given) });
      const problem = flagProblem(config, parsed.rest);
      if (problem !== undefined) return usageError(io, 'serve', problem);
      const wrong = optionsProblem(config, await wrongPlugins(config, parts));
      if (wrong !== undefined) return failedStart(io, commandFailed(wrong));
      if (meaningless.length > 0) io.error(`kadmit serve: ${meaninglessText(meaningless)}`);
      return serveUntilInterrupted(withCertDir(config, parsed.given), io, parts, parsed.given);
    }
  }
}

/** Keys that tokens of stored ServiceAccounts were signed with are kept beside them. */
const withCertDir = (config: ServerConfig, given: ReadonlySet<string>): ServerConfig =>
  config.dataDir === '' || given.has('cert-dir') ? config : { ...config, certDir: join(config.dataDir, 'certs') };

/** With flags that say which plugins run, the help says what comes of them. */
async function help(args: readonly string[], io: Io, parts: Parts): Promise<number> {
  const others = args.filter((arg) => arg !== '--help' && arg !== '-h');
  const parsed = parseFlags(serveFlags, others);
  const asksPlugins = parsed.outcome === 'parsed' && pluginFlagNames.some((name) => parsed.given.has(name));
  if (!asksPlugins) {
    io.out(serveHelp(await parts.admissionPlugins()));
    return exitCodes.fine;
  }
  const problem = aggregated(await wrongPlugins(parsed.options, parts));
  if (problem !== undefined) return failedStart(io, commandFailed(problem));
  try {
    io.out(serveHelp(await parts.admissionPlugins(), await parts.runningPlugins(parsed.options)));
    return exitCodes.fine;
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'serve', error.message);
    throw error;
  }
}

const pluginFlagNames = ['admission-control', 'enable-admission-plugins', 'disable-admission-plugins', 'plugin'];

/** Of a flag that kube-apiserver would refuse too, its words come last. */
function badFlag(problem: string, io: Io): number {
  const [hint, error] = asPflag(problem);
  if (error === undefined) return usageError(io, 'serve', problem);
  if (hint !== undefined) io.error(`kadmit serve: ${hint}`);
  return failedWith(`Error: ${error}`, io);
}

function failedWith(line: string, io: Io): number {
  io.error(line);
  return exitCodes.failed;
}

const meaninglessText = (names: readonly string[]): string =>
  `taken from kube-apiserver, without a meaning here: ${names.map((name) => `--${name}`).join(', ')}`;

async function wrongPlugins(config: ServerConfig, parts: Parts): Promise<readonly string[]> {
  const { admissionControl, enableAdmissionPlugins, disableAdmissionPlugins } = config;
  if ([admissionControl, enableAdmissionPlugins, disableAdmissionPlugins].flat().length === 0) return [];
  return pluginProblems(config, await parts.admissionPlugins());
}

async function serveUntilInterrupted(
  config: ServerConfig,
  io: Io,
  parts: Parts,
  given: ReadonlySet<string>,
): Promise<number> {
  let started: Started;
  try {
    started = await start(config, parts, given);
  } catch (error) {
    if (error instanceof StartFailure) return failedStart(io, error);
    const problem = startProblem(error, config);
    if (problem === undefined) throw error;
    return usageError(io, 'serve', problem);
  }
  const { server, kubeconfig } = started;
  if (server.uiProblem !== '') io.error(`kadmit serve: ${server.uiProblem}; going on without the page`);
  if (kubeconfig.note !== '') io.error(`kadmit serve: ${kubeconfig.note}; this one's is ${kubeconfig.path}`);
  const url = clientUrl(config, server);
  const { uiUrl, ownPlugins } = server;
  const facts = { url, uiUrl, ownPlugins, kubeconfig: kubeconfig.path, startedInMs: performance.now() };
  const stop = async (): Promise<void> => {
    kubeconfig.remove();
    await server.close();
  };
  // Whoever reads that it is ready may end it at once.
  const ended = untilInterrupted(stop, config.upstream?.duration['shutdown-delay-duration']);
  io.out(banner({ ...facts, script: process.argv[1] ?? '' }));
  await ended;
  return exitCodes.fine;
}

/** Ends as kube-apiserver does when it cannot start: its line, its exit code. */
function failedStart(io: Io, { message, exitCode }: StartFailure): number {
  io.error(message);
  return exitCode;
}

interface Started {
  readonly server: RunningServer;
  readonly kubeconfig: PlacedKubeconfig;
}

/**
 * The server with its kubeconfig on disk; when that cannot be written, no server. A page that was asked for by its flag
 * must be there; without one that is only the default, the server goes on.
 */
async function start(config: ServerConfig, parts: Parts, given: ReadonlySet<string>): Promise<Started> {
  const server = await startLoaded(config, parts);
  try {
    if (given.has('ui-port') && server.uiProblem !== '') throw new ConfigError(server.uiProblem);
    return { server, kubeconfig: await kubeconfigOf(config, server, given.has('write-kubeconfig')) };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** The objects of another server come in a file that is gone when they are loaded. */
async function startLoaded(config: ServerConfig, { startApiserver }: Parts): Promise<RunningServer> {
  const { loadFrom: kubeconfig, loadKinds: kinds, loadNamespaces: namespaces, loadSecrets: secrets } = config;
  if (kubeconfig === '') return startApiserver(config);
  const { saveTo } = await import('../../../testing/record-replay/snapshot/save-to.ts');
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-'));
  try {
    const file = join(folder, 'objects.jsonl.gz');
    await saveTo(file, { kubeconfig, kinds, namespaces, secrets });
    return await startApiserver({ ...config, load: [file, ...config.load] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function kubeconfigOf(
  config: ServerConfig,
  server: RunningServer,
  wasAskedFor: boolean,
): Promise<PlacedKubeconfig> {
  if (config.writeKubeconfig === '') return { path: '', note: '', remove: () => {} };
  const cluster = { url: clientUrl(config, server), caPem: server.caPem, admin: server.admin };
  return placeKubeconfig(resolve(config.writeKubeconfig), cluster, wasAskedFor);
}

/** Where clients on this machine find the server: a server that listens everywhere has no address of its own. */
function clientUrl({ externalHostname, bindAddress }: ServerConfig, { url, port }: RunningServer): string {
  if (externalHostname !== '') return `https://${externalHostname}:${port}`;
  return ['0.0.0.0', '::'].includes(bindAddress) ? `https://127.0.0.1:${port}` : url;
}
