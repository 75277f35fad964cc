import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { asObject, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { filesUnder, pathType, readTextFile } from '../read/files.ts';
import { type Located, readLocated } from '../read/located.ts';
import type { Problem } from '../read/problems.ts';

export interface ReviewSuite {
  readonly folder: string;
  readonly reviews: readonly ReviewCase[];
}

export interface ReviewCase {
  readonly file: string;
  readonly review: JsonObject;
  /** From NAME.expected.yaml beside it. */
  readonly expected: Located | undefined;
}

export type ReviewLoading =
  | { readonly outcome: 'loaded'; readonly suites: readonly ReviewSuite[] }
  | { readonly outcome: 'unreadable'; readonly problems: readonly Problem[] };

/** A suite per folder, sorted by name. */
export function loadReviews(paths: readonly string[]): ReviewLoading {
  const problems: Problem[] = [];
  const suites = new Map<string, ReviewCase[]>();
  for (const file of paths.flatMap((path) => reviewFiles(path, problems))) {
    const found = readCase(file, problems);
    if (found) suites.set(dirname(file), [...(suites.get(dirname(file)) ?? []), found]);
  }
  if (problems.length > 0) return { outcome: 'unreadable', problems };
  return { outcome: 'loaded', suites: [...suites].map(([folder, reviews]) => ({ folder, reviews })) };
}

const extensions = ['.json', '.yaml', '.yml'];
const isExpectation = (file: string): boolean => /\.expected\.(?:json|ya?ml)$/.test(file);

function reviewFiles(path: string, problems: Problem[]): readonly string[] {
  const type = pathType(path);
  if (typeof type === 'object') return reportProblem(path, type.problem, problems);
  if (type === 'file') return [path];
  const found = reviewsUnder(path);
  return found.length > 0
    ? found
    : reportProblem(path, 'there is no AdmissionReview in this folder or below it', problems);
}

function reportProblem(file: string, message: string, problems: Problem[]): readonly string[] {
  problems.push({ place: { file, line: 1, column: 1 }, path: '', message });
  return [];
}

const reviewsUnder = (folder: string): readonly string[] =>
  filesUnder(folder).filter((path) => extensions.includes(extname(path)) && !isExpectation(path));

function readCase(file: string, problems: Problem[]): ReviewCase | undefined {
  const root = readDocument(file, problems);
  if (!root) return undefined;
  const review = asObject(root.value);
  if (review['kind'] !== 'AdmissionReview' || !isJsonObject(review['request'])) {
    problems.push({ place: root.place, path: '', message: 'is no AdmissionReview with a request' });
    return undefined;
  }
  const stem = join(dirname(file), basename(file, extname(file)));
  const beside = extensions.map((extension) => `${stem}.expected${extension}`).find((one) => existsSync(one));
  return { file, review, expected: beside === undefined ? undefined : readDocument(beside, problems) };
}

function readDocument(file: string, problems: Problem[]): Located | undefined {
  const reading = readTextFile(file);
  if (reading.outcome === 'unreadable') {
    reportProblem(file, reading.error, problems);
    return undefined;
  }
  const { documents, problems: broken } = readLocated(file, reading.text);
  for (const problem of broken) problems.push({ ...problem, path: '' });
  const [root] = documents;
  if (!root && broken.length === 0) reportProblem(file, 'the file is empty', problems);
  return root;
}
