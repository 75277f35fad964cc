/** Go's escapes by the letter behind the backslash, without quotes and the backslash itself. */
export const goEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
