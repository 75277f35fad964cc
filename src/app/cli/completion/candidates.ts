import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { flagsOf, placeOf } from './known-words.ts';
import type { Word, Words } from './known-words.ts';

/** What may take the place of the last word: words, or what the shell knows better. */
export type Candidates =
  | { readonly type: 'files' | 'folders' }
  | { readonly type: 'words'; readonly words: readonly Word[] };

/** Names that a server knows; empty when none answers. */
export type NamesOf = (of: Extract<Words, { type: 'server' }>['of'], begun: string) => Promise<readonly Word[]>;

/** What may take the place of the last of these words, which follow `kadmit`. */
export async function candidates(
  line: readonly string[],
  commands: readonly Word[],
  namesOf: NamesOf,
): Promise<Candidates> {
  const begun = line.at(-1) ?? '';
  const [command = '', ...before] = line.slice(0, -1);
  if (line.length <= 1 || (command === 'help' && line.length === 2)) return beginning(commands, begun);
  const flags = await flagsOf(command);
  if (before.includes('--')) return { type: 'files' };
  const asked = flagAsked(flags, before.at(-1));
  if (asked) return answer(valuesOf(asked), begun, namesOf);
  const equals = begun.startsWith('--') ? begun.indexOf('=') : -1;
  if (equals > 0) {
    const flag = flags.get(begun.slice(2, equals));
    return flag ? answer(valuesOf(flag), begun.slice(equals + 1), namesOf) : { type: 'words', words: [] };
  }
  if (begun.startsWith('-')) return beginning(flagWords(flags), begun);
  return answer(placeOf(command, placesTaken(before, flags)), begun, namesOf);
}

const beginning = (words: readonly Word[], begun: string): Candidates => ({
  type: 'words',
  words: words.filter(({ word }) => word.startsWith(begun)),
});

async function answer(words: Words, begun: string, namesOf: NamesOf): Promise<Candidates> {
  switch (words.type) {
    case 'files':
    case 'folders':
      return { type: words.type };
    case 'nothing':
      return { type: 'words', words: [] };
    case 'words':
      return beginning(words.words, begun);
    case 'server':
      return beginning(await namesOf(words.of, begun), begun);
  }
}

const short: Readonly<Record<string, string>> = { '-o': 'output', '-n': 'namespace', '-f': 'filename', '-w': 'watch' };

/** The flag whose value comes next. */
function flagAsked(flags: ReadonlyMap<string, Flag<unknown>>, word = ''): Flag<unknown> | undefined {
  const name = Object.hasOwn(short, word) ? (short[word] ?? '') : word.startsWith('--') ? word.slice(2) : '';
  const flag = flags.get(name);
  return flag?.isSwitch ? undefined : flag;
}

function placesTaken(before: readonly string[], flags: ReadonlyMap<string, Flag<unknown>>): number {
  return before.filter((word, at) => !word.startsWith('-') && !flagAsked(flags, before[at - 1])).length;
}

const flagWords = (flags: ReadonlyMap<string, Flag<unknown>>): readonly Word[] => [
  ...[...flags.values()].map(({ name, help }) => ({ word: `--${name}`, help })),
  { word: '--help', help: 'tell about the command' },
];

/** What a flag takes, as its help says it: `FILE`, `text|json`, `NAMESPACE`. */
function valuesOf({ argument, name }: Flag<unknown>): Words {
  if (/^(?:FILE|PATH|SCRIPT)$/.test(argument)) return { type: 'files' };
  if (/^(?:FOLDER|DIR|DIRECTORY)$/.test(argument)) return { type: 'folders' };
  if (/^[a-z0-9-]+(?:\|[a-z0-9-]+)+$/i.test(argument)) {
    return { type: 'words', words: argument.split('|').map((word) => ({ word, help: '' })) };
  }
  if (argument === 'NAMESPACE') return { type: 'server', of: 'namespaces' };
  if (argument === 'TYPE') return { type: 'server', of: 'resources' };
  if (name === 'webhook') return { type: 'server', of: 'webhooks' };
  if (argument === 'FROM') return { type: 'server', of: 'mapped' };
  return { type: 'nothing' };
}
