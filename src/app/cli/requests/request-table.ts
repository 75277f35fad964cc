import { humanDuration } from '../../../machinery/go/human-duration.ts';
import type { Paint } from '../../../explain/render/explain-page.ts';
import type { RequestRow } from './request-row.ts';

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

/** Lines of a table: the header, then a line for each row. Columns that were wide once stay wide, for a list that grows. */
export interface RequestTable {
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
  const asked = new Set([...called, ...denied, ...failed]).size;
  const object = `${namespace === '' || resource === 'namespaces' ? '' : `${namespace}/`}${name || '(unnamed)'}`;
  const isAsked = assumed.length === 0 ? '' : `${asked - assumed.length} + ${assumed.length} assumed`;
  const [calls, ...counts] = [asked, skipped.length, findings.length].map((count) =>
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
    isAsked || (calls ?? ''),
    ...counts,
    refusedBy || '-',
    id,
  ];
}

/** Without the group: the columns after it shall stay on the screen. */
const briefly = (resource: string): string => resource.replace(/\.[^/]*/, '');

/** `kube-system/replicaset-controller` for a service account. */
const shortUser = (user: string): string => user.replace(/^system:serviceaccount:([^:]+):(.+)$/, '$1/$2') || '-';

function styleOf({ refusedBy, webhooks, findings }: RequestRow): Parameters<Paint>[0] {
  if (refusedBy !== '') return 'bad';
  return webhooks.failed.length > 0 || findings.some(({ severity }) => severity !== 'note') ? 'warn' : 'good';
}
