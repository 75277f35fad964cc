import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { runCommand } from '../../../../src/app/cli/terminal/run-command.ts';

const waiting = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];

const said: string[] = [];
const log = (line: string): void => void said.push(line);

afterEach(() => {
  vi.useRealTimers();
  said.length = 0;
});

function signalsTo(isTTY: boolean) {
  const emitter = new EventEmitter();
  return Object.assign(emitter, { stdin: { isTTY } });
}

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s is forwarded to the command', async (signal) => {
  const signals = signalsTo(false);
  const end = runCommand(waiting, process.env, { log, signals });
  signals.emit(signal, signal);
  expect(await end).toBe(signal);
  expect(signals.listenerCount(signal)).toBe(0);
});

test('Ctrl-C on a terminal is not forwarded', async () => {
  const signals = signalsTo(true);
  const end = runCommand(waiting, process.env, { log, signals });
  signals.emit('SIGINT', 'SIGINT');
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await end).toBe('SIGTERM');
});

test('a program that is not there', async () => {
  const signals = signalsTo(false);
  await expect(runCommand(['./nowhere'], {}, { log, signals })).rejects.toThrow('./nowhere cannot be run: ');
  expect(signals.listenerCount('SIGTERM')).toBe(0);
});

test('a repeated Ctrl-C on a terminal is one, the next one kills', async () => {
  const { end, signals } = await deaf(true);
  signals.emit('SIGINT', 'SIGINT');
  signals.emit('SIGINT', 'SIGINT');
  vi.advanceTimersByTime(1_000);
  expect(said).toEqual(['the command still runs after SIGINT: a second Ctrl-C kills it']);
  // What one talks to there may use it for something else.
  vi.advanceTimersByTime(60_000);
  expect(said).toHaveLength(1);
  signals.emit('SIGINT', 'SIGINT');
  expect(await end).toBe('SIGKILL');
  expect(said.at(-1)).toBe('the command still runs at the second SIGINT, it is killed');
});

test('a command that keeps running is killed after the grace period of a Pod', async () => {
  const { end, signals } = await deaf(false);
  signals.emit('SIGTERM', 'SIGTERM');
  vi.advanceTimersByTime(29_999);
  expect(said).toEqual(['the command still runs after SIGTERM: it is killed after 30 s, or at a second SIGTERM']);
  vi.advanceTimersByTime(1);
  expect(await end).toBe('SIGKILL');
  expect(said.at(-1)).toBe('the command did not end within 30 s of SIGTERM, it is killed');
});

test('a second signal of a name kills it at once', async () => {
  const { end, signals } = await deaf(false);
  signals.emit('SIGTERM', 'SIGTERM');
  vi.advanceTimersByTime(300);
  signals.emit('SIGHUP', 'SIGHUP');
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await end).toBe('SIGKILL');
  expect(said).toEqual(['the command still runs at the second SIGTERM, it is killed']);
  expect(vi.getTimerCount()).toBe(0);
});

/** A command that ends at no signal, and has come so far that it does not. */
async function deaf(isTTY: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-deaf-'));
  const marker = join(folder, 'deaf');
  const script = `for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});
    require('node:fs').writeFileSync(process.argv[1], ''); setInterval(() => {}, 1000);`;
  const signals = signalsTo(isTTY);
  const end = runCommand([process.execPath, '-e', script, marker], process.env, { log, signals });
  await vi.waitUntil(() => existsSync(marker), { timeout: 30_000 });
  rmSync(folder, { recursive: true });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return { end, signals };
}
