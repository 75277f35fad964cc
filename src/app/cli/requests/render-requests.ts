import type { Digest } from '../../../explain/findings/digest.ts';
import type { Paint } from '../../../explain/render/explain-page.ts';
import type { TraceSummary, WebhookNames } from '../../../explain/trace/trace-summary.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';
import type { Io, Output } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';

/** An item of `kadmit requests -o json`. */
export interface RequestRow {
  readonly id: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  readonly dryRun: boolean;
  readonly code: number;
  /** The webhook, policy or plugin that refused it, or `API server`; empty when it was admitted. */
  readonly refusedBy: Digest['refusedBy'];
  readonly message: string;
  readonly webhooks: WebhookNames;
  readonly findings: Digest['findings'];
}

export function rowOf(summary: TraceSummary, { refusedBy, findings }: Omit<Digest, 'id'>): RequestRow {
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

const headers = [
  'AGE',
  'VERB',
  'RESOURCE',
  'OBJECT',
  'USER',
  'CODE',
  'CALLED',
  'SKIPPED',
  'FINDINGS',
  'REFUSED BY',
  'ID',
];

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
      for (const row of rows) widen(cellsOf(row, '59s'));
      return paint('strong', laidOut(headers));
    },
    line: (row, now) => {
      const cells = cellsOf(row, humanDuration(now - Date.parse(row.startedAt)));
      widen(cells);
      return paint(styleOf(row), laidOut(cells));
    },
  };
}

function cellsOf(row: RequestRow, age: string): readonly string[] {
  const { verb, resource, namespace, name, user, dryRun, code, webhooks, findings, refusedBy, id } = row;
  const { called, denied, failed, skipped, assumed = [] } = webhooks;
  const calls = new Set([...called, ...denied, ...failed]).size;
  const object = `${namespace === '' || resource === 'namespaces' ? '' : `${namespace}/`}${name || '(unnamed)'}`;
  const withAssumed = assumed.length === 0 ? '' : `${calls - assumed.length} + ${assumed.length} assumed`;
  const [callCount, ...counts] = [calls, skipped.length, findings.length].map((count) =>
    count === 0 ? '-' : String(count),
  );
  const shownVerb = dryRun ? `${verb} (dry run)` : verb;
  return [
    age,
    shownVerb,
    briefly(resource),
    object,
    shortUser(user),
    String(code),
    withAssumed || (callCount ?? ''),
    ...counts,
    refusedBy || '-',
    id,
  ];
}

/** Without the group, to save width. */
const briefly = (resource: string): string => resource.replace(/\.[^/]*/, '');

/** `kube-system/replicaset-controller` for a service account. */
export const shortUser = (user: string): string => user.replace(/^system:serviceaccount:([^:]+):(.+)$/, '$1/$2') || '-';

function styleOf({ refusedBy, webhooks, findings }: RequestRow): Parameters<Paint>[0] {
  if (refusedBy !== '') return 'bad';
  return webhooks.failed.length > 0 || findings.some(({ severity }) => severity !== 'note') ? 'warn' : 'good';
}
