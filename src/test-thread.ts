import { runTestWorker } from './cli/test-worker.ts';
import { createWorlds } from './scenario-worlds.ts';

// What a thread of `kadmit test` runs: an entry of its own in the bundle.
await runTestWorker(async (onBug) => createWorlds(onBug));
