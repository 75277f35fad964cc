import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where the PATH has a program; '' when it has none. */
export function onPath(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? '';
}

/** The kubectls to test with: the one on the PATH, and those that KUBECTLS names with colons between. */
export const kubectls: readonly string[] = [
  ...new Set([onPath('kubectl'), ...(process.env['KUBECTLS'] ?? '').split(delimiter)].filter((path) => path !== '')),
];
