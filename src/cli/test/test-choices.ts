import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Goldens } from '../../scenario/expect/golden.ts';
import type { Selection } from '../../scenario/plan-runs.ts';

/** What `--filter` wants. */
export const wantsOf =
  (filter: RegExp | undefined): Selection['wants'] =>
  (title, file) =>
    filter === undefined || filter.test(title) || filter.test(file);

/** Golden files on disk; `--update` writes them. */
export const goldenFiles = (update: boolean): Goldens => ({
  read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
  write: update ? (path, text) => writeFileSync(path, text) : undefined,
});
