import { runReplayWorker } from './analysis/trials/trial-scenarios.ts';
import { createWorlds } from './app/in-process/worlds.ts';

// What a thread of `kadmit diff --audit-log` runs: an entry of its own in the bundle.
void runReplayWorker(async (onBug) => createWorlds(onBug));
