/** Real milliseconds. */
export interface RunLimits {
  readonly step: number;
  readonly scenario: number;
}

export const defaultLimits: RunLimits = { step: 60_000, scenario: 300_000 };

/** What does not close in this time is abandoned. */
export const closingLimit = 5000;

/** A cluster has more to delete, and finalizers. */
export const targetClosingLimit = 120_000;

/** The result of `work`, or of `late` after the timeout. */
export async function withTimeout<Outcome>(
  milliseconds: number,
  work: Promise<Outcome>,
  late: () => Outcome,
): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const lateness = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(late()), milliseconds);
  });
  try {
    return await Promise.race([work, lateness]);
  } finally {
    clearTimeout(timer);
  }
}

/** `250 ms`, `60 s`. */
export const formatLimit = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
