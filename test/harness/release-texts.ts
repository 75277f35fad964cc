import { readFileSync } from 'node:fs';

/** The release table as its file has it, unread by the codec. */
export const newestTables: {
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string | readonly string[]>>;
} = JSON.parse(readFileSync(new URL('../../src/api/release/newest/types.json', import.meta.url), 'utf8'));
