import { expect, test } from 'vitest';
import { runInThreads } from '../../../../src/app/cli/test/test-threads.ts';
import { testFlags } from '../../../../src/app/cli/test/test-flags.ts';
import { parseFlags } from '../../../../src/adapters/config/flags/flags.ts';

/** A thread that is up and has said nothing yet. */
const silent = new URL('data:text/javascript,setInterval(() => {}, 1000)');

test('Ctrl-C while a thread has not begun ends the run, and breaks nothing', async () => {
  const parsed = parseFlags(testFlags, ['--parallel', '1']);
  if (parsed.outcome !== 'parsed') throw new Error('the flags are not read');
  const interrupt = new AbortController();
  const nothing = (): void => {};
  const screen = { running: nothing, over: nothing, unreadable: nothing, summary: nothing };
  const ports = { module: silent, screen, report: nothing, onBug: nothing, signal: interrupt.signal };
  setImmediate(() => interrupt.abort('interrupted'));
  await expect(runInThreads(['scenario.yaml'], 1, parsed.options, ports)).resolves.toMatchObject({
    outcomes: [],
    ended: 'interrupted',
  });
});
