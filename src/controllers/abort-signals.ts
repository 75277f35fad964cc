/** One signal for each request: thousands of listeners on a single signal would be reported as a leak. */
export interface AbortSignals {
  /** Runs `act` with a signal that aborts with the common one, made when `act` reads it: most requests do not. */
  readonly withSignal: <T>(act: (signal: () => AbortSignal) => Promise<T>) => Promise<T>;
}

/** The abort reason. A shared reason avoids a stack trace for each signal. */
export const abortReason = new Error('it has ended');

/** All signals of a common one share its single listener: a world has many sessions over one signal. */
export function createAbortSignals(common: AbortSignal): AbortSignals {
  const known = signalsByCommon.get(common) ?? newAbortSignals(common);
  signalsByCommon.set(common, known);
  return known;
}

const signalsByCommon = new WeakMap<AbortSignal, AbortSignals>();

function newAbortSignals(common: AbortSignal): AbortSignals {
  const active = new Set<AbortController>();
  common.addEventListener('abort', () => active.forEach((one) => one.abort(abortReason)), { once: true });
  return {
    withSignal: async (act) => {
      let one: AbortController | undefined;
      const open = (): AbortController => {
        const created = new AbortController();
        if (common.aborted) created.abort(abortReason);
        active.add(created);
        return created;
      };
      try {
        return await act(() => (one ??= open()).signal);
      } finally {
        if (one) active.delete(one);
      }
    },
  };
}
