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
export const quote = (text: string): string => (/^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : escapedQuote(text));

const escapedQuote = (text: string): string =>
  `"${text
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    // oxlint-disable-next-line no-control-regex -- they have escapes of their own
    .replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, (char) => escapes[char] ?? char)}"`;
