import type { Command } from '../command.ts';
import type { Flag, FlagsOf } from '../../../adapters/config/flags/flags.ts';

/** What may stand at a place of the command line. */
export type Words =
  | { readonly type: 'files' | 'folders' | 'nothing' }
  | { readonly type: 'words'; readonly words: readonly Word[] }
  /** Names that the server knows. */
  | {
      readonly type: 'server';
      readonly of: 'resources' | 'objects' | 'requests' | 'namespaces' | 'webhooks' | 'mapped';
    };

export interface Word {
  readonly word: string;
  readonly help: string;
}

type FlagTable = readonly Flag<unknown>[];

interface CommandWords {
  readonly flags: () => Promise<FlagTable>;
  /** What is no flag; the last goes for all that follow. */
  readonly places: readonly Words[];
}

const none: Words = { type: 'nothing' };
const files: Words = { type: 'files' };
const words = (...all: readonly string[]): Words => ({ type: 'words', words: all.map((word) => ({ word, help: '' })) });
const server = (of: Extract<Words, { type: 'server' }>['of']): Words => ({ type: 'server', of });

const tableOf = <Options>(flags: FlagsOf<Options>): FlagTable => Object.values<Flag<unknown>>(flags);

const known: Readonly<Record<string, CommandWords>> = {
  serve: {
    flags: async () => tableOf((await import('../../../adapters/config/flags/serve/serve-options.ts')).serveFlags),
    places: [none],
  },
  test: { flags: async () => tableOf((await import('../test/test-options.ts')).testFlags), places: [files] },
  explain: {
    flags: async () => tableOf((await import('../explain/explain-options.ts')).explainFlags),
    places: [server('objects'), none],
  },
  requests: {
    flags: async () => tableOf((await import('../requests/requests-options.ts')).requestsFlags),
    places: [none],
  },
  chain: {
    flags: async () => tableOf((await import('../chain/chain-options.ts')).chainFlags),
    places: [server('resources'), none],
  },
  lint: { flags: async () => tableOf((await import('../lint/lint-options.ts')).lintFlags), places: [files] },
  budget: { flags: async () => tableOf((await import('../budget/budget-options.ts')).budgetFlags), places: [files] },
  permute: { flags: async () => tableOf((await import('../trials/trial-options.ts')).permuteFlags), places: [files] },
  refeed: { flags: async () => tableOf((await import('../trials/trial-options.ts')).refeedFlags), places: [files] },
  diff: { flags: async () => tableOf((await import('../diff/diff-options.ts')).diffFlags), places: [files] },
  upgrade: {
    flags: async () => tableOf((await import('../trials/upgrade-options.ts')).upgradeFlags),
    places: [files],
  },
  map: { flags: async () => tableOf((await import('../map/map-options.ts')).mapFlags), places: [none] },
  doctor: { flags: async () => tableOf((await import('../doctor/doctor-options.ts')).doctorFlags), places: [none] },
  envtest: { flags: () => Promise.resolve([]), places: [words('path', 'run'), files] },
  run: { flags: async () => tableOf((await import('../in-pod/in-pod-options.ts')).inPodFlags), places: [files] },
  cel: { flags: async () => tableOf((await import('../cel/cel-options.ts')).celFlags), places: [none] },
  trace: {
    flags: async () => {
      const { exportFlags, openFlags } = await import('../trace/trace-options.ts');
      return ofSeveral(tableOf(exportFlags), tableOf(openFlags));
    },
    places: [words('export', 'open'), files],
  },
  record: { flags: async () => tableOf((await import('../record/record-options.ts')).recordFlags), places: [files] },
  replay: {
    flags: async () => {
      const { replayFlags } = await import('../replay/replay-options.ts');
      const { replayLogFlags } = await import('../replay/replay-log-options.ts');
      return ofSeveral(tableOf(replayFlags), tableOf(replayLogFlags));
    },
    places: [server('requests'), none],
  },
  load: { flags: async () => tableOf((await import('../load/load-options.ts')).loadFlags), places: [files] },
  import: { flags: async () => tableOf((await import('../import/import-options.ts')).importFlags), places: [files] },
  snapshot: {
    flags: async () => {
      const { replayChangesFlags, saveFlags } = await import('../snapshot/snapshot-options.ts');
      return ofSeveral(tableOf(saveFlags), tableOf(replayChangesFlags));
    },
    places: [words('save', 'restore', 'replay'), files],
  },
  completion: { flags: () => Promise.resolve([]), places: [words('bash', 'zsh', 'fish'), none] },
};

/** Of flags that bear one name, the last. */
const ofSeveral = (...tables: readonly ReturnType<typeof tableOf>[]): ReturnType<typeof tableOf> => [
  ...new Map(tables.flat().map((flag) => [flag.name, flag])).values(),
];

/** The commands, each with its purpose. */
export const commandWords = (commands: readonly Pick<Command, 'name' | 'purpose'>[]): readonly Word[] => [
  ...commands.map(({ name, purpose }) => ({ word: name, help: purpose })),
  { word: 'help', help: 'tell more about a command' },
];

/** The flags of a command, by their names without dashes; `help` is one of all. */
export const flagsOf = async (command: string): Promise<ReadonlyMap<string, Flag<unknown>>> =>
  new Map(((await wordsOf(command)?.flags()) ?? []).map((flag) => [flag.name, flag]));

/** What may stand at the place with this number, from 0, of what is no flag. */
export function placeOf(command: string, at: number): Words {
  const places = wordsOf(command)?.places ?? [none];
  return places[Math.min(at, places.length - 1)] ?? none;
}

const wordsOf = (command: string): CommandWords | undefined =>
  Object.hasOwn(known, command) ? known[command] : undefined;
