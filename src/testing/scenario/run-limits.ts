/** How long things may take, in milliseconds of real time; nothing stands still that asks for no answer. */
export interface RunLimits {
  readonly step: number;
  readonly scenario: number;
}

export const usualLimits: RunLimits = { step: 60_000, scenario: 300_000 };

/** What cannot be ended is left behind after so long. */
export const closingLimit = 5000;

/** A cluster has more to delete, and finalizers. */
export const targetClosingLimit = 120_000;

/** What the work comes to or, when it takes longer than this, what `late` says; the work is not waited for any more. */
export async function within<Outcome>(
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
export const limitText = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
