import type { Case } from './case.ts';
import { cleanUp } from './clean-up.ts';
import { type Finding, findProblem } from './find-problem.ts';
import { runActs, type TestBed } from './run-acts.ts';

/** The result of playing a case. */
export interface CaseOutcome {
  readonly finding: Finding | undefined;
  /** How long the event loop was blocked. */
  readonly delayMs: number;
}

const replays = 3;

/**
 * Plays a case and cleans up. A stall counts when it is reproducible: compilation and garbage collection take time too.
 * Its delay is the shortest of several runs.
 */
export async function runCase(stage: TestBed, acts: Case, over?: AbortSignal): Promise<CaseOutcome> {
  let trial = await runOnce(stage, acts, over);
  for (let count = 0; count < replays && trial.finding?.fault === 'stall'; count += 1) {
    const again = await runOnce(stage, acts);
    if (again.delayMs < trial.delayMs || again.finding?.fault !== 'stall') trial = again;
  }
  if (stage.subject.ended() === '') await cleanUp(stage, acts);
  return trial;
}

async function runOnce(stage: TestBed, acts: Case, over?: AbortSignal): Promise<CaseOutcome> {
  const played = await runActs(stage, acts, over);
  return { finding: findProblem(acts, played), delayMs: played.turn?.worstMs ?? 0 };
}
