import type { Case } from './case.ts';
import { cleanUp } from './clean-up.ts';
import { type Finding, judge } from './judge.ts';
import { play, type Stage } from './play.ts';

/** The result of playing a case. */
export interface Trial {
  readonly finding: Finding | undefined;
  /** How long the event loop was blocked. */
  readonly delayMs: number;
}

const replays = 3;

/**
 * Plays a case and cleans up. A stall counts when it is reproducible: compilation and garbage collection take time too.
 * Its delay is the shortest of several runs.
 */
export async function tryCase(stage: Stage, acts: Case, over?: AbortSignal): Promise<Trial> {
  let trial = await playOnce(stage, acts, over);
  for (let count = 0; count < replays && trial.finding?.fault === 'stall'; count += 1) {
    const again = await playOnce(stage, acts);
    if (again.delayMs < trial.delayMs || again.finding?.fault !== 'stall') trial = again;
  }
  if (stage.subject.ended() === '') await cleanUp(stage, acts);
  return trial;
}

async function playOnce(stage: Stage, acts: Case, over?: AbortSignal): Promise<Trial> {
  const played = await play(stage, acts, over);
  return { finding: judge(acts, played), delayMs: played.turn?.worstMs ?? 0 };
}
