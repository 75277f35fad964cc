import type { UserInfo } from './user.ts';

export type Tokens = ReadonlyMap<string, UserInfo>;

export type TokenFileReading =
  | { readonly outcome: 'read'; readonly tokens: Tokens }
  | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * Reads `token,user,uid,"group1,group2"` lines; skips empty tokens, and the last of equal tokens counts. Follows
 * apiserver pkg/authentication/token/tokenfile/tokenfile.go.
 */
export function parseTokenFile(text: string, path: string): TokenFileReading {
  const csv = readCsv(text);
  if (csv.outcome === 'unreadable') return csv;
  const tokens = new Map<string, UserInfo>();
  for (const record of csv.records) {
    const [token = '', username, uid, groups] = record;
    if (username === undefined || uid === undefined) {
      const found = `must have at least 3 columns (token, user name, user uid), found ${record.length}`;
      return { outcome: 'unreadable', error: `token file '${path}' ${found}` };
    }
    if (token !== '') tokens.set(token, { username, uid, groups: groups?.split(',') ?? [], extra: {} });
  }
  return { outcome: 'read', tokens };
}

type CsvReading =
  | { readonly outcome: 'read'; readonly records: readonly (readonly string[])[] }
  /** `parse error on line 1, column 5: bare " in non-quoted field`. */
  | { readonly outcome: 'unreadable'; readonly error: string };

type FieldReading =
  | { readonly value: string; readonly end: number }
  | { readonly problem: string; readonly at: number };

/** Records may differ in length; empty lines are skipped. Follows Go's encoding/csv reader.go. */
export function readCsv(source: string): CsvReading {
  const text = source.replaceAll('\r\n', '\n');
  const records: (readonly string[])[] = [];
  let start = 0;
  while (start < text.length) {
    if (text[start] === '\n') {
      start += 1;
      continue;
    }
    const fields: string[] = [];
    for (;;) {
      const field = text[start] === '"' ? quotedField(text, start) : plainField(text, start);
      if ('problem' in field) return { outcome: 'unreadable', error: errorText(text, field.at, field.problem) };
      fields.push(field.value);
      start = field.end + 1;
      if (text[field.end] !== ',') break;
    }
    records.push(fields);
  }
  return { outcome: 'read', records };
}

function plainField(text: string, start: number): FieldReading {
  const [value = ''] = /[^,\n]*/.exec(text.slice(start)) ?? [];
  const quote = value.indexOf('"');
  if (quote !== -1) return { problem: 'bare " in non-quoted field', at: start + quote };
  return { value, end: start + value.length };
}

/** `""` is an escaped quote. */
function quotedField(text: string, start: number): FieldReading {
  const wrong = 'extraneous or missing " in quoted-field';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { problem: wrong, at: text.length };
    const next = text[quote + 1];
    if (next === undefined || next === ',' || next === '\n') {
      return { value: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
    }
    if (next !== '"') return { problem: wrong, at: quote };
    at = quote + 2;
  }
}

function errorText(text: string, at: number, problem: string): string {
  const before = text.slice(0, at).split('\n');
  return `parse error on line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${problem}`;
}
