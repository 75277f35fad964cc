import type { Pause } from '../../src/apimachinery/pause.ts';

/** Every look at the clock finds it a second later, so that whatever may give way does; `turns` is how often others were let in. */
export function impatient(): Pause & { readonly turns: () => number } {
  let now = 0;
  let turns = 0;
  const pause = (): Promise<void> => {
    turns += 1;
    return Promise.resolve();
  };
  return Object.assign(pause, { now: () => (now += 1000), turns: () => turns });
}
