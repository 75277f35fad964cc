/** The time that work has its turn, which may be begun again and finds what it had come to; `beginAgain` comes first. */
export interface Watch {
  readonly now: () => number;
  /** When it was begun last, and when it came to something new. */
  beganAt: number;
  newAt: number | undefined;
  /** When the clock was looked at last, and how many rounds of all loops are done between two looks. */
  lookedAt: number;
  stride: number;
  untilLook: number;
}

export function beginAgain(run: Watch, now: number): void {
  run.beganAt = now;
  run.newAt = undefined;
  run.lookedAt = now;
}

/** Milliseconds for what is new between two pauses: as many as it takes to come there, within these. */
const shortestTurn = 4;
const longestTurn = 16;

/** How long its rounds are is not known yet. */
export function beginLoop(run: Watch): void {
  run.stride = 1;
  run.untilLook = 1;
}

/** Is it time to let others in? */
export function isDue(run: Watch): boolean {
  const now = run.now();
  run.newAt ??= now;
  pace(run, now);
  return now - run.newAt >= Math.min(longestTurn, Math.max(shortestTurn, run.newAt - run.beganAt));
}

/** Rounds are of any length: there are as many between two looks at the clock as take a fraction of a millisecond. */
export function isDueAfterRound(run: Watch): boolean {
  run.untilLook -= 1;
  return run.untilLook <= 0 && isDue(run);
}

const mostRounds = 64;

function pace(run: Watch, now: number): void {
  const took = now - run.lookedAt;
  if (took > 1) run.stride = Math.max(1, Math.floor(run.stride / (2 * took)));
  else if (took < 0.25) run.stride = Math.min(mostRounds, 2 * run.stride);
  run.lookedAt = now;
  run.untilLook = run.stride;
}
