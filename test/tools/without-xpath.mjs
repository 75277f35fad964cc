/**
 * The code of antlr4ng without its XPath, which nobody here uses: it reads a grammar of its own as soon as it is loaded, and
 * that takes longer than loading all the rest.
 */
export function withoutXPath(code) {
  const [head = '', ...files] = code.split(/^(?=\/\/ src\/)/m);
  const kept = files.filter((file) => !file.startsWith('// src/tree/xpath/'));
  return [head, ...kept].join('').replace(/^ +XPath\w*,?\n/gm, '');
}
