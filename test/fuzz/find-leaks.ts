import { setTimeout as sleep } from 'node:timers/promises';
import type { Diagnosis, FuzzServer } from './fuzz-server.ts';

const mebibyte = 1024 * 1024;
/**
 * The server keeps traces up to 128 MiB and the last changes of objects up to 256 MiB. Both are estimates: over 2,200 cases of
 * CEL memory varied between 110 and 510 MiB.
 */
const maxHeapGrowth = 1.5 * (128 + 256) * mebibyte;
/** Idle connections of the fuzzer, and to the webhook. */
const maxIdleDescriptors = 24;
const maxIdleTimers = 12;

/** Resources that are still open or retained when no request is in progress. */
export async function findLeaks(
  subject: FuzzServer,
  before: Diagnosis,
  patienceMs: number,
): Promise<readonly string[]> {
  const until = performance.now() + patienceMs;
  let leaks = compareDiagnoses(before, await subject.diagnose());
  while (leaks.length > 0 && performance.now() < until) {
    await sleep(500);
    leaks = compareDiagnoses(before, await subject.diagnose());
  }
  return leaks;
}

function compareDiagnoses(before: Diagnosis, after: Diagnosis): readonly string[] {
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  return [
    after.descriptors > before.descriptors + maxIdleDescriptors
      ? [`${after.descriptors - before.descriptors} descriptors were left open`]
      : [],
    after.timers > before.timers + maxIdleTimers ? [`${after.timers - before.timers} timers were left running`] : [],
    grown > maxHeapGrowth ? [`${(grown / mebibyte).toFixed(0)} MiB more are in use`] : [],
  ].flat();
}
