import { type ChildProcess, type SpawnOptions, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import { trimRight } from '../../../machinery/go/strings.ts';

// What differs between Linux, macOS and Windows for programs and shells; files are in machinery/files.

type Environment = Readonly<Record<string, string | undefined>>;

/** The system, which tests replace. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
  readonly isFile: (path: string) => boolean;
  readonly run: (program: string, args: readonly string[]) => void;
}

export const thisSystem: System = {
  platform: process.platform,
  environment: process.env,
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  run: (program, args) => void spawnSync(program, [...args], { stdio: 'ignore' }),
};

type Shell = 'posix' | 'powershell' | 'cmd';

/** The shell that probably started this process. PowerShell adds folders to PSModulePath, cmd sets PROMPT. */
function shellOf({ platform, environment }: System): Shell {
  if (platform !== 'win32' || environment['MSYSTEM'] !== undefined) return 'posix';
  const isPowerShell = (environment['PSModulePath'] ?? '').split(';').length >= 3;
  return !isPowerShell && environment['PROMPT'] !== undefined ? 'cmd' : 'powershell';
}

const plain = /^[\w@%+=:,./-]+$/;

/** A word of a command line, in quotes if it needs them. */
export function shellWord(word: string, system: System = thisSystem): string {
  const shell = shellOf(system);
  if (shell === 'posix') return plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
  if (/^[\w@+=:,./\\-]+$/.test(word)) return word;
  return shell === 'powershell' ? `'${word.replaceAll("'", "''")}'` : `"${word}"`;
}

/** The command that sets an environment variable in the user's shell. */
export function setVariable(name: string, value: string, system: System = thisSystem): string {
  switch (shellOf(system)) {
    case 'posix':
      return `export ${name}=${shellWord(value, system)}`;
    case 'powershell':
      return `$env:${name} = '${value.replaceAll("'", "''")}'`;
    case 'cmd':
      return `set "${name}=${value}"`;
  }
}

/** After a command line; cmd has no comments. */
export const comment = (text: string, system: System = thisSystem): string =>
  shellOf(system) === 'cmd' ? '' : `    # ${text}`;

/** Opens a URL in the browser. */
export function browserCommand(url: string, { platform }: System = thisSystem): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open', url];
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', url] : ['xdg-open', url];
}

export interface Spawnable {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: Pick<SpawnOptions, 'windowsVerbatimArguments'>;
}

/**
 * The arguments of `spawn` for a command line. On Windows `npm` is a file npm.cmd, which only cmd.exe runs; its arguments are
 * escaped so that no character of them is a command.
 */
export function spawnable(command: readonly string[], system: System = thisSystem): Spawnable {
  const [program = '', ...args] = command;
  const file = system.platform === 'win32' ? findProgram(program, system) : program;
  if (system.platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(file)) return { program: file, args, options: {} };
  // The scripts of node_modules/.bin pass their arguments through cmd.exe a second time.
  const times = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(file) ? 2 : 1;
  const line = [escapeForCmd(file), ...args.map((one) => escapeForCmd(quoteForWindows(one), times))].join(' ');
  return {
    program: system.environment['ComSpec'] ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    options: { windowsVerbatimArguments: true },
  };
}

/** As cmd.exe finds it: in the folder itself, then on the PATH, with the extensions of PATHEXT. */
function findProgram(program: string, { environment, isFile }: System): string {
  const path = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const folders = /[\\/]/.test(program) ? [''] : ['', ...path.split(win32.delimiter).filter((one) => one !== '')];
  const known = (environment['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const extensions = win32.extname(program) === '' ? known : ['', ...known];
  const files = folders.flatMap((folder) => extensions.map((end) => win32.join(folder, `${program}${end}`)));
  return files.find(isFile) ?? program;
}

/** As the runtime of C reads it: backslashes before a quote are doubled. */
const quoteForWindows = (word: string): string => `"${word.split('"').map(doubleTrailingBackslashes).join('\\"')}"`;

const doubleTrailingBackslashes = (part: string): string =>
  part + '\\'.repeat(part.length - trimRight(part, '\\').length);

function escapeForCmd(text: string, times = 1): string {
  const escaped = text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
  return times === 1 ? escaped : escapeForCmd(escaped, times - 1);
}

type Child = Pick<ChildProcess, 'pid' | 'kill'>;

/** Whether a process group of its own can be signalled. */
export const hasGroups = ({ platform }: System = thisSystem): boolean => platform !== 'win32';

/** Windows has no signals: whatever the signal, the process ends, and those that it started. */
export function signalProcess(child: Child, signal: NodeJS.Signals, system: System = thisSystem): boolean {
  if (hasGroups(system)) return child.kill(signal);
  if (child.pid === undefined) return false;
  system.run('taskkill', ['/pid', String(child.pid), '/t', '/f']);
  return true;
}

/** Whether the terminal itself passes a signal on to the commands it runs: Ctrl-C, and on Windows closing it, too. */
export const isSentByTerminal = (signal: NodeJS.Signals, isTerminal: boolean, { platform }: System = thisSystem) =>
  platform === 'win32' || (isTerminal && signal === 'SIGINT');

interface Emitter {
  readonly emit: (name: 'SIGTERM', signal: 'SIGTERM') => boolean;
  readonly exit: (code: number) => void;
}

/** Ends this process like SIGTERM, which no process can send to itself on Windows: it would not be handled. */
export function terminateProcess(self: Emitter = process): void {
  if (!self.emit('SIGTERM', 'SIGTERM')) self.exit(143);
}
