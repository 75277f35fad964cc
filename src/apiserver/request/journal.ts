import { append } from '../../machinery/json/json.ts';
import type { Codec } from '../../api/codec/codec.ts';
import type { AdmissionPhase, Operation } from '../admission/chain/attributes.ts';
import type { AdmissionResult } from '../admission/chain/outcome.ts';
import type { ConversionRecord, RecordConversion } from '../custom-resources/conversion-record.ts';

/** Records the stages and warnings of one request in order. */
export interface Journal {
  readonly now: () => number;
  /** For the following admission passes. */
  readonly turn: (turn: AdmissionTurn) => void;
  /** Ends `now`. */
  readonly stage: (name: string, time: StageTime, passed: boolean) => void;
  readonly admission: (phase: AdmissionPhase, result: AdmissionResult, about?: AboutAdmission) => void;
  /** Keeps the first conversions and all failed ones. */
  readonly conversion: RecordConversion;
  readonly warn: (text: string) => void;
  /** Another write changed the object during admission. */
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
  | ({
      readonly type: 'admission';
      readonly phase: AdmissionPhase;
      readonly result: AdmissionResult;
      /** Absent for the only pass. */
      readonly turn?: AdmissionTurn;
    } & AboutAdmission)
  | {
      /** Precedes the stage that contains it. */
      readonly type: 'conversion';
      readonly record: ConversionRecord;
    }
  | { readonly type: 'overtaken'; readonly by: OvertakenBy };

export type OvertakenBy = 'created' | 'updated' | 'deleted';

export interface StageTime {
  readonly startedAt: number;
  readonly finishedAt: number;
}

const conversionsKept = 100;

/** Why admission runs more than once. */
export interface AdmissionTurn {
  /** Of a deletecollection: the object. */
  readonly object?: string;
  /** Absent for the first pass of a request or object. */
  readonly again?: AgainBecause;
}

export type AgainBecause = 'another-write' | 'removal' | 'name-taken';

export interface AboutAdmission {
  /** Not in a stored trace. */
  readonly pass?: AdmissionPass;
  /** The objects of the records as webhooks and clients see them. */
  readonly printed?: Codec['printed'];
}

export interface AdmissionPass {
  readonly operation: Operation;
  readonly startedAt: number;
  readonly finishedAt: number;
}

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
    admission: (phase, result, about) => {
      entries.push({ type: 'admission', phase, result, ...(turn && { turn }), ...about });
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
