import { type ChildProcess, spawn } from 'node:child_process';

/** A process under test and its output so far. */
export interface RunningProcess {
  readonly output: () => string;
  /** Interrupts it and waits for its end. Resolves with its exit code, or null when a signal ended it. */
  readonly stop: () => Promise<number | null>;
}

/** Starts a program and waits for output that matches `ready`; rejects when it ends before. */
export async function startProcess(
  command: readonly [program: string, ...args: string[]],
  ready: RegExp,
  env: NodeJS.ProcessEnv = process.env,
): Promise<RunningProcess> {
  const [program, ...args] = command;
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  let printed = '';
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (ready.test(printed)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    void exited.then((code) => reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${printed}`)));
  });
  return { output: () => printed, stop: () => stop(child, exited) };
}

async function stop(child: ChildProcess, exited: Promise<number | null>): Promise<number | null> {
  if (child.exitCode === null) child.kill('SIGINT');
  return exited;
}
