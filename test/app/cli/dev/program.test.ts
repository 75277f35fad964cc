import { expect, test } from 'vitest';
import { startDevProgram } from '../../../../src/app/cli/dev/program.ts';

/** A printer, and a promise of the first line. */
function printer() {
  const lines: string[] = [];
  let first: (line: string) => void = () => {};
  const begun = new Promise<string>((resolve) => (first = resolve));
  const print = (prefix: string) => (line: string) => {
    lines.push(prefix + line);
    first(line);
  };
  return { lines, begun, io: { out: print('out '), error: print('err ') } };
}

const node = (script: string): readonly string[] => [process.execPath, '-e', script];

test('the output comes line by line, with the exit code', async () => {
  const { lines, io } = printer();
  const script = "process.stdout.write('a\\nb'); process.stderr.write('c\\n'); process.exitCode = 3";
  const running = await startDevProgram(node(script), process.env, io);
  expect(await running.ended).toBe('3');
  expect(lines.toSorted()).toEqual(['err c', 'out a', 'out b']);
  await running.stop();
});

test('a stopped program takes along what it started, which has the same output', async () => {
  const { begun, io } = printer();
  const child = "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)";
  const start = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })`;
  const running = await startDevProgram(
    node(`${start}; process.on('SIGTERM', () => process.exit(0))`),
    process.env,
    io,
  );
  expect(await begun).toBe('ready');
  await running.stop(50);
  expect(await running.ended).toBe('0');
});

test('a program that is not there is named', async () => {
  const started = startDevProgram(['kadmit-no-such-program'], process.env, printer().io);
  await expect(started).rejects.toThrow('kadmit-no-such-program cannot be run');
});
