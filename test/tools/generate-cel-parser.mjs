// Makes src/cel/grammar/generated from src/cel/grammar/CEL.g4:  node test/tools/generate-cel-parser.mjs
// The result is committed and never edited by hand.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const grammar = 'src/cel/grammar/CEL.g4';
const target = 'src/cel/grammar/generated';
const tool = 'node_modules/antlr-ng/dist/cli/runner.js';

const work = mkdtempSync(join(tmpdir(), 'cel-parser-'));
execFileSync(process.execPath, [tool, '-Dlanguage=TypeScript', '-l', 'false', '-o', work, grammar], {
  stdio: 'inherit',
});

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const name of ['CELLexer', 'CELParser']) {
  const code = readFileSync(join(work, `${name}.ts`), 'utf8');
  const header = `// Generated from ${grammar} by test/tools/generate-cel-parser.mjs: do not edit.\n// @ts-nocheck\n`;
  const linked = code.replaceAll(/from "\.\/(\w+)\.js"/g, 'from "./$1.ts"');
  writeFileSync(join(target, `${name}.ts`), header + linked);
}

rmSync(work, { recursive: true });
