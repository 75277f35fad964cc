import { type Flag, flagOf } from '../../../adapters/config/flags/flags.ts';
import { callServer, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { fetchResources, qualifiedResourceName } from '../../../adapters/config/kubeconfig/discovery.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { Command, Completion } from '../command.ts';
import { fetchSummaries } from '../explain/trace-source.ts';

export interface CandidateWord {
  readonly word: string;
  readonly help: string;
}

type ServerNames = Extract<Completion, { type: 'server' }>['of'];

const toWords = (words: readonly string[]): readonly CandidateWord[] => words.map((word) => ({ word, help: '' }));

const commandWords = (commands: readonly Command[]): readonly CandidateWord[] => [
  ...commands.map(({ name, purpose }) => ({ word: name, help: purpose })),
  { word: 'help', help: 'show the help of a command' },
  { word: 'version', help: 'print the version' },
];

/** Words for the last place of the line, or what the shell completes itself. */
type Candidates =
  | { readonly type: 'files' | 'folders' }
  | { readonly type: 'words'; readonly words: readonly CandidateWord[] };

/** Empty without a server. */
export type FetchNames = (of: ServerNames, begun: string) => Promise<readonly CandidateWord[]>;

/** `line` is the words after `kadmit`; the last one is completed. */
export async function candidates(
  line: readonly string[],
  commands: readonly Command[],
  namesOf: FetchNames,
): Promise<Candidates> {
  const begun = line.at(-1) ?? '';
  const [name = '', ...before] = line.slice(0, -1);
  if (line.length <= 1 || (name === 'help' && line.length === 2)) return matchingWords(commandWords(commands), begun);
  const command = commands.find((one) => one.name === name);
  return command
    ? commandCandidates(command, before, { begun, namesOf })
    : complete({ type: 'nothing' }, begun, namesOf);
}

async function commandCandidates(
  command: Command,
  before: readonly string[],
  { begun, namesOf }: { readonly begun: string; readonly namesOf: FetchNames },
): Promise<Candidates> {
  const flags = new Map(command.flags.map((flag) => [flag.name, flag]));
  if (before.includes('--')) return { type: 'files' };
  const open = flagAwaitingValue(flags, before.at(-1));
  if (open) return complete(flagValueCompletion(open), begun, namesOf);
  const equals = begun.startsWith('--') ? begun.indexOf('=') : -1;
  if (equals > 0) {
    const flag = flags.get(begun.slice(2, equals));
    return flag ? complete(flagValueCompletion(flag), begun.slice(equals + 1), namesOf) : { type: 'words', words: [] };
  }
  if (begun.startsWith('-')) return matchingWords(flagWords(flags), begun);
  const place = Math.min(countPositionals(before, flags), command.complete.length - 1);
  return complete(command.complete[place] ?? { type: 'nothing' }, begun, namesOf);
}

const matchingWords = (words: readonly CandidateWord[], begun: string): Candidates => ({
  type: 'words',
  words: words.filter(({ word }) => word.startsWith(begun)),
});

async function complete(completion: Completion, begun: string, namesOf: FetchNames): Promise<Candidates> {
  switch (completion.type) {
    case 'files':
    case 'folders':
      return { type: completion.type };
    case 'nothing':
      return { type: 'words', words: [] };
    case 'words':
      return matchingWords(toWords(completion.words), begun);
    case 'server':
      return matchingWords(await namesOf(completion.of, begun), begun);
  }
}

/** The flag whose value is the next word. */
function flagAwaitingValue(flags: ReadonlyMap<string, Flag<unknown>>, word = ''): Flag<unknown> | undefined {
  const flag = flagOf(word, flags);
  return flag?.isSwitch ? undefined : flag;
}

function countPositionals(before: readonly string[], flags: ReadonlyMap<string, Flag<unknown>>): number {
  return before.filter((word, at) => !word.startsWith('-') && !flagAwaitingValue(flags, before[at - 1])).length;
}

const flagWords = (flags: ReadonlyMap<string, Flag<unknown>>): readonly CandidateWord[] => [
  ...[...flags.values()].map(({ name, help }) => ({ word: `--${name}`, help })),
  { word: '--help', help: 'show the help of the command' },
];

/** By the argument in its help: `FILE`, `text|json`, `NAMESPACE`. */
function flagValueCompletion({ argument, name }: Flag<unknown>): Completion {
  if (/^(?:FILE|PATH|SCRIPT)$/.test(argument)) return { type: 'files' };
  if (/^(?:FOLDER|DIR|DIRECTORY)$/.test(argument)) return { type: 'folders' };
  if (/^[a-z0-9-]+(?:\|[a-z0-9-]+)+$/i.test(argument)) {
    return { type: 'words', words: argument.split('|') };
  }
  if (argument === 'NAMESPACE') return { type: 'server', of: 'namespaces' };
  if (argument === 'TYPE') return { type: 'server', of: 'resources' };
  if (name === 'webhook') return { type: 'server', of: 'webhooks' };
  if (argument === 'FROM') return { type: 'server', of: 'mapped' };
  return { type: 'nothing' };
}

const timeoutMs = 1500;
const maxRequests = 20;

/** Without names when the server does not respond in time. */
const namesOnServer: FetchNames = async (of, begun) => {
  const names = readKubeconfig('.kadmit/kubeconfig').then((access) => fetchers[of](access, begun));
  const nothing: readonly CandidateWord[] = [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly CandidateWord[]>((resolve) => {
    timer = setTimeout(() => resolve(nothing), timeoutMs);
  });
  return Promise.race([names, late])
    .catch(() => nothing)
    .finally(() => clearTimeout(timer));
};

type Fetcher = (access: ServerAccess, begun: string) => Promise<readonly CandidateWord[]>;

const fetchers: Readonly<Record<ServerNames, Fetcher>> = {
  resources: async (access) =>
    (await fetchResources(access)).map(({ resource, group, kind }) => ({
      word: resource,
      help: group === '' ? kind : `${kind} of ${group}`,
    })),
  requests: async (access) => [lastRequestWord, ...(await fetchRecentRequests(access))],
  objects: async (access, begun) =>
    begun.includes('/') ? writtenObjects(access, begun) : [lastRequestWord, ...(await fetchRecentRequests(access))],
  namespaces: (access) => fetchNames(access, '/api/v1/namespaces'),
  webhooks: async (access) => {
    const kinds = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];
    const lists = await Promise.all(
      kinds.map((kind) => fetchItems(access, `/apis/admissionregistration.k8s.io/v1/${kind}`)),
    );
    return lists.flat().flatMap((one) => asList(one['webhooks']).map(asObject).map(nameWord));
  },
  mapped: async (access) =>
    asList(asObject(await fetchJson(access, '/kadmit/v1/map'))['map'])
      .map(asObject)
      .map(({ from, url }) => ({ word: asString(from), help: asString(url) })),
};

const lastRequestWord: CandidateWord = { word: 'last', help: 'the last write' };

const fetchRecentRequests = async (access: ServerAccess): Promise<readonly CandidateWord[]> =>
  (await fetchSummaries(access))
    .filter(({ user }) => !user.startsWith('system:'))
    .slice(0, maxRequests)
    .map(({ id, verb, resource, name, code }) => ({ word: id, help: `${verb} ${resource} ${name} ${code}` }));

/** `pod/web` of all known writes, with the type as the user wrote it. */
async function writtenObjects(access: ServerAccess, begun: string): Promise<readonly CandidateWord[]> {
  const type = begun.slice(0, begun.indexOf('/'));
  const [known, summaries] = await Promise.all([fetchResources(access), fetchSummaries(access)]);
  const resource = known.find((one) => [one.resource, ...one.otherNames].includes(type.toLowerCase()));
  const qualified = resource && qualifiedResourceName(resource);
  const names = summaries.filter((one) => one.resource === qualified).map(({ name }) => name);
  return [...new Set(names)].filter((name) => name !== '').map((name) => ({ word: `${type}/${name}`, help: '' }));
}

const nameWord = (object: ReturnType<typeof asObject>): CandidateWord => ({ word: asString(object['name']), help: '' });

const fetchNames = async (access: ServerAccess, path: string): Promise<readonly CandidateWord[]> =>
  (await fetchItems(access, path)).map((one) => nameWord(asObject(one['metadata'])));

const fetchItems = async (access: ServerAccess, path: string): Promise<readonly ReturnType<typeof asObject>[]> =>
  asList(asObject(await fetchJson(access, path))['items']).map(asObject);

async function fetchJson(access: ServerAccess, path: string): Promise<ReturnType<typeof asObject>> {
  const { code, text } = await callServer(access, { method: 'GET', path, timeout: timeoutMs });
  return code === 200 ? asObject(JSON.parse(text)) : {};
}

/** The output of `kadmit completion of -- WORD...`: a line for each candidate. */
export async function completionLines(line: readonly string[], commands: readonly Command[]): Promise<string> {
  const found = await candidates(line, commands, namesOnServer);
  if (found.type !== 'words') return `:${found.type}`;
  return found.words.map(({ word, help }) => (help === '' ? word : `${word}\t${help}`)).join('\n');
}
