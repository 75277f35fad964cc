import type { Io } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { createRequestTable } from './request-table.ts';
import type { RequestRow } from './request-row.ts';
import type { RequestsOptions } from './requests-options.ts';

/** Prints a list of requests that may grow. */
export interface RequestPrinter {
  readonly begin: (rows: readonly RequestRow[]) => void;
  readonly add: (rows: readonly RequestRow[]) => void;
  /** Says what the list leaves out. */
  readonly end: (left: { readonly listed: number; readonly earlier: number; readonly hidden: number }) => void;
}

export async function createRequestPrinter(
  { output, watch }: Pick<RequestsOptions, 'output' | 'watch'>,
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
      if (listed === 0) io.error('no request fits');
      if (earlier > 0) io.error(`${earlier} earlier; --last ${earlier + 50} shows more`);
      if (hidden > 0) io.error(`${hidden} of controllers that no webhook was asked about; --all shows them`);
    },
  };
}
