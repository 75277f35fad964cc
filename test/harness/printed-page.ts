import { run } from '../../src/cli/run.ts';
import type { Parts } from '../../src/cli/command.ts';
import { readYaml } from '../../src/http/body-formats.ts';
import { createWorlds } from '../../src/simulate/worlds.ts';

const absent = (): Promise<never> => Promise.reject(new Error('no page of docs starts a server'));

const parts: Parts = {
  startApiserver: absent,
  openTraces: absent,
  admissionPlugins: absent,
  runningPlugins: absent,
  createWorlds: (onBug) => Promise.resolve(createWorlds(onBug)),
  readYaml,
};

/**
 * A page of docs with what its commands print now: in each block marked `text`, what stands below a line `$ kadmit …`. Of the
 * shell it knows `| grep '^[^ ]'` alone: lines that begin at the margin.
 */
export async function printedPage(page: string): Promise<string> {
  const pieces = page.split(/^(```text\n[\s\S]*?^```\n)/m);
  const made: string[] = [];
  for (const piece of pieces) made.push(piece.startsWith('```text\n$ kadmit ') ? await printedBlock(piece) : piece);
  return made.join('');
}

async function printedBlock(block: string): Promise<string> {
  const lines = ['```text'];
  for (const command of block.split('\n').filter((line) => line.startsWith('$ kadmit '))) {
    const [call = '', filter] = command.slice('$ kadmit '.length).split(" | grep '^[^ ]'");
    const printed = await printedBy(call.split(' '));
    lines.push(command, ...(filter === undefined ? printed : printed.filter((line) => /^[^ ]/.test(line))));
  }
  return [...lines, '```', ''].join('\n');
}

async function printedBy(args: readonly string[]): Promise<readonly string[]> {
  const out: string[] = [];
  const keep = (text: string) => void out.push(text);
  await run(args, { out: keep, error: keep }, parts);
  return out.join('\n').split('\n');
}
