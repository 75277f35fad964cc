import { goEscapes } from '../../apimachinery/go-escapes.ts';
import { TemplateFault } from './fault.ts';
import type { Value } from './tree.ts';

/** A number, a text in double quotes or in backquotes, or a letter in single ones, as Go writes them. Throws TemplateFault. */
export function readLiteral(text: string): Value {
  if (text.startsWith('`')) return text.slice(1, -1);
  if (text.startsWith('"')) return unquoted(text);
  if (text.startsWith("'")) return unquoted(text).codePointAt(0) ?? 0;
  const number = Number(text.replaceAll('_', '').replace(/^\+/, ''));
  if (Number.isNaN(number)) throw new TemplateFault(`bad number ${JSON.stringify(text)}`);
  return number;
}

const letters: Readonly<Record<string, string>> = {
  ...goEscapes,
  '\\': '\\',
  '"': '"',
  "'": "'",
};

const escape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/;

const unquoted = (text: string): string =>
  text.slice(1, -1).replace(new RegExp(escape, 'g'), (whole) => {
    const [, x, u, long, letter = ''] = escape.exec(whole) ?? [];
    const code = x ?? u ?? long;
    if (code !== undefined) return character(code);
    const plain = Object.hasOwn(letters, letter) ? letters[letter] : undefined;
    if (plain === undefined) throw new TemplateFault(`unknown escape in ${text}`);
    return plain;
  });

function character(digits: string): string {
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff) throw new TemplateFault(`no such character: ${digits}`);
  return String.fromCodePoint(code);
}
