import type { AdmissionPhase, AdmissionResult } from '../admission/outcome.ts';

/** Takes down what happens to one request, in order: what the client is warned of, and what the trace will tell. */
export interface Journal {
  readonly now: () => number;
  readonly stage: (name: string, startedAt: number, passed: boolean) => void;
  readonly admission: (phase: AdmissionPhase, result: AdmissionResult) => void;
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
  | { readonly type: 'admission'; readonly phase: AdmissionPhase; readonly result: AdmissionResult };

/** `now` in milliseconds since 1970. */
export function createJournal(now: () => number): Journal {
  const entries: JournalEntry[] = [];
  const warnings: string[] = [];
  return {
    now,
    stage: (name, startedAt, passed) => entries.push({ type: 'stage', name, startedAt, finishedAt: now(), passed }),
    admission: (phase, result) => {
      entries.push({ type: 'admission', phase, result });
      warnings.push(...result.warnings);
    },
    warn: (text) => warnings.push(text),
    entries: () => entries,
    warnings: () => warnings,
  };
}
