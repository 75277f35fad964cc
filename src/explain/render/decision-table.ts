import { describeChange } from '../findings/describe-field.ts';
import type { FieldChange } from '../trace/object-diff.ts';
import { ownMilliseconds } from '../trace/sentences.ts';
import type { Tone } from './about-decision.ts';
import { type CalleeModel, type CalleeDecisions, wasCalled } from './callee-headline.ts';
import type { Page } from './explain-page.ts';

/** One webhook, or one policy with its binding and parameters, over all rounds. */
export interface TableRow {
  /** `labels.example.com (team-labels)`, `policy limits (binding limits)`. */
  readonly name: string;
  /** `called`, `called 2x`, `skipped`, `denied`, `failed`; `called, refused` when only a later round was refused before its call. */
  readonly result: string;
  /** `added label team`; empty for none. */
  readonly changed: string;
  /** Absent when it was not called. */
  readonly milliseconds?: number;
  readonly tone: Tone;
  /** The decision that the row is about. */
  readonly decision: CalleeModel;
}

export const tableRow = (decisions: CalleeDecisions): TableRow => {
  const calls = decisions.filter(wasCalled);
  const decision = mainDecision(decisions);
  return {
    name:
      decision.type === 'webhook' && decision.configuration === decision.name ? decision.name : calleeName(decision),
    result: resultText(decision, calls),
    // Of a refused deletecollection: the object.
    changed: decision.tone === 'bad' ? (decision.source.object ?? '') : changesText(calls),
    ...(calls.length === 0 ? {} : { milliseconds: calls.reduce((sum, one) => sum + ownMilliseconds(one.source), 0) }),
    tone: decision.outcome === 'skipped' ? 'quiet' : decision.tone,
    decision,
  };
};

/** The refusal, else the failure, the first call or the nearest miss. */
function mainDecision(decisions: CalleeDecisions): CalleeModel {
  const [first] = decisions;
  return (
    decisions.find(({ tone }) => tone === 'bad') ??
    decisions.find(({ outcome }) => outcome === 'failed-open') ??
    decisions.find(wasCalled) ??
    decisions.find(({ nearness }) => nearness === 'near') ??
    first
  );
}

export function calleeName(decision: CalleeModel): string {
  if (decision.type === 'webhook') return `${decision.name} (${decision.configuration})`;
  const { name, binding, params } = decision;
  if (binding === '') return `policy ${name}`;
  return `policy ${name} (binding ${binding}${params === '' ? '' : `, params ${params}`})`;
}

function resultText(decision: CalleeModel, calls: readonly CalleeModel[]): string {
  if (decision.type === 'webhook' && decision.source.assumed !== undefined) return 'assumed';
  if (decision.outcome === 'failed-open' || decision.outcome === 'failed-closed') return 'failed';
  if (decision.outcome === 'refused' && calls.some(({ outcome }) => outcome !== 'refused')) return 'called, refused';
  const isAgain = calls.length > 1 && (decision.outcome === 'called' || decision.outcome === 'evaluated');
  return isAgain ? `${decision.outcome} ${calls.length}x` : decision.outcome;
}

/** The changes of all calls; `changed nothing` only where none changed anything. */
function changesText(calls: readonly CalleeModel[]): string {
  const dids = [...new Set(calls.map(changedText).filter((did) => did !== '' && did !== 'allowed it'))];
  const changes = dids.filter((did) => did !== 'changed nothing');
  return (changes.length === 0 ? dids : changes).join('; ');
}

const headers = ['WEBHOOK (CONFIGURATION)', 'RESULT', '    MS', 'CHANGED'] as const;
const gap = 2;

/** What one call did, with short values. */
const changedText = ({ did, changes }: CalleeModel): string =>
  changes.length === 0 || did.startsWith('changed nothing') ? did : describeChange(changes, { valueText });

const maxValueLength = 30;

/** `=blue`, ` (blue → green)`; empty for objects, lists and long values. */
function valueText({ before, after }: FieldChange): string {
  const [old = '', now = ''] = [before, after].map((value) =>
    value === undefined || typeof value === 'object' ? '' : String(value),
  );
  if (now === '' || now.length > maxValueLength || now.includes('\n')) return '';
  if (before === undefined) return `=${now}`;
  return old === '' || old.length > maxValueLength || old.includes('\n') ? '' : ` (${old} → ${now})`;
}

/** The rows in columns that fit the page; `details` adds lines below a row. */
export function tableLines(page: Page, rows: readonly TableRow[], details: (row: TableRow) => void): void {
  if (rows.length === 0) return;
  const texts = rows.map((row) => [row.name, row.result, millisecondsText(row), row.changed] as const);
  const widths = columnWidths([headers, ...texts], page.width);
  page.columns(headers, widths, { whole: 'dim' });
  rows.forEach((row, at) => {
    page.columns(texts[at] ?? [], widths, row.tone === 'quiet' ? { whole: 'quiet' } : { second: row.tone });
    details(row);
  });
}

const millisecondsText = ({ milliseconds }: TableRow): string => (milliseconds?.toFixed(1) ?? '').padStart(6);

/** Natural widths; in a narrow page the names and the changes are cut. */
function columnWidths(rows: readonly (readonly string[])[], pageWidth: number): readonly number[] {
  const [name = 0, result = 0, took = 0, changed = 0] = headers.map((_, at) =>
    Math.max(...rows.map((row) => (row[at] ?? '').length)),
  );
  const textWidth = pageWidth - result - took - 4 * gap;
  if (name + changed <= textWidth) return [name, result, took, changed];
  const narrowName = Math.min(name, Math.max(textWidth - changed, Math.floor(textWidth / 2)));
  return [narrowName, result, took, Math.max(textWidth - narrowName, minimum)];
}

const minimum = 16;
