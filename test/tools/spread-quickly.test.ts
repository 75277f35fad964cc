import { expect, test } from 'vitest';
import { spreadQuickly } from './spread-quickly.mjs';

const rows = [
  ['a literal that begins with a spread and has more', 'f({ ...a, b })', 'f({ ...null, ...a, b })'],
  ['two spreads', 'f({ ...a, ...b })', 'f({ ...null, ...a, ...b })'],
  [
    'one inside of another, twice',
    'f({ ...a, b: { ...c, d } }, { ...e, f })',
    'f({ ...null, ...a, b: { ...null, ...c, d } }, { ...null, ...e, f })',
  ],
  ['over several lines', 'f({\n  ...a,\n  b,\n})', 'f({\n  ...null, ...a,\n  b,\n})'],
  ['a copy alone', 'f({ ...a })', undefined],
  ['a literal that begins with a field', 'f({ b, ...a })', undefined],
  ['a list', 'f([...a, b])', undefined],
  ['a pattern', 'const { ...rest } = a; const g = ({ ...more }) => more;', undefined],
  ['a text that looks like one', 'f("{ ...a, b }", `{ ...a, b }`, /{...a, b}/)', undefined],
  ['no code at all', '', undefined],
] as const;

test.each(rows)('%s', (_what, code, quick) => {
  expect(spreadQuickly(code)).toBe(quick ?? code);
});
