// Loads what the build made of src/, with what V8 made of that then: dist/load.js.
// Code that another version of V8 compiled, or none, is compiled as usual.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Script } from 'node:vm';

const loaded = new Map();
const compiledOf = (file) => `${file}.compiled`;

/** What this file of dist/ exports; its code runs once. */
export const load = (name) => loadFile(join(import.meta.dirname, name));

/** Writes what V8 has compiled until now of all that was loaded beside it. */
export function keepCompiled() {
  for (const [file, { script }] of loaded) writeFileSync(compiledOf(file), script.createCachedData());
}

function loadFile(file) {
  const known = loaded.get(file);
  if (known) return known.module.exports;
  const cachedData = existsSync(compiledOf(file)) ? readFileSync(compiledOf(file)) : undefined;
  // The build writes ASCII only.
  const script = new Script(wrapped(readFileSync(file, 'latin1')), { filename: file, cachedData });
  const module = { exports: {} };
  loaded.set(file, { module, script });
  script.runInThisContext()(module.exports, requireFrom(file), module, file, dirname(file), importModule);
  return module.exports;
}

const wrapped = (code) => `(function (exports, require, module, __filename, __dirname, importModule) {${code}\n})`;

const importModule = (specifier) => import(specifier);

function requireFrom(file) {
  const outside = createRequire(file);
  const require = (id) => (id.startsWith('.') ? loadFile(resolve(dirname(file), id)) : outside(id));
  return Object.assign(require, { resolve: outside.resolve });
}
