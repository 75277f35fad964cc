import type { AdmissionPhase, AdmissionRecord, AdmissionResult, PluginRecord } from '../admission/outcome.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import type { JournalEntry } from '../request/journal.ts';

/**
 * The entries of a journal in few objects: the trace log keeps thousands, and every object is one more to look after.
 * A stage is its name among the lines and three numbers.
 */
export interface PackedJournal {
  readonly lines: readonly (string | PackedPass)[];
  readonly numbers: readonly number[];
}

/** A pass of admission. A plugin that let the object pass as it was is its name, the object and three numbers. */
interface PackedPass extends Omit<AdmissionResult, 'records'> {
  readonly phase: AdmissionPhase;
  readonly lines: readonly (string | AdmissionRecord)[];
  readonly objects: readonly (KubernetesObject | null)[];
  readonly numbers: readonly number[];
}

const perLine = 3;

export function packJournal(entries: readonly JournalEntry[]): PackedJournal {
  const lines: (string | PackedPass)[] = [];
  const numbers: number[] = [];
  for (const entry of entries) {
    if (entry.type === 'admission') {
      lines.push(packPass(entry.phase, entry.result));
    } else {
      lines.push(entry.name);
      numbers.push(entry.startedAt, entry.finishedAt, Number(entry.passed));
    }
  }
  // The copies have no room to grow.
  return { lines: lines.slice(), numbers: numbers.slice() };
}

function packPass(
  phase: AdmissionPhase,
  { verdict, received, records, warnings, annotations }: AdmissionResult,
): PackedPass {
  const lines: (string | AdmissionRecord)[] = [];
  const objects: (KubernetesObject | null)[] = [];
  const numbers: number[] = [];
  for (const record of records) {
    if (isQuiet(record)) {
      lines.push(record.plugin);
      objects.push(record.object);
      numbers.push(record.startedAt, record.finishedAt, record.round);
    } else {
      lines.push(record);
    }
  }
  const packed = { lines: lines.slice(), objects: objects.slice(), numbers: numbers.slice() };
  return { phase, verdict, received: received ?? null, warnings, annotations, ...packed };
}

const isQuiet = (record: AdmissionRecord): record is PluginRecord =>
  record.type === 'plugin' &&
  record.outcome.outcome === 'passed' &&
  !record.outcome.changed &&
  record.warnings.length === 0;

/** The entries as they were. */
export function unpackJournal({ lines, numbers }: PackedJournal): readonly JournalEntry[] {
  let at = 0;
  return lines.map((line) => {
    if (typeof line !== 'string') return { type: 'admission', phase: line.phase, result: unpackPass(line) };
    const [startedAt = 0, finishedAt = 0, passed] = numbers.slice(at, (at += perLine));
    return { type: 'stage', name: line, startedAt, finishedAt, passed: passed === 1 };
  });
}

function unpackPass({ phase, verdict, received, warnings, annotations, ...packed }: PackedPass): AdmissionResult {
  let quiet = 0;
  const records = packed.lines.map((line): AdmissionRecord => {
    if (typeof line !== 'string') return line;
    const object = packed.objects[quiet] ?? null;
    const [startedAt = 0, finishedAt = 0, round] = packed.numbers.slice(perLine * quiet);
    quiet += 1;
    const said = { outcome: { outcome: 'passed', changed: false }, object, warnings: [] } as const;
    return { type: 'plugin', plugin: line, phase, round: round === 1 ? 1 : 0, ...said, startedAt, finishedAt };
  });
  return { verdict, received: received ?? null, records, warnings, annotations };
}
