import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Builds another kadmit and returns its dist/: REF is the folder of a checkout, or a commit, which is checked out below
 * `folder` with the packages of this one.
 */
export function buildOther(ref, folder) {
  const checkout = existsSync(ref) ? resolve(ref) : join(folder, 'other');
  if (!existsSync(ref)) {
    execFileSync('git', ['worktree', 'add', '--detach', checkout, ref], { stdio: 'inherit' });
    symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
  }
  execFileSync(process.execPath, ['test/tools/build.mjs', 'dist', '--package'], { cwd: checkout, stdio: 'inherit' });
  return join(checkout, 'dist');
}

export const pruneWorktrees = () => execFileSync('git', ['worktree', 'prune'], { stdio: 'inherit' });
