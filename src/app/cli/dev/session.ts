import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { Mapping } from '../../../adapters/config/mapping.ts';
import type { RunningServer } from '../../../adapters/config/server-config.ts';
import { errorText } from '../../../machinery/errors.ts';
import { fetchSummaries } from '../explain/trace-source.ts';
import { version } from '../package-file.ts';
import { exitCodeOf } from '../terminal/run-command.ts';
import { nextSteps } from '../serve/start-server.ts';
import { type Io, exitCodes } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { createChangeQueue, watchFiles } from '../terminal/watch-files.ts';
import { isPathWithin } from '../../../adapters/files/portable-files.ts';
import { type DevConfigurations, openConfigurations } from './configurations.ts';
import { commandToTry } from './manifests.ts';
import { followRequests } from './request-lines.ts';
import type { ServingFiles } from './serving-files.ts';
import { type ProgramRun, type LinePrinters, runProgram, whenAborted } from './program.ts';

export interface DevSession {
  /** Paths of manifests. */
  readonly filename: readonly string[];
  /** Paths of the command's sources. */
  readonly watch: readonly string[];
  readonly map: readonly Mapping[];
  readonly program: readonly string[];
  readonly port: number;
  readonly files: ServingFiles;
  readonly server: RunningServer;
  readonly kubeconfig: string;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Runs the command beside its server, again after changes of watched files, until the signal aborts. Without watched files also
 * until the command ends by itself, unless it crashed after it had listened. Resolves with the exit code.
 */
export async function runSession(session: DevSession, io: Io): Promise<number> {
  const { filename, watch, signal, files, server, port } = session;
  const environment = createEnvironment(session);
  const command = session.program.map((word) => replaceVariables(word, environment));
  const name = basename(command[0] ?? '');
  const printers = createPrinters(name, io);
  const { print, warn } = printers;
  const access = await readKubeconfig(session.kubeconfig);
  print(`kadmit ${version()} is ready at ${server.url}, starting ${name} with PORT=${port}`);
  const mapped = session.map.map(({ from }) => from);
  const configurations = await openConfigurations({ paths: filename, access, files, mapped, name, print, warn });
  const requests = await printRequests(access, io, warn);
  let change = new AbortController();
  let isDown = false;
  const ownFiles = existingFiles(command);
  const sources = (): readonly string[] => (isDown ? [...watch, ...ownFiles] : watch);
  const restart = (): void => change.abort();
  const watching = watchChanges(session, configurations, { name, print, warn, restart, ownFiles, sources });
  const introduction = createIntroduction(session, configurations, io);
  const program = { command, environment, name, port, onListening: introduction.onListening };
  try {
    while (!signal.aborted) {
      change = new AbortController();
      const leave = AbortSignal.any([signal, change.signal]);
      const certificate = configurations.certificate();
      const end = await runProgram({ ...program, certificate, leave }, printers).catch((error: unknown) => {
        // A program that is being built again may be missing for a moment.
        if (!introduction.isDone()) throw error;
        warn(errorText(error));
        return '127';
      });
      if (end === undefined) continue;
      const code = exitCodeOf(end);
      // After a crash the requests that led to it can still be explained.
      const isStaying = watch.length > 0 || (introduction.isDone() && code !== 0);
      warn(`${name} ended with exit code ${code}${isStaying ? `; ${waitingHint(name, watch, ownFiles)}` : ''}`);
      if (!isStaying) return code;
      isDown = true;
      await whenAborted(leave);
      isDown = false;
    }
    return exitCodes.fine;
  } finally {
    requests.stop();
    await watching.close();
  }
}

/** Connects the configurations each time the command listens, and prints the next steps the first time. */
function createIntroduction(
  { server, kubeconfig }: DevSession,
  configurations: DevConfigurations,
  io: Io,
): Pick<ProgramRun, 'onListening'> & { readonly isDone: () => boolean } {
  let isDone = false;
  return {
    isDone: () => isDone,
    onListening: async (backend) => {
      await configurations.connect(backend);
      if (isDone) return;
      isDone = true;
      const facts = { uiUrl: server.uiUrl, kubeconfig, script: process.argv[1] ?? '' };
      io.out(nextSteps(commandToTry(configurations.manifests()), facts, 'Try it, in any terminal:').join('\n'));
    },
  };
}

/** Prints the writes from now on. */
async function printRequests(
  access: ServerAccess,
  io: Io,
  warn: (line: string) => void,
): Promise<{ readonly stop: () => void }> {
  const after = (await fetchSummaries(access))[0]?.sequence ?? 0;
  const over = new AbortController();
  const following = followRequests(access, { after, signal: over.signal, io, paint: ownTerminal().paint });
  void following.catch((error: unknown) => {
    if (!over.signal.aborted) warn(errorText(error));
  });
  return { stop: () => over.abort() };
}

function waitingHint(name: string, watch: readonly string[], ownFiles: readonly string[]): string {
  if (watch.length > 0) return 'waiting for a change of the watched files';
  const again =
    ownFiles.length > 0
      ? `a change of ${ownFiles.join(' or ')} starts ${name} again`
      : `with --watch PATH, a change below PATH starts ${name} again`;
  return `the server keeps running, Ctrl-C stops it; ${again}`;
}

/** Files among the words of the command; not a program elsewhere, such as `/usr/bin/node`. */
const existingFiles = ([program = '', ...args]: readonly string[]): readonly string[] =>
  [...(isPathWithin(program, '.') ? [program] : []), ...args].filter(
    (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  );

interface RestartContext extends Pick<LinePrinters, 'print' | 'warn'> {
  readonly name: string;
  readonly restart: () => void;
  readonly ownFiles: readonly string[];
  /** Paths whose changes restart the command now. */
  readonly sources: () => readonly string[];
}

/** Restarts the command after changes of its sources, and applies changed manifests. */
function watchChanges(
  { filename, watch, files }: DevSession,
  configurations: DevConfigurations,
  { name, print, warn, restart, ownFiles, sources }: RestartContext,
): { readonly close: () => Promise<void> } {
  const watcher = watchFiles([...filename, ...watch, ...ownFiles], [files.folder, '.kadmit']);
  const isAmong = (paths: readonly string[]) => (path: string) => paths.some((one) => isPathWithin(path, one));
  const changes = createChangeQueue(async (paths) => {
    try {
      if (paths.some(isAmong(filename)) && (await configurations.reload())) {
        print(`the configurations name another Service: restarting ${name} with a new certificate`);
        return restart();
      }
    } catch (error) {
      warn(errorText(error));
    }
    const source = paths.find(isAmong(sources()));
    if (source === undefined) return undefined;
    print(`${source} changed: restarting ${name}`);
    return restart();
  });
  watcher.on('all', (_event, path) => changes.add(path));
  return {
    close: async () => {
      await watcher.close();
      await changes.close();
    },
  };
}

/** What the command reads of its environment. */
const createEnvironment = ({ port, kubeconfig, files }: DevSession): Readonly<Record<string, string>> => ({
  PORT: String(port),
  KUBECONFIG: resolve(kubeconfig),
  CERT_DIR: files.folder,
  TLS_CERT_FILE: files.certFile,
  TLS_KEY_FILE: files.keyFile,
  TLS_CA_FILE: files.caFile,
});

/** `{PORT}` and the like are replaced. */
const replaceVariables = (word: string, environment: Readonly<Record<string, string>>): string =>
  word.replace(/\{([A-Z_]+)\}/g, (text, name: string) => environment[name] ?? text);

/** Lines of kadmit and of the command, each with its name. */
function createPrinters(name: string, io: Io): LinePrinters {
  const { paint } = ownTerminal();
  const width = Math.max(name.length, 'kadmit'.length);
  const prefixOf = (label: string): string => `${label.padEnd(width)} |`;
  const own = paint('strong', prefixOf('kadmit'));
  const others = paint('quiet', prefixOf(name));
  return {
    print: (line) => io.out(`${own} ${line}`),
    warn: (line) => io.error(`${own} ${paint('warn', line)}`),
    ofProgram: { out: (line) => io.out(`${others} ${line}`), error: (line) => io.error(`${others} ${line}`) },
  };
}
