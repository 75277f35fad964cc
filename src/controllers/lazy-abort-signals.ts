/** One signal for each request: thousands of listeners on a single signal would be reported as a leak. */
export interface LazyAbortSignals {
  /** Runs `act` with a signal that aborts with the common one. */
  readonly lend: <T>(act: (lent: LazyAbortSignal) => Promise<T>) => Promise<T>;
}

/** Created at first use: most requests never need it, and creating one is slow. */
export interface LazyAbortSignal {
  readonly signal: AbortSignal;
}

/** The abort reason. A shared reason avoids a stack trace for each signal. */
export const abortReason = new Error('it has ended');

/** All signals of a common one share its single listener. */
export function createLazyAbortSignals(common: AbortSignal): LazyAbortSignals {
  const known = signalsOf.get(common) ?? newOwnSignals(common);
  signalsOf.set(common, known);
  return known;
}

/** A world has many sessions over one signal: a listener each would be reported as a leak. */
const signalsOf = new WeakMap<AbortSignal, LazyAbortSignals>();

function newOwnSignals(common: AbortSignal): LazyAbortSignals {
  const lent = new Set<Lent>();
  common.addEventListener('abort', () => lent.forEach((one) => one.abort()), { once: true });
  return {
    lend: async (act) => {
      const one = new Lent();
      if (common.aborted) one.abort();
      lent.add(one);
      try {
        return await act(one);
      } finally {
        lent.delete(one);
      }
    },
  };
}

class Lent implements LazyAbortSignal {
  #controller: AbortController | undefined;
  #isAborted = false;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(abortReason);
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(abortReason);
  }
}
