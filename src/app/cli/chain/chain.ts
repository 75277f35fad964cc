import { ConfigError } from '../../../adapters/config/config-error.ts';
import {
  choiceFlag,
  kubeconfigFlag,
  namespaceFlag,
  outputFlag,
  repeatedFlag,
  textFlag,
} from '../../../adapters/config/flags/common-flags.ts';
import { callKadmit, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import {
  fetchResources,
  type KnownResource,
  namedResource,
  qualifiedResourceName,
  resourceForKind,
} from '../../../adapters/config/kubeconfig/discovery.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { chainModel, type ChainParticipant } from '../../../explain/render/chain-model.ts';
import { createPage, type Page } from '../../../explain/render/explain-page.ts';
import { budgetSentence } from '../../../explain/render/chain-words.ts';
import type { ChainDocument, ChainStep } from '../../../explain/trace/chain-document.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import { defineCommand } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { type FileManifest, streamManifests } from '../manifests.ts';
import { exitCodes, printDocument } from '../terminal/io.ts';
import { ownTerminal, showWhile, type Terminal } from '../terminal/terminal.ts';

const verbs = ['create', 'update', 'patch', 'delete', 'connect'] as const;
type Verb = (typeof verbs)[number];
const administrator = 'kubernetes-admin';

/** `kadmit chain RESOURCE`: the admission chain of such a request. Nothing is written and no webhook called. */
export const chainCommand = defineCommand({
  name: 'chain',
  group: 'Explain',
  synopsis: ['RESOURCE[/SUBRESOURCE] [FLAGS]', '-f FILE [FLAGS]'],
  purpose: 'show plugins, policies and webhooks a request would go through',
  details: [
    'Shows which ones are skipped and by which clause, how long the webhooks may take, and whether their backends can be ' +
      'reached. Writes nothing and calls no webhook. Without -f, conditions on labels and fields stay undecided.',
  ],
  flags: {
    verb: choiceFlag<Verb>('verb', verbs, 'verb of the request', 'create'),
    file: { ...textFlag('filename', 'FILE', 'object of the request (-: stdin)'), short: 'f' },
    namespace: namespaceFlag('namespace of the request, unless the object has one'),
    as: textFlag('as', 'USER', 'user of the request', administrator),
    asGroup: repeatedFlag('as-group', 'GROUP', 'group of the user; kubernetes-admin is in system:masters'),
    output: outputFlag,
    kubeconfig: kubeconfigFlag,
  },
  positionals: { name: 'RESOURCE', max: 1, complete: [{ type: 'server', of: 'resources' }, { type: 'nothing' }] },
  examples: ['chain pods -n shop', 'chain -f deployment.yaml --verb update'],
  run: async ({ args: [word = ''], options }, io, { readYaml }: Pick<CommandContext, 'readYaml'>) => {
    const { file, namespace, kubeconfig, output, verb, as } = options;
    if (word === '' && file === '') throw new ConfigError('RESOURCE or -f FILE is required');
    const manifest = file === '' ? undefined : await readOnlyManifest(file, readYaml);
    const access = await readKubeconfig(kubeconfig);
    const subject = resolveSubject(word, manifest, await fetchResources(access), namespace || access.namespace);
    const document = await showWhile('checking the backends …', requestChain(access, subject, options));
    await printDocument(io, output, document, () => {
      const look = { ...ownTerminal(), now: Date.now() };
      return chainText(document.steps, { sentence: subjectText(subject, verb, as), verb }, look);
    });
    return exitCodes.fine;
  },
});

async function readOnlyManifest(file: string, readYaml: CommandContext['readYaml']): Promise<FileManifest> {
  const manifests: FileManifest[] = [];
  for await (const one of streamManifests(file, readYaml)) manifests.push(one);
  const [first, another] = manifests;
  if (!first || another) throw new ConfigError(`${file} has ${manifests.length} objects: give one`);
  return first;
}

function resolveSubject(
  word: string,
  manifest: FileManifest | undefined,
  known: readonly KnownResource[],
  contextNamespace: string,
): ChainSubject {
  const [type = '', subresource = ''] = word.split('/');
  const resource = type === '' && manifest ? resolveResource(manifest, known) : namedResource(type, known);
  const namespace = resource.namespaced ? manifest?.namespace || contextNamespace : '';
  return { resource, subresource, namespace, manifest };
}

/** `create pods web in default by bob`. */
function subjectText({ resource, subresource, namespace, manifest }: ChainSubject, verb: string, as: string): string {
  const what = `${qualifiedResourceName(resource)}${subresource === '' ? '' : `/${subresource}`}`;
  const name = manifest?.name ? ` ${manifest.name}` : '';
  return `${verb} ${what}${name}${namespace === '' ? '' : ` in ${namespace}`} by ${as}`;
}

function resolveResource({ kind, place }: FileManifest, known: readonly KnownResource[]): KnownResource {
  const found = resourceForKind(kind, known);
  if (found) return found;
  const near = suggestion(kind.kind, [...new Set(known.map((one) => one.kind))]);
  throw new ConfigError(`${place}: the server has no kind ${kind.kind} in ${apiVersionOf(kind)}${near}`);
}

interface ChainSubject {
  readonly resource: KnownResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly manifest: FileManifest | undefined;
}

async function requestChain(
  access: ServerAccess,
  { resource: { group, version, resource }, subresource, namespace, manifest }: ChainSubject,
  { verb, as, asGroup }: { readonly verb: Verb; readonly as: string; readonly asGroup: readonly string[] },
): Promise<ChainDocument> {
  const groups = asGroup.length === 0 && as === administrator ? ['system:masters'] : asGroup;
  const name = manifest?.name ?? '';
  const question = { verb, group, version, resource, subresource, namespace, name, user: as, groups };
  const body = writeJson({ ...question, ...(manifest && { object: manifest.document }) });
  const request = { method: 'POST', path: '/kadmit/v1/chain', body } as const;
  const document: unknown = JSON.parse(await callKadmit(access, request, 'has no chain'));
  if (isDocument(document)) return document;
  throw new ConfigError('the response of the server is not a chain');
}

const isDocument = (value: unknown): value is ChainDocument => isJsonObject(value) && value['chainVersion'] === 1;

interface ChainTextOptions extends Terminal {
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function chainText(
  steps: readonly ChainStep[],
  { sentence, verb }: { readonly sentence: string; readonly verb: string },
  { paint, width, now }: ChainTextOptions,
): string {
  const page = createPage({ width, paint });
  const { sections, budget } = chainModel(steps, verb, now);
  page.line(sentence, 'strong');
  for (const { name, title, participants } of sections) {
    // Shown on the page only.
    if (name === 'validation' || name === 'store') continue;
    page.line('');
    page.line(title, 'strong');
    participants.forEach((participant) => participantLines(page, participant));
  }
  page.line('');
  page.hanging('time', budgetSentence(budget), budget.worstCase > budget.limit ? 'warn' : 'quiet');
  return page.text();
}

function participantLines(page: Page, { type, title, word, tone, because, terms, health }: ChainParticipant): void {
  if (type === 'plugins') return page.hanging('plugins', title, 'quiet');
  if (type === 'server') return page.item(title, 'quiet', 2, 4);
  const about = because.length === 0 ? terms : because.join('; ');
  page.item(`${page.painted(tone, word.padEnd(7))}  ${title}  ${about}`, undefined, 2, 11);
  if (because.length > 0 && terms !== '') page.item(`if it matches: ${terms}`, undefined, 11, 13);
  if (health) page.item(health.text, health.tone, 11, 13);
  return undefined;
}
