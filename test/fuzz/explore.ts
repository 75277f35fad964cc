import { generateCase } from './generate-case.ts';
import type { Case, Target } from './case.ts';
import { type Finding, stallMs } from './find-problem.ts';
import { findLeaks } from './find-leaks.ts';
import { minimiseCase } from './minimise-case.ts';
import type { OpenTestBed } from './test-bed.ts';
import type { ShrinkLimits } from './shrink.ts';
import { runCase } from './run-case.ts';

export interface Exploration {
  readonly target: Target;
  readonly seed: number;
  /** Starts a fresh server with the environment of the target. */
  readonly openStage: () => Promise<OpenTestBed>;
  /** For playing, without shrinking. */
  readonly milliseconds: number;
  readonly firstCase: number;
  /** Maximum number of cases. */
  readonly maxCases: number;
  /** Maximum number of findings. */
  readonly maxFindings: number;
  readonly shrinking: ShrinkLimits;
  /** How long the server may take to notice a closed connection. */
  readonly closeMs: number;
}

/** A problem and the case that shows it. */
export interface FoundProblem extends Finding {
  readonly target: string;
  readonly number: number;
  readonly acts: Case;
  /** Whether the case alone shows it on a fresh server. */
  readonly isAlone: boolean;
}

export interface ExplorationResult {
  readonly cases: number;
  /** Number of requests, connections and webhook responses. */
  readonly acts: number;
  readonly worstMs: number;
  /** Time for starting servers and for shrinking. */
  readonly besidesMs: number;
  readonly found: readonly FoundProblem[];
}

/** Plays the cases of the target until the time is over or the maximum of findings is reached. */
export async function explore(exploration: Exploration): Promise<ExplorationResult> {
  let until = performance.now() + exploration.milliseconds;
  const end = exploration.firstCase + exploration.maxCases;
  let explored: ExplorationResult = { cases: 0, acts: 0, worstMs: 0, besidesMs: 0, found: [] };
  let next = exploration.firstCase;
  while (next < end && performance.now() < until && explored.found.length < exploration.maxFindings) {
    const left = (besidesMs: number): number => (next < end ? until + besidesMs - performance.now() : 0);
    const life = await exploreServer(exploration, next, left, () => (next += 1));
    explored = addResults(explored, life);
    until += life.besidesMs;
  }
  return explored;
}

/** Plays until the server shows a problem; the next case gets a fresh one. */
async function exploreServer(
  { target, seed, openStage, shrinking, milliseconds, closeMs: patienceMs }: Exploration,
  first: number,
  left: (besidesMs: number) => number,
  advance: () => number,
): Promise<ExplorationResult> {
  const { releaseMs: lingersMs = 0 } = target;
  const begunAt = performance.now();
  const stage = await openStage();
  let [number, acts, worstMs] = [first, 0, 0];
  try {
    const before = await stage.subject.diagnose();
    const openingMs = performance.now() - begunAt;
    for (let ms = left(openingMs); ms > 0; ms = left(openingMs)) {
      const drawn = generateCase(target, seed, number, stage.ground);
      const { finding, delayMs } = await runCase(stage, drawn, signalAfter(ms));
      acts += drawn.length;
      worstMs = Math.max(worstMs, delayMs);
      const at = number;
      number = advance();
      if (!finding) continue;
      const foundAt = performance.now();
      const smallest = await minimiseCase({ openStage, shrinking }, drawn, finding);
      // Work takes longer on a busy machine: a finding just above the bound must occur on a fresh server too.
      const isDoubtful = finding.fault === 'stall' && smallest === undefined && delayMs < 2 * stallMs;
      const found = {
        ...finding,
        target: target.name,
        number: at,
        acts: smallest ?? drawn,
        isAlone: smallest !== undefined,
      };
      return {
        cases: number - first,
        acts,
        worstMs,
        besidesMs: openingMs + performance.now() - foundAt,
        found: isDoubtful ? [] : [found],
      };
    }
    const leaks = lingersMs > milliseconds ? [] : await findLeaks(stage.subject, before, patienceMs + lingersMs);
    const found = leaks.map((detail): FoundProblem => ({
      fault: 'leak',
      detail,
      target: target.name,
      number,
      acts: [],
      isAlone: false,
    }));
    return { cases: number - first, acts, worstMs, besidesMs: openingMs, found };
  } finally {
    await stage.close();
  }
}

/** undefined for an infinite time, and for one beyond the range of timers. */
const signalAfter = (milliseconds: number): AbortSignal | undefined =>
  milliseconds < 2 ** 31 ? AbortSignal.timeout(Math.ceil(milliseconds)) : undefined;

/** The results of two parts of a run. */
export const addResults = (one: ExplorationResult, other: ExplorationResult): ExplorationResult => ({
  cases: one.cases + other.cases,
  acts: one.acts + other.acts,
  worstMs: Math.max(one.worstMs, other.worstMs),
  besidesMs: one.besidesMs + other.besidesMs,
  found: [...one.found, ...other.found],
});
