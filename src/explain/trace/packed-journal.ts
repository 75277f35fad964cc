import type { AdmissionRecord, AdmissionResult } from '../../apiserver/admission/chain/outcome.ts';
import type { AdmissionPhase } from '../../apiserver/admission/chain/admission-phase.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { nothing } from '../../machinery/together.ts';
import type { AdmissionTurn, JournalEntry } from '../../apiserver/request/journal.ts';

/**
 * The entries of a journal in few objects, since the trace log keeps thousands. A stage is its name among the lines
 * and three numbers.
 */
export interface PackedJournal {
  readonly lines: readonly (string | PackedPass | Unpacked)[];
  /** The numbers of all lines in order, from `start` on; many journals share one array. */
  readonly numbers: Float64Array;
  readonly start: number;
}

type Unpacked = Extract<JournalEntry, { readonly type: 'conversion' | 'overtaken' }>;

/** A pass of admission. A plugin that changed nothing is its name and four numbers. */
interface PackedPass extends Omit<AdmissionResult, 'records'> {
  readonly type: 'pass';
  readonly phase: AdmissionPhase;
  readonly turn: AdmissionTurn | undefined;
  readonly lines: readonly (string | AdmissionRecord)[];
  /** The objects of such plugins, each once; the fourth number is an index into this list. */
  readonly objects: readonly (KubernetesObject | null)[];
}

const perStage = 3;
const perPlugin = 4;

/** The numbers of about twenty writes: a kept journal keeps its whole page. */
const perPage = 4096;

let page = new Float64Array(0);
let used = 0;

export function packJournal(entries: readonly JournalEntry[]): PackedJournal {
  openPage(entries);
  const [numbers, start] = [page, used];
  const lines: PackedJournal['lines'][number][] = [];
  // A plain loop: each write has sixteen stages.
  for (const entry of entries) {
    if (entry.type === 'admission') lines.push(packPass(entry));
    else if (entry.type !== 'stage') lines.push(entry);
    else {
      page[used] = entry.startedAt;
      page[used + 1] = entry.finishedAt;
      page[used + 2] = entry.passed ? 1 : 0;
      used += perStage;
      lines.push(entry.name);
    }
  }
  return { lines, numbers, start };
}

/** Starts a new page when the current one has too little space. */
function openPage(entries: readonly JournalEntry[]): void {
  let needed = 0;
  for (const entry of entries) {
    needed += entry.type === 'admission' ? perPlugin * entry.result.records.length : perStage;
  }
  if (used + needed <= page.length) return;
  page = new Float64Array(Math.max(perPage, needed));
  used = 0;
}

/** A plain loop: each write has forty plugins. */
function packPass({ phase, turn, result }: Extract<JournalEntry, { readonly type: 'admission' }>): PackedPass {
  const { verdict, received, records, warnings, annotations } = result;
  const lines: (string | AdmissionRecord)[] = [];
  const objects: (KubernetesObject | null)[] = [];
  for (const record of records) {
    if (
      record.type !== 'plugin' ||
      record.warnings.length > 0 ||
      record.outcome.outcome !== 'passed' ||
      record.outcome.changed
    ) {
      lines.push(record);
      continue;
    }
    if (objects.length === 0 || objects[objects.length - 1] !== record.object) objects.push(record.object);
    page[used] = record.startedAt;
    page[used + 1] = record.finishedAt;
    page[used + 2] = record.round;
    page[used + 3] = objects.length - 1;
    used += perPlugin;
    lines.push(record.plugin);
  }
  const said = { warnings: kept(warnings), annotations: kept(annotations) };
  return { type: 'pass', phase, turn, verdict, received: received ?? null, lines: shared(lines), objects, ...said };
}

/** Shares one empty list. */
export const kept = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? nothing : list);

let last: readonly (string | AdmissionRecord)[] = [];

/** Most passes have the same lines as the one before: then they share one list. */
function shared(lines: readonly (string | AdmissionRecord)[]): typeof lines {
  let at = lines.length === last.length ? 0 : -1;
  while (at >= 0 && at < lines.length) at = lines[at] === last[at] ? at + 1 : -1;
  if (at < 0) last = lines;
  return last;
}

export function unpackJournal({ lines, numbers, start }: PackedJournal): readonly JournalEntry[] {
  let at = start;
  const next = (): number => numbers[at++] ?? 0;
  return lines.map((line) => {
    if (typeof line !== 'string') {
      if (line.type !== 'pass') return line;
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
