import type { Operation } from '../admission/attributes.ts';
import type { AdmissionPhase, AdmissionResult } from '../admission/outcome.ts';

/** Takes down what happens to one request, in order: what the client is warned of, and what the trace will tell. */
export interface Journal {
  readonly now: () => number;
  readonly stage: (name: string, startedAt: number, passed: boolean) => void;
  readonly admission: (phase: AdmissionPhase, result: AdmissionResult, pass?: AdmissionPass) => void;
  readonly warn: (text: string) => void;
  readonly entries: () => readonly JournalEntry[];
  readonly warnings: () => readonly string[];
}

export type JournalEntry =
  | {
      readonly type: 'stage';
      readonly name: string;
      readonly startedAt: number;
      readonly finishedAt: number;
      readonly passed: boolean;
    }
  | {
      readonly type: 'admission';
      readonly phase: AdmissionPhase;
      readonly result: AdmissionResult;
      /** What was asked of the chain, and when; a kept trace does without. */
      readonly pass?: AdmissionPass;
    };

export interface AdmissionPass {
  readonly operation: Operation;
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** `now` in milliseconds since 1970. */
export function createJournal(now: () => number): Journal {
  const entries: JournalEntry[] = [];
  const warnings: string[] = [];
  return {
    now,
    stage: (name, startedAt, passed) => entries.push({ type: 'stage', name, startedAt, finishedAt: now(), passed }),
    admission: (phase, result, pass) => {
      entries.push(pass ? { type: 'admission', phase, result, pass } : { type: 'admission', phase, result });
      warnings.push(...result.warnings);
    },
    warn: (text) => warnings.push(text),
    entries: () => entries,
    warnings: () => warnings,
  };
}
