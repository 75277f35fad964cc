/** Resources to close, in reverse order. */
export interface Closing {
  /** `act` runs before those added earlier. */
  readonly add: (act: () => void | Promise<void>) => void;
  readonly close: () => Promise<void>;
  readonly hasBegun: () => boolean;
}

export function createClosing(): Closing {
  const acts: (() => void | Promise<void>)[] = [];
  let hasBegun = false;
  return {
    hasBegun: () => hasBegun,
    add: (act) => {
      acts.push(act);
    },
    close: async () => {
      hasBegun = true;
      for (let act = acts.pop(); act; act = acts.pop()) await act();
    },
  };
}
