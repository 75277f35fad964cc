import { expect, test } from 'vitest';
import { createLazyAbortSignals, abortReason } from '../../src/controllers/lazy-abort-signals.ts';

/** What has become of a signal that was lent, and is asked for before and after the common one aborts. */
async function lentAround(abort: 'before' | 'after' | 'never'): Promise<{ aborted: boolean[]; reason: unknown }> {
  const common = new AbortController();
  const { lend } = createLazyAbortSignals(common.signal);
  return lend(async (lent) => {
    const first = abort === 'after' ? [lent.signal.aborted] : [];
    if (abort !== 'never') common.abort();
    const { aborted, reason } = lent.signal;
    return { aborted: [...first, aborted], reason };
  });
}

test('a signal aborts with the common one', async () => {
  expect(await lentAround('after')).toEqual({ aborted: [false, true], reason: abortReason });
});

test('so does one that nobody had asked for when it happened', async () => {
  expect(await lentAround('before')).toEqual({ aborted: [true], reason: abortReason });
});

test('it is the same one each time', async () => {
  const { lend } = createLazyAbortSignals(new AbortController().signal);
  expect(await lend(async (lent) => lent.signal === lent.signal)).toBe(true);
  expect(await lentAround('never')).toEqual({ aborted: [false], reason: undefined });
});

test('what is lent when all is over is over', async () => {
  const common = new AbortController();
  common.abort();
  expect(await createLazyAbortSignals(common.signal).lend(async ({ signal }) => signal.aborted)).toBe(true);
});
