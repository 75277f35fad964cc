import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandNames } from '../../../src/app/cli/run.ts';

const rows = [
  ...readFileSync('docs/reference/known-bugs.md', 'utf8').matchAll(/^\| (\S+[#/]\S*).* \| .* \| (.*) \|$/gm),
].map(([, thread = '', found = '']) => ({ thread: thread.replace(/,$/, ''), found }));

const scenarios = readdirSync('scenarios', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('scenario.yaml'))
  .map((file) => join('scenarios', file));
const held = [
  'test/analysis/trials/bugs.test.ts',
  'test/analysis/lint/rules.test.ts',
  'test/testing/scenario/outage.test.ts',
  ...scenarios,
]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

test('the table has the bugs of the threads', () => {
  expect(rows.length).toBe(30);
});

test.each(rows)('$thread is held by a test, and found by commands that are there', ({ thread, found }) => {
  expect(held).toContain(thread);
  const named = [...found.matchAll(/kadmit (\w+)/g)].map(([, name]) => name);
  expect(named).not.toEqual([]);
  expect(commandNames).toEqual(expect.arrayContaining(named));
});
