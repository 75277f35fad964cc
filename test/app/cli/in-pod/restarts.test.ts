import { expect, test } from 'vitest';
import {
  type BackOff,
  backOffAfter,
  noBackOff,
  type RestartingProcess,
  type RestartPolicy,
  runWithRestarts,
} from '../../../../src/app/cli/in-pod/run-starts.ts';

test.each<[policy: RestartPolicy, exitCode: number, again: boolean]>([
  ['Never', 1, false],
  ['Never', 0, false],
  ['OnFailure', 0, false],
  ['OnFailure', 1, true],
  ['OnFailure', 137, true],
  ['Always', 0, true],
  ['Always', 1, true],
])('%s, exit code %i: started again: %s', (policy, exitCode, again) => {
  expect(backOffAfter({ exitCode, ranMs: 0 }, policy, noBackOff) !== undefined).toBe(again);
});

/** The waits before each restart of a program that runs for so long each time, in seconds. */
function waitsOf(...ran: readonly number[]): readonly number[] {
  let backOff: BackOff = noBackOff;
  return ran.map((seconds) => {
    backOff = backOffAfter({ exitCode: 1, ranMs: seconds * 1000 }, 'Always', backOff) ?? noBackOff;
    return backOff.delayMs / 1000;
  });
}

test('waits as the kubelet does: at once, then doubled from 10 s up to 5 minutes', () => {
  expect(waitsOf(1, 1, 1, 1, 1, 1, 1, 1)).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
});

test('begins anew after a run of more than 10 minutes', () => {
  expect(waitsOf(1, 1, 600, 600.001, 1)).toEqual([0, 10, 20, 0, 10]);
});

function running(ends: readonly number[], more: Partial<RestartingProcess> = {}) {
  const log: string[] = [];
  let at = 0;
  const parts: RestartingProcess = {
    policy: 'OnFailure',
    start: async (count) => {
      log.push(`start ${count}`);
      return ends[count - 1] ?? 0;
    },
    waits: async ({ exitCode, delayMs, count }) => {
      log.push(`${exitCode}, ${delayMs} before ${count}`);
    },
    sleep: async (ms) => {
      at += ms;
    },
    now: () => at,
    stopped: new AbortController().signal,
    ...more,
  };
  return { log, end: runWithRestarts(parts) };
}

test('runs until it ends as its policy wants it', async () => {
  const { log, end } = running([1, 2, 0]);
  expect(await end).toBe(0);
  expect(log).toEqual(['start 1', '1, 0 before 2', 'start 2', '2, 10000 before 3', 'start 3']);
});

test('is not started again after a signal', async () => {
  const stopping = new AbortController();
  const { log, end } = running([], {
    stopped: stopping.signal,
    start: async () => {
      stopping.abort();
      return 143;
    },
  });
  expect([await end, log]).toEqual([143, []]);
});

test('a signal during the back-off resolves with the last exit code', async () => {
  const { log, end } = running([1, 2, 3], {
    sleep: (ms) => (ms > 0 ? Promise.reject(new Error()) : Promise.resolve()),
  });
  expect([await end, log.at(-1)]).toEqual([2, '2, 10000 before 3']);
});
