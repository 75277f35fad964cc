/** Signals of one's own for many short waits: thousands of listeners on a single signal would be reported as a leak. */
export interface OwnSignals {
  /** Runs `act` with a signal that aborts when the common one does. */
  readonly lend: <T>(act: (lent: LentSignal) => Promise<T>) => Promise<T>;
}

/** A signal that is made when somebody asks for it: most requests never do, and making one takes longer than many a stage. */
export interface LentSignal {
  readonly signal: AbortSignal;
}

/** Why what belongs to something that has ended is aborted. A reason of one's own saves a signal the trace of the stack. */
export const ended = new Error('it has ended');

/** Those of one common signal share its one listener. */
export function createOwnSignals(common: AbortSignal): OwnSignals {
  const known = signalsOf.get(common) ?? newOwnSignals(common);
  signalsOf.set(common, known);
  return known;
}

const signalsOf = new WeakMap<AbortSignal, OwnSignals>();

function newOwnSignals(common: AbortSignal): OwnSignals {
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

class Lent implements LentSignal {
  #controller: AbortController | undefined;
  #isAborted = false;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(ended);
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(ended);
  }
}
