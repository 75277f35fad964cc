import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/app/cli/run.ts';
import type { CommandContext } from '../../../src/app/cli/command-context.ts';
import { readYamlBody } from '../../../src/adapters/http/body-formats.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';

const path = 'docs/guides/ten-vendors.md';
const page = readFileSync(path, 'utf8');

test.each([path, 'docs/reference/trials.md'])(
  '%s prints what its commands print',
  { timeout: 120_000 },
  async (file) => {
    await expect(await printedPage(readFileSync(file, 'utf8'))).toMatchFileSnapshot(join(process.cwd(), file));
  },
);

test('each vendor with a scenario is linted, permuted and refed on the page', () => {
  const folders = readdirSync('scenarios/vendors', { withFileTypes: true }).filter((one) => one.isDirectory());
  const vendors = folders.map(({ name }) => name).filter((name) => name !== 'together');
  expect(vendors.length).toBe(10);
  const commands = page.split('\n').filter((line) => line.startsWith('$ kadmit '));
  for (const command of ['lint', 'order', 'idempotency']) {
    expect(
      vendors.filter(
        (name) => !commands.some((line) => line.startsWith(`$ kadmit ${command} `) && line.includes(`vendors/${name}`)),
      ),
    ).toEqual([]);
  }
});

const absent = (): Promise<never> => Promise.reject(new Error('no page of docs starts a server'));

const parts: Omit<CommandContext, 'createWorlds'> = {
  startApiserver: absent,
  startOwnServer: absent,
  runCommand: absent,
  openTraces: absent,
  admissionPlugins: absent,
  runningPlugins: absent,
  readYaml: readYamlBody,
};

/**
 * A page of docs with the present output of its commands, the lines below each `$ kadmit …` in a block marked `text`. The only
 * supported shell syntax is `| grep '^[^ ]'`.
 */
async function printedPage(page: string): Promise<string> {
  const pieces = page.split(/^(```text\n[\s\S]*?^```\n)/m);
  // All commands of a page start with the same fresh cluster, which is created once.
  const worlds = createWorlds((bug) => {
    throw bug;
  });
  const shared: CommandContext = {
    ...parts,
    createWorlds: () => Promise.resolve({ ...worlds, close: async () => {} }),
  };
  const made: string[] = [];
  for (const piece of pieces)
    made.push(piece.startsWith('```text\n$ kadmit ') ? await printedBlock(piece, shared) : piece);
  await worlds.close();
  return made.join('');
}

async function printedBlock(block: string, shared: CommandContext): Promise<string> {
  const lines = ['```text'];
  for (const command of block.split('\n').filter((line) => line.startsWith('$ kadmit '))) {
    const [call = '', filter] = command.slice('$ kadmit '.length).split(" | grep '^[^ ]'");
    const printed = await printedBy(call.split(' '), shared);
    lines.push(command, ...(filter === undefined ? printed : printed.filter((line) => /^[^ ]/.test(line))));
  }
  return [...lines, '```', ''].join('\n');
}

async function printedBy(args: readonly string[], shared: CommandContext): Promise<readonly string[]> {
  const out: string[] = [];
  const keep = (text: string) => void out.push(text);
  await run(args, { out: keep, error: keep }, shared);
  return out.join('\n').split('\n');
}
