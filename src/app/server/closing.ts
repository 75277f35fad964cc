/** What has to be ended, as it is opened piece by piece. */
export interface Closing {
  /** `act` is done before what was added earlier. */
  readonly add: (act: () => void | Promise<void>) => void;
  readonly close: () => Promise<void>;
  /** Has closing begun? */
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
