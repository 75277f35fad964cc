import { runTestWorker } from './cli/test/test-worker.ts';
import { createWorlds } from './simulate/worlds.ts';

// What a thread of `kadmit test` runs: an entry of its own in the bundle.
void runTestWorker(async (onBug) => createWorlds(onBug));
