import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A text file's content; '' when there is none. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Writes a file at once: whoever reads it meanwhile sees the old content or the new one, and of a key nobody else anything. */
export function replaceFile(file: string, content: string, mode: number): void {
  const fresh = `${file}.${process.pid}.new`;
  // The mode counts only for a file that is made.
  rmSync(fresh, { force: true });
  try {
    writeFileSync(fresh, content, { mode, flag: 'wx' });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true }); // What a full disk took of it is of no use.
    throw error;
  }
}
