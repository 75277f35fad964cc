import { expect, test } from 'vitest';
import { createAbortSignals, abortReason } from '../../src/controllers/abort-signals.ts';

test('a signal aborts with the common one', async () => {
  const common = new AbortController();
  const [before, after] = await createAbortSignals(common.signal).withSignal(async (signal) => {
    const first = signal().aborted;
    common.abort();
    return [first, signal()] as const;
  });
  expect({ before, aborted: after.aborted, reason: after.reason }).toEqual({
    before: false,
    aborted: true,
    reason: abortReason,
  });
});

test('a signal that is lent after the common one aborted is aborted', async () => {
  const common = new AbortController();
  common.abort();
  expect(await createAbortSignals(common.signal).withSignal(async (signal) => signal().aborted)).toBe(true);
});

test('a signal that was returned does not abort', async () => {
  const common = new AbortController();
  const signal = await createAbortSignals(common.signal).withSignal(async (lent) => lent());
  common.abort();
  expect(signal.aborted).toBe(false);
});
