import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withoutXPath } from './without-xpath.mjs';

test('antlr4ng as it is installed loses its XPath, and what is exported of it', () => {
  const code = readFileSync(fileURLToPath(import.meta.resolve('antlr4ng')), 'utf8');
  const lean = withoutXPath(code);
  expect(code).toContain('class _XPathLexer');
  expect(lean).not.toMatch(/class _?XPath|^ *XPath/m);
  expect(lean.match(/^\/\/ src\//gm)?.length).toBeGreaterThan(100);
});

test('what is around it stays as it was', () => {
  const code =
    'a;\n// src/A.ts\nb;\n// src/tree/xpath/X.ts\nvar XPath;\n// src/B.ts\nc;\nexport {\n  A,\n  XPath,\n  B\n};\n';
  expect(withoutXPath(code)).toBe('a;\n// src/A.ts\nb;\n// src/B.ts\nc;\nexport {\n  A,\n  B\n};\n');
});
