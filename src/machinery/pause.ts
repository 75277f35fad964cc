/** Work that is done in steps, and its result. */
export type Steps<T> = Generator<void, T>;

/** Goes through all steps. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
