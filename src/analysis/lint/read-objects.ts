import { existsSync } from 'node:fs';
import { manifestFiles, readTextFile } from '../../testing/scenario/read/files.ts';
import { createProblems, type Problems } from '../../testing/scenario/read/problems.ts';
import { type LintObject, readLintText, type LintInput } from './model/lint-object.ts';

/** Reads files and manifests of folders. Reports unreadable ones as problems; never throws. */
export function readLintFiles(paths: readonly string[]): LintInput {
  const problems = createProblems();
  const texts = new Map<string, string>();
  const objects = paths.flatMap((path) => {
    if (existsSync(path)) return manifestFiles(path).flatMap((file) => readLintFile(file, texts, problems));
    problems.add({ place: { file: path, line: 1, column: 1 }, path: '', message: 'there is no such file or folder' });
    return [];
  });
  return { objects, texts, problems: problems.all() };
}

function readLintFile(file: string, texts: Map<string, string>, problems: Problems): readonly LintObject[] {
  const reading = readTextFile(file);
  if (reading.outcome === 'unreadable') {
    problems.add({ place: { file, line: 1, column: 1 }, path: '', message: reading.error });
    return [];
  }
  const read = readLintText(file, reading.text);
  texts.set(file, reading.text);
  for (const problem of read.problems) problems.add(problem);
  return read.objects;
}
