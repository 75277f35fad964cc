import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const staleMs = 10_000;
const retryMs = 20;

/** Runs `work` while no other process does so in the same folder. A lock that a dead process left behind is taken over. */
export async function withDirectoryLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const lock = join(directory, '.lock');
  while (!take(lock)) {
    if (isStale(lock)) rmSync(lock, { force: true, recursive: true });
    else await sleep(retryMs);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function isStale(lock: string): boolean {
  try {
    // One from the future is of a clock that was put back.
    return Math.abs(Date.now() - statSync(lock).mtimeMs) > staleMs;
  } catch {
    return false; // Just given back.
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined);
