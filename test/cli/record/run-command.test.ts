import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { runCommand } from '../../../src/cli/record/run-command.ts';

const waiting = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];

function signalsTo(isTTY: boolean) {
  const emitter = new EventEmitter();
  return Object.assign(emitter, { stdin: { isTTY } });
}

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s goes to the command', async (signal) => {
  const signals = signalsTo(false);
  const end = runCommand(waiting, process.env, signals);
  signals.emit(signal, signal);
  expect(await end).toBe(signal);
  expect(signals.listenerCount(signal)).toBe(0);
});

test('Ctrl-C on a terminal has told the command already', async () => {
  const signals = signalsTo(true);
  const end = runCommand(waiting, process.env, signals);
  signals.emit('SIGINT', 'SIGINT');
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await end).toBe('SIGTERM');
});

test('a program that is not there', async () => {
  const signals = signalsTo(false);
  await expect(runCommand(['./nowhere'], {}, signals)).rejects.toThrow('./nowhere cannot be run: ');
  expect(signals.listenerCount('SIGTERM')).toBe(0);
});
