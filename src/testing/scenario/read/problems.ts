import type { SourceLocation } from '../format.ts';
import type { WorldUser } from '../world.ts';
import type { Located } from './located.ts';

/** `path` is '' for the file as a whole. */
export interface Problem {
  readonly place: SourceLocation;
  readonly path: string;
  readonly message: string;
}

export interface Problems {
  readonly add: (problem: Problem) => void;
  /** 'at-key': at the place of the key. */
  readonly at: (where: Located, message: string, atKey?: 'at-key') => void;
  /** In file and line order, each once. */
  readonly all: () => readonly Problem[];
}

export function createProblems(): Problems {
  const found: Problem[] = [];
  return {
    add: (problem) => void found.push(problem),
    at: (where, message, atKey) =>
      void found.push({ place: atKey ? where.keyPlace : where.place, path: where.path, message }),
    all: () => {
      const seen = new Map(found.map((problem) => [problemText(problem), problem]));
      return [...seen.values()].toSorted(byPlace);
    },
  };
}

function byPlace({ place: a }: Problem, { place: b }: Problem): number {
  if (a.file !== b.file) return 0;
  return a.line - b.line || a.column - b.column;
}

/** `scenarios/x/scenario.yaml:12:7: steps[0].expect.denyBy: unknown field; did you mean deniedBy?` */
export const problemText = ({ place, path, message }: Problem): string =>
  `${placeText(place)}: ${path === '' ? '' : `${path}: `}${message}`;

export const placeText = ({ file, line, column }: SourceLocation): string => `${file}:${line}:${column}`;

const mostShown = 20;

/** The first ones, and the number of the others. */
export function problemLines(problems: readonly Problem[]): readonly string[] {
  const more = problems.length - mostShown;
  return [...problems.slice(0, mostShown).map(problemText), ...(more > 0 ? [`… and ${more} more`] : [])];
}

/** Shared by all readers of one scenario. */
export interface ScenarioReader {
  readonly folder: string;
  readonly problems: Problems;
  /** The scenario depends on this file. */
  readonly uses: (file: string) => void;
  /** A note for the user, before the run. */
  readonly notes?: (text: string) => void;
  /** If set, scripts are not loaded, and this is called for each. */
  readonly needsScript?: () => void;
  readonly users: ReadonlyMap<string, WorldUser>;
}
