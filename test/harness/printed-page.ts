import { run } from '../../src/app/cli/run.ts';
import type { CommandContext } from '../../src/app/cli/command.ts';
import { readYamlBody } from '../../src/adapters/http/body-formats.ts';
import { createWorlds } from '../../src/app/in-process/worlds.ts';

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
 * A page of docs with what its commands print now: in each block marked `text`, what stands below a line `$ kadmit …`. Of the
 * shell it knows `| grep '^[^ ]'` alone: lines that begin at the margin.
 */
export async function printedPage(page: string): Promise<string> {
  const pieces = page.split(/^(```text\n[\s\S]*?^```\n)/m);
  // The commands of a page begin with the same fresh cluster: it is made once.
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
