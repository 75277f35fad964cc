/** Resources to close, in reverse order. */
export interface Closing {
  /** `act` runs before those added earlier. */
  readonly add: (act: () => void | Promise<void>) => void;
  readonly close: () => Promise<void>;
}

export function createClosing(): Closing {
  const acts: (() => void | Promise<void>)[] = [];
  return {
    add: (act) => {
      acts.push(act);
    },
    close: async () => {
      for (let act = acts.pop(); act; act = acts.pop()) await act();
    },
  };
}
