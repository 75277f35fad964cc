import { runTestWorker } from './app/cli/test/test-worker.ts';
import { createWorlds } from './app/in-process/worlds.ts';

// What a thread of `kadmit test` runs: an entry of its own in the bundle.
void runTestWorker(async (onBug) => createWorlds(onBug));
