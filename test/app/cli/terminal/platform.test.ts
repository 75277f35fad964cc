import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  browserCommand,
  comment,
  hasGroups,
  isSentByTerminal,
  shellWord,
  setVariable,
  signalProcess,
  spawnable,
  type System,
  terminateProcess,
} from '../../../../src/app/cli/terminal/platform.ts';

// What cannot be run here: other systems, as values.
const system = (platform: NodeJS.Platform, more: Partial<System> = {}): System => ({
  platform,
  environment: {},
  isFile: () => false,
  run: () => {},
  ...more,
});
const linux = system('linux');
const powerShell = system('win32', { environment: { PSModulePath: 'a;b;c', PROMPT: '$P$G' } });
const cmd = system('win32', { environment: { PSModulePath: 'a;b', PROMPT: '$P$G' } });
const gitBash = system('win32', { environment: { MSYSTEM: 'MINGW64' } });

test.each([
  [linux, '/a b/k', ["export KUBECONFIG='/a b/k'", "'/a b/k'", '    # why']],
  [system('darwin'), '/a/k', ['export KUBECONFIG=/a/k', '/a/k', '    # why']],
  [powerShell, String.raw`C:\it's`, [String.raw`$env:KUBECONFIG = 'C:\it''s'`, String.raw`'C:\it''s'`, '    # why']],
  [cmd, String.raw`C:\a b`, [String.raw`set "KUBECONFIG=C:\a b"`, String.raw`"C:\a b"`, '']],
  [gitBash, String.raw`C:\a`, [String.raw`export KUBECONFIG='C:\a'`, String.raw`'C:\a'`, '    # why']],
])('%#: a shell sets a variable, quotes a word and has comments', (on, path, expected) => {
  expect([setVariable('KUBECONFIG', path, on), shellWord(path, on), comment('why', on)]).toEqual(expected);
});

const npm = String.raw`C:\nodejs\npm.cmd`;
const shim = String.raw`C:\app\node_modules\.bin\tool.CMD`;
const files = [npm, String.raw`C:\nodejs\node.exe`, shim, 'hook.exe'];
const windows = system('win32', {
  environment: {
    Path: String.raw`C:\Windows;C:\nodejs`,
    PATHEXT: '.EXE;.CMD',
    ComSpec: String.raw`C:\Windows\cmd.exe`,
  },
  isFile: (path) => files.some((one) => one.toLowerCase() === path.toLowerCase()),
});
const throughCmd = (line: string): object => ({
  program: String.raw`C:\Windows\cmd.exe`,
  args: ['/d', '/s', '/c', `"${line}"`],
  options: { windowsVerbatimArguments: true },
});

// Expected: what the quoting rules of cmd.exe require, as cross-spawn applies them.
test.each([
  ['another system has no extensions', linux, ['npm', 'a b'], { program: 'npm', args: ['a b'], options: {} }],
  [
    'a program on the PATH',
    windows,
    ['node', '-e', '"'],
    { program: String.raw`C:\nodejs\node.EXE`, args: ['-e', '"'], options: {} },
  ],
  ['one in this folder', windows, ['hook'], { program: 'hook.EXE', args: [], options: {} }],
  ['one that is not there', windows, ['gone'], { program: 'gone', args: [], options: {} }],
  ['a script of cmd.exe', windows, ['npm', 'run', 'dev'], throughCmd(String.raw`C:\nodejs\npm.CMD ^"run^" ^"dev^"`)],
  ['with its extension', windows, [npm], throughCmd(npm)],
  [
    'no argument is a command',
    windows,
    [npm, 'a&b %PATH% "c"'],
    throughCmd(String.raw`${npm} ^"a^&b^ ^%PATH^%^ \^"c\^"^"`),
  ],
  ['a backslash at the end', windows, [npm, 'a\\'], throughCmd(String.raw`${npm} ^"a\\^"`)],
  ['a script that passes its arguments on', windows, [shim, 'a&b'], throughCmd(String.raw`${shim} ^^^"a^^^&b^^^"`)],
])('%s', (_fact, on, command, expected) => {
  expect(spawnable(command, on)).toEqual(expected);
});

test('what is spawned here runs', () => {
  const { program, args, options } = spawnable([process.execPath, '-p', '"a b"']);
  expect(execFileSync(program, [...args], { ...options, encoding: 'utf8' }).trim()).toBe('a b');
});

test('a signal, and on Windows the end of a process and of what it started', () => {
  const sent: unknown[] = [];
  const child = { pid: 7, kill: (name?: NodeJS.Signals | number) => sent.push(name) > 0 };
  signalProcess(child, 'SIGHUP', linux);
  signalProcess(child, 'SIGHUP', system('win32', { run: (...line) => sent.push(line) }));
  signalProcess(
    { ...child, pid: undefined } as unknown as typeof child,
    'SIGHUP',
    system('win32', { run: () => sent.push('none') }),
  );
  expect(sent).toEqual(['SIGHUP', ['taskkill', ['/pid', '7', '/t', '/f']]]);
  expect([hasGroups(linux), hasGroups(windows)]).toEqual([true, false]);
});

test.each([
  [linux, 'SIGINT', true, true],
  [linux, 'SIGINT', false, false],
  [linux, 'SIGTERM', true, false],
  [windows, 'SIGINT', false, true],
  [windows, 'SIGHUP', false, true],
] as const)('the terminal of %j sends %s itself', (on, signal, isTerminal, expected) => {
  expect(isSentByTerminal(signal, isTerminal, on)).toBe(expected);
});

test('this process ends through its own listeners, and without one with the code of SIGTERM', () => {
  const events: unknown[] = [];
  terminateProcess({ emit: (name) => events.push(name) > 0, exit: (code) => events.push(code) });
  terminateProcess({ emit: () => false, exit: (code) => events.push(code) });
  expect(events).toEqual(['SIGTERM', 143]);
});

test.each([
  ['linux', ['xdg-open', 'http://x']],
  ['darwin', ['open', 'http://x']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler', 'http://x']],
] as const)('the browser of %s', (platform, command) => {
  expect(browserCommand('http://x', system(platform))).toEqual(command);
});
