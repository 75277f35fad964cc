/** Signals of one's own for many short waits: thousands of listeners on a single signal would be reported as a leak. */
export interface OwnSignals {
  /** Runs `act` with a signal that aborts when the common one does. */
  readonly lend: <T>(act: (signal: AbortSignal) => Promise<T>) => Promise<T>;
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
  const lent = new Set<AbortController>();
  common.addEventListener('abort', () => lent.forEach((controller) => controller.abort(ended)), { once: true });
  return {
    lend: async (act) => {
      const controller = new AbortController();
      if (common.aborted) controller.abort(ended);
      lent.add(controller);
      try {
        return await act(controller.signal);
      } finally {
        lent.delete(controller);
      }
    },
  };
}
