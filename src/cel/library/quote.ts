import { isOfUnits } from '../syntax/code-points.ts';

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** The text in quotes, with the escapes that a CEL string literal has. Follows cel-go ext/strings.go. */
export const quote = (text: string): string => `"${escaped(wellFormed(text))}"`;

const wellFormed = (text: string): string => (isOfUnits(text) ? text : text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));

const escaped = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- they have escapes of their own
  text.replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, (char) => escapes[char] ?? char);
