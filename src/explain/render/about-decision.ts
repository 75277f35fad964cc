import type { DiffLine } from '../trace/object-diff.ts';

/** What every decision tells of itself. */
export interface About {
  /** Unique in its trace. */
  readonly key: string;
  readonly name: string;
  readonly phase: 'mutating' | 'validating';
  readonly round: 0 | 1;
  /** Counts from 0 the times admission ran for this request. */
  readonly attempt: number;
  readonly tone: Tone;
  /** What became of it: `allowed in 3.1 ms, added label team`. */
  readonly sentence: string;
  /** What it changed; empty when nothing. */
  readonly diff: readonly DiffLine[];
}

/** How much attention something wants: `warn` is what went well only by luck, `quiet` what nobody asked for. */
export type Tone = 'good' | 'bad' | 'warn' | 'quiet';
