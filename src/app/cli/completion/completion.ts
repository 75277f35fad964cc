import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { callServer } from '../../../adapters/config/kubeconfig/call-server.ts';
import { fetchResources } from '../../../adapters/config/kubeconfig/named-resource.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Command } from '../command.ts';
import { fetchSummaries } from '../explain/fetch-trace.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { commandWords, flagsOf, placeOf } from './known-words.ts';
import type { Word, Words } from './known-words.ts';

/** What may take the place of the last word: words, or what the shell knows better. */
type Candidates = { readonly type: 'files' | 'folders' } | { readonly type: 'words'; readonly words: readonly Word[] };

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

/** Who waits for a key to be answered does not wait long. */
const patienceMs = 1500;
const mostRequests = 20;

/** What the server of this folder knows; nothing when there is none, or it takes too long. */
const namesOnServer: NamesOf = async (of, begun) => {
  const names = readKubeconfig('.kadmit/kubeconfig').then((access) => askers[of](access, begun));
  const nothing: readonly Word[] = [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Word[]>((resolve) => {
    timer = setTimeout(() => resolve(nothing), patienceMs);
  });
  return Promise.race([names, late])
    .catch(() => nothing)
    .finally(() => clearTimeout(timer));
};

type Asker = (access: ServerAccess, begun: string) => Promise<readonly Word[]>;

const askers: Readonly<Record<Parameters<NamesOf>[0], Asker>> = {
  resources: async (access) =>
    (await fetchResources(access)).map(({ resource, group, kind }) => ({
      word: resource,
      help: group === '' ? kind : `${kind} of ${group}`,
    })),
  requests: async (access) => [last, ...(await recent(access))],
  objects: async (access, begun) =>
    begun.includes('/') ? writtenObjects(access, begun) : [last, ...(await recent(access))],
  namespaces: (access) => listed(access, '/api/v1/namespaces'),
  webhooks: async (access) => {
    const kinds = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];
    const lists = await Promise.all(
      kinds.map((kind) => items(access, `/apis/admissionregistration.k8s.io/v1/${kind}`)),
    );
    return lists.flat().flatMap((one) => asList(one['webhooks']).map(asObject).map(namedBy));
  },
  mapped: async (access) =>
    asList(asObject(await json(access, '/kadmit/v1/map'))['map'])
      .map(asObject)
      .map(({ from, url }) => ({ word: asString(from), help: asString(url) })),
};

const last: Word = { word: 'last', help: 'the last write' };

const recent = async (access: ServerAccess): Promise<readonly Word[]> =>
  (await fetchSummaries(access))
    .filter(({ user }) => !user.startsWith('system:'))
    .slice(0, mostRequests)
    .map(({ id, verb, resource, name, code }) => ({ word: id, help: `${verb} ${resource} ${name} ${code}` }));

/** `pod/web` of everything that was written, with the word for the type as it was begun. */
async function writtenObjects(access: ServerAccess, begun: string): Promise<readonly Word[]> {
  const type = begun.slice(0, begun.indexOf('/'));
  const [known, summaries] = await Promise.all([fetchResources(access), fetchSummaries(access)]);
  const meant = known.find(({ resource, otherNames }) => [resource, ...otherNames].includes(type.toLowerCase()));
  const qualified = meant && (meant.group === '' ? meant.resource : `${meant.resource}.${meant.group}`);
  const names = summaries.filter(({ resource }) => resource === qualified).map(({ name }) => name);
  return [...new Set(names)].filter((name) => name !== '').map((name) => ({ word: `${type}/${name}`, help: '' }));
}

const namedBy = (object: ReturnType<typeof asObject>): Word => ({ word: asString(object['name']), help: '' });

const listed = async (access: ServerAccess, path: string): Promise<readonly Word[]> =>
  (await items(access, path)).map((one) => namedBy(asObject(one['metadata'])));

const items = async (access: ServerAccess, path: string): Promise<readonly ReturnType<typeof asObject>[]> =>
  asList(asObject(await json(access, path))['items']).map(asObject);

async function json(access: ServerAccess, path: string): Promise<ReturnType<typeof asObject>> {
  const { code, text } = await callServer(access, { method: 'GET', path, timeout: patienceMs });
  return code === 200 ? asObject(JSON.parse(text)) : {};
}

/** Asks `kadmit completion of WORD...`, whose lines are words, or `:files` and `:folders` for what the shell knows itself. */
const bash = `_kadmit() {
  local cur words cword line
  COMPREPLY=()
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n =: cur words cword
  else
    cur=\${COMP_WORDS[COMP_CWORD]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
  fi
  local begun=$cur
  case $cur in --*=*) begun=\${cur#*=} ;; esac
  while IFS=$'\\t' read -r line _; do
    case $line in
      :files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$begun") ;;
      :folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$begun") ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <("\${words[0]}" completion of -- "\${words[@]:1:cword}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
  declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "$cur"
  return 0
}
complete -F _kadmit kadmit`;

const zsh = `#compdef kadmit
_kadmit() {
  local -a found open
  local line word
  for line in "\${(@f)$("\${words[1]}" completion of -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      ('') ;;
      (:files) compset -P '--*='; _files; return ;;
      (:folders) compset -P '--*='; _files -/; return ;;
      (*)
        word=\${\${line%%$'\\t'*}//:/\\\\:}
        [[ $line == *$'\\t'* ]] && word+=:\${line#*$'\\t'}
        if [[ \${line%%$'\\t'*} == */ ]]; then open+=("$word"); else found+=("$word"); fi ;;
    esac
  done
  compset -P '--*='
  _describe -V kadmit found -- open -S ''
}
compdef _kadmit kadmit`;

const fish = `function __kadmit
    set -l words (commandline -opc) (commandline -ct)
    set -l flag (commandline -ct | string match -r '^--[^=]*=')
    for line in ($words[1] completion of -- $words[2..-1] 2>/dev/null)
        switch $line
            case ':files'
                string replace -r -- '^' "$flag" (__fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' ''))
            case ':folders'
                string replace -r -- '^' "$flag" (__fish_complete_directories (commandline -ct | string replace -r '^--[^=]*=' '') '')
            case '*'
                echo "$flag$line"
        end
    end
end
complete -c kadmit -f -a '(__kadmit)'`;

/** The script of each shell that knows completion. */
export const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };

/** `kadmit completion SHELL` prints what a shell reads to complete words; its script asks `kadmit completion of -- WORD...`. */
export async function completion(args: readonly string[], io: Io, commands: readonly Command[]): Promise<number> {
  const [shell = '', ...more] = args;
  if (shell === '--help' || shell === '-h') return told(io, help);
  if (shell === 'of') return told(io, await linesFor(more[0] === '--' ? more.slice(1) : more, commands));
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script !== undefined && more.length === 0) return told(io, script);
  if (script !== undefined) return usageError(io, 'completion', `${JSON.stringify(more[0])} is one argument too many`);
  const which = shell === '' ? 'which shell? bash, zsh or fish' : `there is no script for ${JSON.stringify(shell)}`;
  return usageError(
    io,
    'completion',
    `${which}${shell === '' ? '' : didYouMean(shell, [...Object.keys(scripts), '--help'])}`,
  );
}

function told(io: Io, text: string): number {
  if (text !== '') io.out(text);
  return exitCodes.fine;
}

async function linesFor(line: readonly string[], commands: readonly Command[]): Promise<string> {
  const found = await candidates(line, commandWords(commands), namesOnServer);
  if (found.type !== 'words') return `:${found.type}`;
  return found.words.map(({ word, help }) => (help === '' ? word : `${word}\t${help}`)).join('\n');
}

const help = [
  'usage: kadmit completion bash|zsh|fish',
  '',
  'Prints the script with which a shell completes commands, flags, files, and the names that a running server knows.',
  '',
  '  bash  source <(kadmit completion bash)         in ~/.bashrc, to keep it',
  '  zsh   source <(kadmit completion zsh)          in ~/.zshrc, after compinit',
  '  fish  kadmit completion fish | source          in ~/.config/fish/config.fish',
].join('\n');
