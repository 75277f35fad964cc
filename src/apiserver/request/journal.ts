import { append } from '../../machinery/json/append.ts';
import type { Operation } from '../admission/chain/attributes.ts';
import type { AdmissionResult } from '../admission/chain/outcome.ts';
import type { AdmissionPhase } from '../admission/chain/admission-phase.ts';
import type { ConversionRecord, RecordConversion } from '../custom-resources/conversion-record.ts';

/** Takes down what happens to one request, in order: what the client is warned of, and what the trace will tell. */
export interface Journal {
  readonly now: () => number;
  /** Of the admission passes that follow: for which object of several they are, and why there is more than one. */
  readonly turn: (turn: AdmissionTurn) => void;
  /** When it began and was over: `now`. */
  readonly stage: (name: string, time: StageTime, passed: boolean) => void;
  readonly admission: (phase: AdmissionPhase, result: AdmissionResult, pass?: AdmissionPass) => void;
  /** Of many conversions the first are kept, and every one that failed. */
  readonly conversion: RecordConversion;
  readonly warn: (text: string) => void;
  /** Another write reached the object of the request while its webhooks were called. */
  readonly overtaken: (by: OvertakenBy) => void;
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
      /** Absent for a request that goes through admission once. */
      readonly turn?: AdmissionTurn;
      /** What was asked of the chain, and when; a kept trace does without. */
      readonly pass?: AdmissionPass;
    }
  | {
      /** Stands before the stage in which it happened, which is told when it is over. */
      readonly type: 'conversion';
      readonly record: ConversionRecord;
    }
  | { readonly type: 'overtaken'; readonly by: OvertakenBy };

/** What another write did to the object between its reading and the write of the request. */
export type OvertakenBy = 'created' | 'updated' | 'deleted';

export interface StageTime {
  readonly startedAt: number;
  readonly finishedAt: number;
}

const conversionsKept = 100;

/** Why admission runs more than once for a request. */
export interface AdmissionTurn {
  /** Of a deletecollection: the object. */
  readonly object?: string;
  /** What an earlier turn has been for; absent for the first of a request or object. */
  readonly again?: AgainBecause;
}

/** Another write came first; what was marked as being deleted is removed; the generated name was in use. */
export type AgainBecause = 'another-write' | 'removal' | 'name-taken';

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
  let turn: AdmissionTurn | undefined;
  let conversions = 0;
  return {
    now,
    turn: (next) => (turn = next),
    stage: (name, { startedAt, finishedAt }, passed) =>
      entries.push({ type: 'stage', name, startedAt, finishedAt, passed }),
    admission: (phase, result, pass) => {
      entries.push({ type: 'admission', phase, result, ...(turn && { turn }), ...(pass && { pass }) });
      append(warnings, result.warnings);
    },
    conversion: (record) => {
      conversions += 1;
      if (conversions <= conversionsKept || record.error !== undefined) entries.push({ type: 'conversion', record });
    },
    warn: (text) => warnings.push(text),
    overtaken: (by) => entries.push({ type: 'overtaken', by }),
    entries: () => entries,
    warnings: () => warnings,
  };
}
