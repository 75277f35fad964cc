import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'rolldown/utils';

/** Takes the types out of .ts files, and says where each line was. See Node's module.register(). */
export async function load(url, context, nextLoad) {
  if (!new URL(url).pathname.endsWith('.ts')) return nextLoad(url, context);
  const path = fileURLToPath(url);
  const { code, map, errors } = await transform(path, await readFile(path, 'utf8'), { sourcemap: true });
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0].message}`);
  const lines = Buffer.from(JSON.stringify({ ...map, sources: [url] })).toString('base64');
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${lines}`;
  return { format: 'module', source, shortCircuit: true };
}
