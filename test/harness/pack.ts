import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Writes the tarball into `folder`, as `npm pack` does, but apart from `dist/`, which other tests use. */
export async function pack(folder: string): Promise<Packed> {
  const copy = join(folder, 'copy');
  for (const path of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'docs/reference']) {
    cpSync(path, join(copy, path), { recursive: true });
  }
  await run(process.execPath, ['test/tools/build.mjs', join(copy, 'dist'), '--package']);
  await run(process.execPath, ['test/tools/build-types.mjs', join(copy, 'dist')]);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: copy, maxBuffer: 10 ** 7 });
  const [packed] = JSON.parse(stdout) as [Packed];
  return packed;
}
