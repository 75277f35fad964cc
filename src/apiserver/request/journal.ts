import { append } from '../../machinery/json/json.ts';
import type { Codec } from '../../api/codec/codec.ts';
import type { AdmissionPhase, Operation } from '../admission/chain/attributes.ts';
import type { AdmissionResult } from '../admission/chain/outcome.ts';
import type { ConversionRecord, RecordConversion } from '../custom-resources/converter.ts';

/** Records the stages and warnings of one request in order. */
export interface Journal {
  readonly now: () => number;
  /** For the following admission passes. */
  readonly item: (item: CollectionItem) => void;
  /** Ends `now`. */
  readonly stage: (name: string, startedAt: number, finishedAt: number, passed: boolean) => void;
  readonly admission: (phase: AdmissionPhase, result: AdmissionResult, about?: AboutAdmission) => void;
  /** Keeps the first conversions and all failed ones. */
  readonly conversion: RecordConversion;
  readonly warn: (text: string) => void;
  /** Another write changed the object during admission. */
  readonly concurrentWrite: (by: ConcurrentWrite) => void;
  readonly entries: () => readonly JournalEntry[];
  readonly stages: () => StageList;
  readonly warnings: () => readonly string[];
}

export type JournalEntry =
  | ({
      readonly type: 'admission';
      readonly phase: AdmissionPhase;
      readonly result: AdmissionResult;
      /** Absent for the only pass. */
      readonly item?: CollectionItem;
    } & AboutAdmission)
  | {
      readonly type: 'conversion';
      readonly record: ConversionRecord;
      /** The index of the stage that contains it. */
      readonly stage: number;
    }
  | { readonly type: 'concurrent-write'; readonly by: ConcurrentWrite };

export type ConcurrentWrite = 'created' | 'updated' | 'deleted';

/** The stages in the order in which they ended: two lists, since thousands of requests keep theirs. */
export interface StageList {
  readonly names: readonly string[];
  /** Of each stage its start, its end, and 1 if it passed. */
  readonly results: readonly number[];
}

export interface StageRecord {
  readonly name: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly passed: boolean;
}

export const stageRecords = ({ names, results }: StageList): readonly StageRecord[] =>
  names.map((name, index) => {
    const [startedAt = 0, finishedAt = 0, passed] = results.slice(3 * index);
    return { name, startedAt, finishedAt, passed: passed === 1 };
  });

const maxConversions = 100;

/** Why admission runs more than once. */
export interface CollectionItem {
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
  const names: string[] = [];
  const results: number[] = [];
  let item: CollectionItem | undefined;
  let conversions = 0;
  return {
    now,
    item: (next) => (item = next),
    stage: (name, startedAt, finishedAt, passed) => {
      names.push(name);
      results.push(startedAt, finishedAt, passed ? 1 : 0);
    },
    admission: (phase, result, about) => {
      entries.push({ type: 'admission', phase, result, ...(item && { item }), ...about });
      append(warnings, result.warnings);
    },
    conversion: (record) => {
      conversions += 1;
      if (conversions <= maxConversions || record.error !== undefined)
        entries.push({ type: 'conversion', record, stage: names.length });
    },
    warn: (text) => warnings.push(text),
    concurrentWrite: (by) => entries.push({ type: 'concurrent-write', by }),
    entries: () => entries,
    stages: () => ({ names, results }),
    warnings: () => warnings,
  };
}
