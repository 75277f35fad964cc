/** Lets others in when this work has kept them waiting for a while: something to wait for, or nothing. */
export type Pause = () => Promise<void> | undefined;

/** Goes through all steps, with a pause where one is due between them; resolves to what they come to. */
export async function inSteps<T>(steps: Generator<void, T>, pause: Pause | undefined): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const pausing = pause?.();
    if (pausing) await pausing;
  }
}

/** Where nobody waits. */
export const noPause: Pause = () => undefined;
