// Writes the declarations of the package into dist/types: node test/tools/build-types.mjs [DIST]
// Only those that src/library.ts imports. It takes a few seconds, so it runs when the package is packed, not at each build.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

const target = join(process.argv[2] ?? 'dist', 'types');
const all = mkdtempSync(join(tmpdir(), 'kadmit-types-'));
const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
const project = join(all, 'tsconfig.json');
const types = {
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  noCheck: true,
  outDir: all,
  rootDir: join(process.cwd(), 'src'),
};
try {
  const roots = join(process.cwd(), 'node_modules', '@types');
  const options = { ...compilerOptions, ...types, typeRoots: [roots] };
  writeFileSync(project, JSON.stringify({ compilerOptions: options, files: [join(process.cwd(), 'src/library.ts')] }));
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], { stdio: 'inherit' });
  rmSync(target, { recursive: true, force: true });
  for (const [file, text] of reachable('library.d.ts')) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), text);
  }
} finally {
  rmSync(all, { recursive: true, force: true });
}

/** This declaration and all that it imports, directly or not, importing `.js` as packages do. */
function reachable(first) {
  const found = new Map();
  const pending = [first];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue;
    const text = readFileSync(join(all, file), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.ts['"]/g)].map((match) => match[1]);
    found.set(file, text.replace(/((?:from|import)\s*\(?\s*['"]\.[^'"]+)\.ts(['"])/g, '$1.js$2'));
    pending.push(...imports.map((path) => `${normalize(join(dirname(file), path))}.d.ts`));
  }
  return found;
}
