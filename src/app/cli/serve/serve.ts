import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { ConfigError, StartFailure, commandFailed } from '../../../adapters/config/config-error.ts';
import { parseFlags } from '../../../adapters/config/flags/flags.ts';
import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { serveFlags } from '../../../adapters/config/flags/serve/serve-options.ts';
import { placeKubeconfig } from '../../../adapters/config/kubeconfig/place-kubeconfig.ts';
import type { PlacedKubeconfig } from '../../../adapters/config/kubeconfig/place-kubeconfig.ts';
import type { RunningServer, ServerConfig } from '../../../adapters/config/server-config.ts';
import { flagProblem, pluginProblems, startProblem } from '../../../adapters/config/start-problem.ts';
import { emulating } from '../../../adapters/config/upstream/versions.ts';
import { readUpstreamOptions, upstreamHelp } from '../../../adapters/config/upstream/options.ts';
import { aggregated, earlyProblem, optionsProblem } from '../../../adapters/config/upstream/validate-options.ts';
import type { AdmissionPlugins, Parts } from '../command.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { version } from '../version.ts';
import { asPflag } from './pflag-words.ts';
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

interface BannerFacts {
  readonly url: string;
  /** Of the page, with its token; '' when there is none. */
  readonly uiUrl: string;
  /** '' when none was written. */
  readonly kubeconfig: string;
  /** Where admission plugins of the user's own run, a sentence each. */
  readonly ownPlugins: readonly string[];
  readonly startedInMs: number;
  /** argv[1]: the script that runs. */
  readonly script: string;
}

/** What the server prints when it is ready: where it is, and what to type next. */
function banner({ url, uiUrl, kubeconfig, ownPlugins, startedInMs, script }: BannerFacts): string {
  return [
    `kadmit ${version()} is ready at ${url} (${Math.round(startedInMs)} ms)`,
    ...ownPlugins.map((sentence) => `Your plugin ${sentence}`),
    '',
    'In another terminal:',
    '',
    ...(kubeconfig === '' ? [] : [`  export KUBECONFIG=${quoted(resolve(kubeconfig))}`]),
    '  kubectl apply -f your-webhook-configuration.yaml',
    '  kubectl apply -f your-pod.yaml',
    `  ${commandName(script)} explain last    # which webhooks were called, which were not, and why`,
    '',
    ...(uiUrl === '' ? [] : [`The page: ${uiUrl}`, '']),
    'Ctrl-C stops it.',
  ].join('\n');
}

const quoted = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/** How the user can call kadmit: by its name when that is what ran, else by its script. */
function commandName(script: string): string {
  return script.endsWith('.js') ? `node ${quoted(relative('', script) || script)}` : 'kadmit';
}

const textWidth = 100;

/** `kadmit serve --help`: every flag, and the admission plugins in the order they run; `running` are those of other flags. */
function serveHelp({ inOrder, byDefault }: AdmissionPlugins, running: readonly string[] = []): string {
  return [
    'usage: kadmit serve [FLAGS]',
    '',
    'Runs the API server until Ctrl-C. Flags that kube-apiserver has keep its names and meaning.',
    '',
    ...Object.values<Flag<unknown>>(serveFlags).flatMap(flagLines),
    '',
    'More flags of kube-apiserver:',
    '',
    ...upstreamHelp.flatMap((flag) => flagLines({ ...flag, argument: 'VALUE' })),
    '',
    ...wrapped(
      'Any other flag of kube-apiserver is taken too, and a line on standard error says that it means nothing here.',
      '',
    ),
    '',
    ...wrapped(`Admission plugins, in the order they run: ${inOrder.join(', ')}.`, ''),
    '',
    ...wrapped(`Run by default: ${inOrder.filter((name) => byDefault.includes(name)).join(', ')}.`, ''),
    ...(running.length === 0 ? [] : ['', ...wrapped(`Run with these flags: ${running.join(', ')}.`, '')]),
  ].join('\n');
}

function flagLines({
  name,
  argument,
  help,
  fallback,
  shownFallback,
}: Omit<Flag<unknown>, 'read' | 'isSwitch'>): readonly string[] {
  const standard = shownFallback ?? (Array.isArray(fallback) ? fallback.join(',') : String(fallback));
  const note = standard === '' ? '' : ` (default ${standard})`;
  return [`  --${name} ${argument}`, ...wrapped(`${help}${note}`, '        ')];
}

function wrapped(text: string, indent: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= textWidth) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
