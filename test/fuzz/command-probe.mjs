// Loaded into a command with --import. At its end, writes its processor time and the changes of the prototypes to descriptor 3.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { ownKeys } from './prototypes.mjs';

const known = new Set(ownKeys());

process.on('exit', () => {
  // Threads load it too; their time is part of the time of the process.
  if (!isMainThread) return;
  const { user, system } = process.cpuUsage();
  const keys = ownKeys();
  const polluted = [...keys.filter((key) => !known.has(key)), ...(keys.length < known.size ? ['some are gone'] : [])];
  writeSync(3, JSON.stringify({ seconds: (user + system) / 1e6, polluted }));
});
