import type { AdmissionRecord, AdmissionResult } from '../admission/outcome.ts';
import type { AdmissionPhase } from '../admission/admission-phase.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import type { AdmissionTurn, JournalEntry } from '../request/journal.ts';

/**
 * The entries of a journal in few objects: the trace log keeps thousands, and every object is one more to look after.
 * A stage is its name among the lines and three numbers.
 */
export interface PackedJournal {
  readonly lines: readonly (string | PackedPass | Conversion)[];
  /** The numbers of all lines in order, those of passes included, from `start` on; many journals share one array. */
  readonly numbers: Float64Array;
  readonly start: number;
}

type Conversion = Extract<JournalEntry, { readonly type: 'conversion' }>;

/** A pass of admission. A plugin that let the object pass as it was is its name and four numbers. */
interface PackedPass extends Omit<AdmissionResult, 'records'> {
  readonly type: 'pass';
  readonly phase: AdmissionPhase;
  readonly turn: AdmissionTurn | undefined;
  readonly lines: readonly (string | AdmissionRecord)[];
  /** The objects that such plugins saw, each once; the fourth number is a place in this list. */
  readonly objects: readonly (KubernetesObject | null)[];
}

const perStage = 3;
const perPlugin = 4;

/** What the next journals write their numbers to. */
let page = new Float64Array(64 * 1024);
let used = 0;

export function packJournal(entries: readonly JournalEntry[]): PackedJournal {
  openPage(entries);
  const [numbers, start] = [page, used];
  return { lines: entries.map(packEntry), numbers, start };
}

function packEntry(entry: JournalEntry): PackedJournal['lines'][number] {
  if (entry.type === 'admission') return packPass(entry);
  if (entry.type === 'conversion') return entry;
  page[used] = entry.startedAt;
  page[used + 1] = entry.finishedAt;
  page[used + 2] = entry.passed ? 1 : 0;
  used += perStage;
  return entry.name;
}

/** Sees to it that the page has room for all numbers of the entries, as if conversions had some. */
function openPage(entries: readonly JournalEntry[]): void {
  let needed = 0;
  for (const entry of entries) {
    needed += entry.type === 'admission' ? perPlugin * entry.result.records.length : perStage;
  }
  if (used + needed <= page.length) return;
  page = new Float64Array(Math.max(page.length, needed));
  used = 0;
}

/** The objects of the pass that is packed. */
let objects: (KubernetesObject | null)[] = [];

function packPass({ phase, turn, result }: Extract<JournalEntry, { readonly type: 'admission' }>): PackedPass {
  const { verdict, received, records, warnings, annotations } = result;
  objects = [];
  const kept = { lines: shared(records.map(packRecord)), objects, warnings, annotations };
  return { type: 'pass', phase, turn, verdict, received: received ?? null, ...kept };
}

/** Forty plugins have looked at every write: nothing else is called for each. */
function packRecord(record: AdmissionRecord): string | AdmissionRecord {
  if (record.type !== 'plugin' || record.warnings.length > 0) return record;
  const { outcome, object } = record;
  if (outcome.outcome !== 'passed' || outcome.changed) return record;
  if (objects.length === 0 || objects[objects.length - 1] !== object) objects.push(object);
  page[used] = record.startedAt;
  page[used + 1] = record.finishedAt;
  page[used + 2] = record.round;
  page[used + 3] = objects.length - 1;
  used += perPlugin;
  return record.plugin;
}

let last: readonly (string | AdmissionRecord)[] = [];

/** Most passes are of the same plugins as the one before: then their lists are one. */
function shared(lines: readonly (string | AdmissionRecord)[]): typeof lines {
  let at = lines.length === last.length ? 0 : -1;
  while (at >= 0 && at < lines.length) at = lines[at] === last[at] ? at + 1 : -1;
  if (at < 0) last = lines;
  return last;
}

/** The entries as they were. */
export function unpackJournal({ lines, numbers, start }: PackedJournal): readonly JournalEntry[] {
  let at = start;
  const next = (): number => numbers[at++] ?? 0;
  return lines.map((line) => {
    if (typeof line !== 'string') {
      if (line.type === 'conversion') return line;
      const { phase, turn } = line;
      return { type: 'admission', phase, result: unpackPass(line, next), ...(turn && { turn }) };
    }
    return { type: 'stage', name: line, startedAt: next(), finishedAt: next(), passed: next() === 1 };
  });
}

function unpackPass(
  { type: _type, phase, turn: _turn, lines, objects, received, ...said }: PackedPass,
  next: () => number,
): AdmissionResult {
  const records = lines.map((line): AdmissionRecord => {
    if (typeof line !== 'string') return line;
    const [startedAt, finishedAt, round] = [next(), next(), next() === 1 ? 1 : 0] as const;
    const object = objects[next()] ?? null;
    const outcome = { outcome: 'passed', changed: false } as const;
    return { type: 'plugin', plugin: line, phase, round, outcome, object, warnings: [], startedAt, finishedAt };
  });
  return { ...said, received: received ?? null, records };
}
