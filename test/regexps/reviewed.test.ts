import { expect, test } from 'vitest';
import { regexpsIn, regexpsOfSources } from './regexps-in.ts';
import { reviewed } from './reviewed.ts';

const found = regexpsOfSources();

test('every row of the reviewed list names a regular expression that is there', () => {
  const gone = reviewed.filter((row) => !found.some(({ file, code }) => file === row.file && code === row.code));
  const rows = gone.map(
    ({ file, code }) => `${file} no longer has ${code}: remove its row from test/regexps/reviewed.ts`,
  );
  expect(rows).toEqual([]);
});

test('a regular expression of which a part is not known before the program runs is reviewed', () => {
  const unknown = found.filter(({ isKnown }) => !isKnown);
  const missing = unknown.filter(({ file, code }) => !reviewed.some((row) => row.file === file && row.code === code));
  expect(missing.map(({ place, code }) => `${place} ${code}`)).toEqual([]);
});

test('the sources have hundreds of regular expressions', () => {
  expect(found.length).toBeGreaterThan(400);
});

const facts: readonly [code: string, source: string, isKnown: boolean][] = [
  [String.raw`/a\.b/g`, String.raw`a\.b`, true],
  ["const part = '[a-z]'; new RegExp(`^${part}+$`)", '^[a-z]+$', true],
  [String.raw`new RegExp(String.raw${'`'}\d${'`'} + '\\w')`, String.raw`\d\w`, true],
  ["const space = /[ \\t]/; new RegExp(`^${space.source}`, 'u')", '^[ \\t]', true],
  ['const make = (part: string) => new RegExp(`^${part}$`)', '^x$', false],
  ["import { part } from './part.ts'; new RegExp(part)", 'x', false],
];

test.each(facts)('%s is read as %s', (code, source, isKnown) => {
  expect(regexpsIn('file.ts', code).at(-1)).toMatchObject({ source, isKnown });
});
