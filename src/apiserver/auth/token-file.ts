import { readCsv } from './csv.ts';
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
