/** What a letter behind a backslash stands for in Go's texts, beside quotes and the backslash itself. */
export const goEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
