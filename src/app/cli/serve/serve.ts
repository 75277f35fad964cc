import { join } from 'node:path';
import { commandFailed, ConfigError, StartFailure } from '../../../adapters/config/config-error.ts';
import { parseFlags } from '../../../adapters/config/flags/flags.ts';
import { serveFlagGroups, serveFlags } from '../../../adapters/config/flags/serve/serve-options.ts';
import type { ServerConfig } from '../../../adapters/config/server-config.ts';
import { flagProblem, pluginProblems, startProblem } from '../../../adapters/config/start-problem.ts';
import { applyEmulatedVersion } from '../../../adapters/config/upstream/versions.ts';
import { unsupportedFlags } from '../../../adapters/config/upstream/unsupported-flags.ts';
import { aggregated, logFormatProblem, optionsProblem } from '../../../adapters/config/upstream/validate-options.ts';
import { defaultMinor, minorOfVersion } from '../../../machinery/meta/release-names.ts';
import { createPage, plain } from '../../../explain/render/explain-page.ts';
import { defineRawCommand } from '../command.ts';
import { type AdmissionPlugins, type CommandContext } from '../command-context.ts';
import { untilInterrupted } from '../terminal/terminal.ts';
import { exitCodes, type Io, usageError } from '../terminal/io.ts';
import { toPflagError, splitUpstreamFlags } from './pflag.ts';
import { bannerText, clientUrl, type StartedServer, startServer } from './start-server.ts';

/** `kadmit serve`: starts the server, prints what to do next, and runs until Ctrl-C. */
export const serveCommand = defineRawCommand({
  name: 'serve',
  group: 'Server',
  synopsis: ['[FLAGS]'],
  purpose: 'run the API server',
  details: ['Runs until Ctrl-C. Flags of kube-apiserver have the same names and meaning.'],
  flags: serveFlags,
  flagGroups: serveFlagGroups,
  examples: ['serve --map shop/hooks=http://127.0.0.1:8400', 'serve --data-dir state --nodes 1'],
  run: runServe,
});

async function runServe(args: readonly string[], io: Io, parts: CommandContext): Promise<number> {
  const { args: ownArgs, given, meaningless, fault } = splitUpstreamFlags(args);
  const formatProblem = logFormatProblem(given);
  const parsed = parseFlags(serveFlags, ownArgs);
  if (fault !== undefined && parsed.outcome !== 'help') return printFailure(`Error: ${fault}`, io);
  if (formatProblem !== undefined && parsed.outcome !== 'help') {
    return printStartFailure(io, commandFailed(formatProblem));
  }
  switch (parsed.outcome) {
    case 'help':
      return printHelp(ownArgs, io, parts);
    case 'usage':
      return reportFlagError(parsed.problem, io);
    case 'parsed': {
      const config = applyEmulatedVersion(parsed.options);
      const problem = flagProblem(config, parsed.rest, given);
      if (problem !== undefined) return usageError(io, 'serve', problem);
      const wrong = optionsProblem(config, await findPluginProblems(config, parts), given);
      if (wrong !== undefined) return printStartFailure(io, commandFailed(wrong));
      if (meaningless.length > 0) io.error(`kadmit serve: ${ignoredFlagsText(meaningless)}`);
      return serveUntilInterrupted(withCertDir(config, parsed.given), io, parts, parsed.given);
    }
  }
}

/** The key of ServiceAccount tokens is stored with the ServiceAccounts. */
export const withCertDir = (config: ServerConfig, given: ReadonlySet<string>): ServerConfig =>
  config.dataDir === '' || given.has('cert-dir') ? config : { ...config, certDir: join(config.dataDir, 'certs') };

/** With flags that select plugins, the help lists the plugins that run. */
async function printHelp(args: readonly string[], io: Io, parts: CommandContext): Promise<number> {
  const others = args.filter((arg) => arg !== '--help' && arg !== '-h');
  const parsed = parseFlags(serveFlags, others);
  const selectsPlugins = parsed.outcome === 'parsed' && pluginFlagNames.some((name) => parsed.given.has(name));
  if (!selectsPlugins) {
    io.out(helpText(await parts.admissionPlugins(defaultMinor)));
    return exitCodes.fine;
  }
  const problem = aggregated(await findPluginProblems(parsed.options, parts));
  if (problem !== undefined) return printStartFailure(io, commandFailed(problem));
  try {
    const minor = minorOfVersion(parsed.options.kubernetesVersion);
    io.out(helpText(await parts.admissionPlugins(minor), await parts.runningPlugins(parsed.options)));
    return exitCodes.fine;
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'serve', error.message);
    throw error;
  }
}

const pluginFlagNames = ['admission-control', 'enable-admission-plugins', 'disable-admission-plugins', 'plugin'];

/** The message of kube-apiserver, if it refuses the flag as well, is the last line. */
function reportFlagError(problem: string, io: Io): number {
  const [hint, error] = toPflagError(problem);
  if (error === undefined) return usageError(io, 'serve', problem);
  if (hint !== undefined) io.error(`kadmit serve: ${hint}`);
  return printFailure(`Error: ${error}`, io);
}

function printFailure(line: string, io: Io): number {
  io.error(line);
  return exitCodes.failed;
}

const ignoredFlagsText = (names: readonly string[]): string =>
  `ignored flags of kube-apiserver: ${names.map((name) => `--${name}`).join(', ')}`;

async function findPluginProblems(config: ServerConfig, parts: CommandContext): Promise<readonly string[]> {
  const { admissionControl, enableAdmissionPlugins, disableAdmissionPlugins } = config;
  if ([admissionControl, enableAdmissionPlugins, disableAdmissionPlugins].flat().length === 0) return [];
  return pluginProblems(config, await parts.admissionPlugins(minorOfVersion(config.kubernetesVersion)));
}

async function serveUntilInterrupted(
  config: ServerConfig,
  io: Io,
  parts: CommandContext,
  given: ReadonlySet<string>,
): Promise<number> {
  let started: StartedServer;
  try {
    started = await startServer(config, parts, given);
  } catch (error) {
    if (error instanceof StartFailure) return printStartFailure(io, error);
    const problem = startProblem(error, config);
    if (problem === undefined) throw error;
    return usageError(io, 'serve', problem);
  }
  const { server, kubeconfig } = started;
  if (server.uiProblem !== '') io.error(`kadmit serve: ${server.uiProblem}; running without the page`);
  if (kubeconfig.note !== '') io.error(`kadmit serve: ${kubeconfig.note}; this server uses ${kubeconfig.path}`);
  const url = clientUrl(config, server);
  const { uiUrl, ownPlugins } = server;
  const facts = { url, uiUrl, ownPlugins, kubeconfig: kubeconfig.path, startedInMs: performance.now() };
  const stop = async (): Promise<void> => {
    kubeconfig.remove();
    await server.close();
  };
  // Readers of the banner may end it at once.
  const ended = untilInterrupted(stop);
  io.out(bannerText({ ...facts, script: process.argv[1] ?? '' }));
  await ended;
  return exitCodes.fine;
}

/** With the message and exit code of kube-apiserver. */
function printStartFailure(io: Io, { message, exitCode }: StartFailure): number {
  io.error(message);
  return exitCode;
}

/** Every flag, and the admission plugins in the order they run; `running` are those of other flags. */
function helpText({ inOrder, byDefault }: AdmissionPlugins, running: readonly string[] = []): string {
  const page = createPage({ width: 80, paint: plain });
  const paragraph = (text: string): void => {
    page.line('');
    page.item(text, undefined, 0, 0);
  };
  page.line(serveCommand.help);
  paragraph(`The server does not start with ${[...unsupportedFlags.keys()].map((name) => `--${name}`).join(', ')}.`);
  paragraph('Every other flag of kube-apiserver is accepted and ignored, with a line on standard error.');
  paragraph(`Admission plugins, in the order they run: ${inOrder.join(', ')}.`);
  paragraph(`Run by default: ${inOrder.filter((name) => byDefault.includes(name)).join(', ')}.`);
  if (running.length > 0) paragraph(`Run with these flags: ${running.join(', ')}.`);
  return page.text();
}
