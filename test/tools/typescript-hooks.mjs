import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'oxc-transform';

/** Takes the types out of .ts files. See Node's module.register(). */
export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const path = fileURLToPath(url);
  const { code, errors } = await transform(path, await readFile(path, 'utf8'));
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0].message}`);
  return { format: 'module', source: code, shortCircuit: true };
}
