import { expect, test } from 'vitest';
import { exportPlainly } from './export-plainly.mjs';

const getter = (exported: string, returned: string): string =>
  `Object.defineProperty(exports, "${exported}", {\n\tenumerable: true,\n\tget: function() {\n\t\treturn ${returned};\n\t}\n});`;

const plain = [
  'const a = 1;',
  'function a() {}',
  'async function a() {}',
  'function* a() {}',
  'class a {}',
  'var a = class {};',
];

test.each(plain)('%s is exported as it is', (code) => {
  expect(exportPlainly(`${code}\n${getter('b', 'a')}\n`)).toBe(`${code}\nexports.b = a;\n`);
});

const others = ['let a = 1;', 'var a;', 'var a = 1;', '\tconst a = 1;', 'const ab = 1;'];

test.each(others)('%s is not: its value may be another one later', (code) => {
  expect(exportPlainly(`${code}\n${getter('b', 'a')}`)).toBe(`${code}\n${getter('b', 'a')}`);
});

test('what is loaded when it is asked for stays a function', () => {
  expect(exportPlainly(`const a = 1;\n${getter('b', 'a()')}`)).toBe(`const a = 1;\n${getter('b', 'a()')}`);
});
