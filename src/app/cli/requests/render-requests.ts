import type { Digest } from '../../../explain/render/digest.ts';
import type { Paint } from '../../../explain/render/explain-page.ts';
import { shortUser, type TraceSummary } from '../../../explain/trace/trace-summary.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';
import type { Io, Output } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';

/** An item of `kadmit requests -o json`. */
export interface RequestRow
  extends Omit<TraceSummary, 'startedAt' | 'verdict' | 'path' | 'owners'>, Pick<Digest, 'refusedBy' | 'findings'> {
  /** RFC 3339. */
  readonly startedAt: string;
  /** `5 of 10 webhooks called, 4 changed the Pod, nothing suspicious`. */
  readonly headline: string;
}

export function toRow(
  summary: TraceSummary,
  { refusedBy, headline, findings }: Pick<Digest, 'refusedBy' | 'headline' | 'findings'>,
): RequestRow {
  const { id, startedAt, milliseconds, verb, resource, namespace, name, user, dryRun, code, message, webhooks } =
    summary;
  return {
    id,
    startedAt: new Date(startedAt).toISOString(),
    milliseconds,
    verb,
    resource,
    namespace,
    name,
    user,
    dryRun,
    code,
    refusedBy,
    message,
    headline: headline.text,
    webhooks,
    findings,
  };
}

export interface RequestPrinter {
  readonly begin: (rows: readonly RequestRow[]) => void;
  readonly add: (rows: readonly RequestRow[]) => void;
  /** Prints the numbers of omitted requests. */
  readonly end: (left: { readonly listed: number; readonly earlier: number; readonly hidden: number }) => void;
}

export async function createRequestPrinter(
  { output, watch }: { readonly output: Output; readonly watch: boolean },
  io: Io,
): Promise<RequestPrinter> {
  if (output === 'text') return tablePrinter(io);
  const { stringify } = await import('yaml');
  const document = (value: unknown): string =>
    output === 'json'
      ? JSON.stringify(value, null, watch ? 0 : 2)
      : `${watch ? '---\n' : ''}${stringify(value).trimEnd()}`;
  const each = (rows: readonly RequestRow[]): void => rows.forEach((row) => io.out(document(row)));
  return { begin: (rows) => (watch ? each(rows) : io.out(document(rows))), add: each, end: () => {} };
}

function tablePrinter(io: Io): RequestPrinter {
  const table = createRequestTable(ownTerminal().paint);
  const add = (rows: readonly RequestRow[]): void => rows.forEach((row) => io.out(table.line(row, Date.now())));
  return {
    begin: (rows) => {
      io.out(table.header(rows));
      add(rows);
    },
    add,
    end: ({ listed, earlier, hidden }) => {
      if (listed === 0) io.error('no request matches');
      if (earlier > 0) io.error(`${earlier} earlier; --last ${earlier + 50} shows more`);
      if (hidden > 0) io.error(`${hidden} writes by controllers hidden; --all shows them`);
    },
  };
}

const headers = ['AGE', 'VERB', 'RESOURCE', 'OBJECT', 'USER', 'CODE', 'FINDINGS', 'ID', 'RESULT'];

/** As long as any age of less than two years. */
const agePlaceholder = '9m59s';

/** Lines of a table. Columns only get wider, since rows may follow. */
interface RequestTable {
  readonly header: (rows: readonly RequestRow[]) => string;
  readonly line: (row: RequestRow, now: number) => string;
}

export function createRequestTable(paint: Paint): RequestTable {
  const widths = headers.map((header) => header.length);
  const widen = (cells: readonly string[]): void =>
    cells.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  const laidOut = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === cells.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  ');
  return {
    header: (rows) => {
      for (const row of rows) widen(toCells(row, agePlaceholder));
      return paint('strong', laidOut(headers));
    },
    line: (row, now) => {
      const cells = toCells(row, humanDuration(now - Date.parse(row.startedAt)));
      widen(cells);
      return paint(rowStyle(row), laidOut(cells));
    },
  };
}

function toCells(row: RequestRow, age: string): readonly string[] {
  const { verb, resource, namespace, name, user, dryRun, code, findings, headline, id } = row;
  const object = `${namespace === '' || resource === 'namespaces' ? '' : `${namespace}/`}${name || '(unnamed)'}`;
  const [firstLine = ''] = headline.split('\n', 1);
  return [
    age,
    dryRun ? `${verb} (dry run)` : verb,
    withoutGroup(resource),
    object,
    shortUser(user) || '-',
    String(code),
    findings.length === 0 ? '-' : String(findings.length),
    id,
    firstLine,
  ];
}

/** Without the group, to save width. */
const withoutGroup = (resource: string): string => resource.replace(/\.[^/]*/, '');

function rowStyle({ refusedBy, webhooks, findings }: RequestRow): Parameters<Paint>[0] {
  if (refusedBy !== '') return 'bad';
  return webhooks.failed.length > 0 || findings.some(({ severity }) => severity !== 'note') ? 'warn' : 'good';
}
