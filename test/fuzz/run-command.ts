import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FolderAct } from './case.ts';
import type { Answer, TestBed } from './run-acts.ts';

/** A command takes a second or two, on a busy machine minutes; longer is a hang. */
const patienceMs = 300_000;
/** Of processor time. The files are small. */
const maxProcessorSeconds = 60;

const probe = fileURLToPath(new URL('command-probe.mjs', import.meta.url));

/**
 * Runs a command of kadmit on these files. A server is stopped as soon as it is ready. When the time of the target is over
 * the command is killed without a finding.
 */
export async function runCommand(
  { program, subject, nodeFlags = [] }: Pick<TestBed, 'program' | 'subject' | 'nodeFlags'>,
  act: FolderAct,
  over?: AbortSignal,
): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-fuzz-command-'));
  try {
    for (const [name, bytes] of Object.entries(act.files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    const args = act.command.map((word) => word.replace('$KUBECONFIG', subject.kubeconfig));
    const command = [...nodeFlags, '--import', probe, program, ...args];
    return await run(command, { folder, name: `kadmit ${act.command.join(' ')}`, over });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Running {
  readonly folder: string;
  readonly name: string;
  readonly over: AbortSignal | undefined;
}

function run(args: readonly string[], { folder, name, over }: Running): Promise<Answer> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    const said = textOf(child, [1, 2]);
    const report = textOf(child, [3]);
    let isEnding = false;
    child.stdio[1]?.on('data', () => {
      // A second signal would end it immediately.
      if (isEnding || !said().includes('ready at https://')) return;
      isEnding = true;
      child.kill('SIGTERM');
    });
    const end = (): void => void child.kill('SIGKILL');
    const timer = setTimeout(end, patienceMs);
    if (over?.aborted) end();
    over?.addEventListener('abort', end);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      over?.removeEventListener('abort', end);
      if (over?.aborted) return resolve({ code: 0, text: '', fate: 'unsendable' });
      const isFine = signal === null && code !== null && code <= 2;
      if (isFine) resolve(readReport(code, said(), report()));
      else resolve({ code: 0, text: `${name} ended with ${signal ?? `code ${code}`}\n${said()}`, fate: 'cut' });
    });
  });
}

/** The end of the output. */
function textOf(child: ChildProcess, descriptors: readonly number[]): () => string {
  let text = '';
  for (const descriptor of descriptors) {
    child.stdio[descriptor]?.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-20_000)));
  }
  return () => text;
}

/** A program other than kadmit reports nothing. */
function readReport(code: number, text: string, report: string): Answer {
  const { seconds, polluted }: { readonly seconds: number; readonly polluted: readonly string[] } = JSON.parse(
    report || '{"seconds":0,"polluted":[]}',
  );
  if (polluted.length > 0) return { code, text: polluted.join(', '), fate: 'polluted' };
  if (seconds > maxProcessorSeconds) return { code, text: `${seconds.toFixed(0)} s of processor time`, fate: 'slow' };
  return { code, text, fate: 'answered' };
}
