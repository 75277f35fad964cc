import type { PluginLoading, PluginScript } from '../../stubs/load-plugin.ts';
import type { ScriptLoading } from '../../stubs/load-script.ts';
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

const maxShown = 20;

/** The first ones, and the number of the others. */
export function problemLines(problems: readonly Problem[]): readonly string[] {
  const more = problems.length - maxShown;
  return [...problems.slice(0, maxShown).map(problemText), ...(more > 0 ? [`… and ${more} more`] : [])];
}

/** Shared by all readers of one scenario. */
export interface ScenarioReader {
  readonly files: NamedFiles;
  readonly problems: Problems;
  /** A note for the user, before the run. */
  readonly notes?: (text: string) => void;
  readonly users: ReadonlyMap<string, WorldUser>;
}

/** The files that a scenario names. A browser has none. */
export interface NamedFiles {
  /** The path that the text at `at` names, relative to the scenario; undefined after a problem: it does not exist. */
  readonly find: (at: Located, problems: Problems) => string | undefined;
  readonly isFolder: (path: string) => boolean;
  /** Of a file, or of all manifests in a folder. */
  readonly documents: (path: string, problems: Problems) => readonly Located[];
  /** The path of a golden file, which need not exist; undefined after a problem. */
  readonly golden: (at: Located, problems: Problems) => string | undefined;
  /** 'left-out': scripts are not wanted. */
  readonly loadScript: (path: string) => Promise<ScriptLoading | LeftOut>;
  /** The code of a script in the scenario itself. */
  readonly loadScriptText: (text: string) => Promise<ScriptLoading | LeftOut>;
  readonly loadPlugin: (path: string, others: readonly PluginScript['plugin'][]) => Promise<PluginLoading | LeftOut>;
}

interface LeftOut {
  readonly outcome: 'left-out';
}
