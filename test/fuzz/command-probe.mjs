// Loaded into a command with --import. Writes to descriptor 3, when it ends, what it took and what became of the prototypes.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { ownKeys } from './prototypes.mjs';

const known = new Set(ownKeys());

process.on('exit', () => {
  // Threads are given it too, and what they took is in the time of the process.
  if (!isMainThread) return;
  const { user, system } = process.cpuUsage();
  const keys = ownKeys();
  const polluted = [...keys.filter((key) => !known.has(key)), ...(keys.length < known.size ? ['some are gone'] : [])];
  writeSync(3, JSON.stringify({ seconds: (user + system) / 1e6, polluted }));
});
