import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const tables = ['src/api/release/newest', 'src/api/release/older'];
const generator = [
  'test/tools/make-release.ts',
  'test/tools/make-builtin.mjs',
  'test/tools/api-facts.go',
  'test/tools/table-columns.go',
  'test/tools/feature-gates.go',
  ...['bootstrap-rows.ts', 'columns.ts', 'lifecycle.ts', 'write-delta.ts'].map((name) => `test/tools/release/${name}`),
];

export const madeFile = 'test/tools/release/made.json';

/** SHA-256 of the tables of releases and of what makes them, by file. */
export const checksums = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...tables.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name))), ...generator]
      .toSorted()
      .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );

/** Says that these tables come from this generator. */
export const writeChecksums = (): void => writeFileSync(madeFile, `${JSON.stringify(checksums(), null, 2)}\n`);
