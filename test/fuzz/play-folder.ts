import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FolderAct } from './case.ts';
import type { Answer } from './play.ts';

/** A folder of scenarios takes a second or two, and on a machine that is busy as many minutes: what hangs hangs for longer. */
const patienceMs = 300_000;

/** `kadmit test` of the folder; its exit code is the answer's, 500 when it did not end as it should. */
export async function playFolder(program: string, { files }: FolderAct): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-fuzz-scenarios-'));
  try {
    for (const [name, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    return await test(program, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function test(program: string, folder: string): Promise<Answer> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, 'test', '.'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    const keep = (chunk: Buffer): void => void (text = (text + chunk.toString()).slice(-20_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const isFine = signal === null && code !== null && code <= 2;
      if (isFine) resolve({ code, text, fate: 'answered' });
      else resolve({ code: 0, text: `kadmit test ended with ${signal ?? `code ${code}`}\n${text}`, fate: 'cut' });
    });
  });
}
