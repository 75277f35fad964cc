import path from 'node:path';

/** With slashes, for reports and documents that are read elsewhere. */
export const portablePath = (name: string, { sep }: Pick<typeof path, 'sep'> = path): string =>
  sep === '/' ? name : name.replaceAll(sep, '/');

/** Whether it is this folder or in it. Windows ignores the case of letters. */
export function isPathWithin(
  name: string,
  folder: string,
  paths: Pick<typeof path, 'relative' | 'isAbsolute' | 'sep'> = path,
): boolean {
  const way = paths.relative(folder, name);
  return way !== '..' && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way);
}
