import { expect, test } from 'vitest';
import { budgetCommand } from '../../../src/app/cli/budget/budget.ts';
import { loadCommands } from '../../../src/app/cli/run.ts';
import { lintCommand } from '../../../src/app/cli/lint/lint.ts';

const flags = (await loadCommands()).flatMap(({ name, flags }) => flags.map((flag) => ({ command: name, ...flag })));

/** One word for one thing: each flag that the second column selects matches the third one. */
const rows: readonly [fact: string, isMeant: (flag: (typeof flags)[number]) => boolean, argument: RegExp][] = [
  ['-o is --output, a format', ({ short, name }) => short === 'o' || name === 'output', /^output text\|json\|yaml\b/],
  ['-f is --filename, a file', ({ short, name }) => short === 'f' || name === 'filename', /^filename (FILE|PATH)$/],
  ['--out is a file or folder to write', ({ name }) => name === 'out', /^out (FILE|FOLDER|PATH|FILE\|FOLDER)$/],
  ['--webhook is a name', ({ name }) => name === 'webhook', /^webhook NAME$/],
  ['--trace-dir is a folder', ({ name }) => /^traces?(-dir)?$/.test(name), /^trace-dir FOLDER$/],
  ['--show-secrets unmasks', ({ name }) => /^(reveal|secrets|show-secrets)$/.test(name), /^show-secrets true\|false$/],
  ['--insecure is a switch', ({ name }) => name === 'insecure', /^insecure true\|false$/],
];

test.each(rows)('%s', (_fact, isMeant, argument) => {
  const found = flags.filter(isMeant);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((flag) => !argument.test(`${flag.name} ${flag.argument}`))).toEqual([]);
});

test.each([lintCommand, budgetCommand])('kadmit $name checks the same files with -f', async (command) => {
  const run = async (...args: readonly string[]): Promise<readonly string[]> => {
    const lines: string[] = [];
    const io = { out: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
    const code = await command.run([...args, '-o', 'json'], io, {});
    return [...lines, `exit code ${code}`];
  };
  const path = 'scenarios/getting-started/configurations.yaml';
  const expected = await run(path);
  expect(expected.join('\n')).toContain('example.com');
  expect(await run('-f', path)).toEqual(expected);
});
