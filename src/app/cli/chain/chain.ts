import { ConfigError } from '../../../adapters/config/config-error.ts';
import { flagLines, parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { callServer, messageIn } from '../../../adapters/config/kubeconfig/call-server.ts';
import { fetchResources, namedResource, qualifiedName } from '../../../adapters/config/kubeconfig/named-resource.ts';
import type { KnownResource } from '../../../adapters/config/kubeconfig/named-resource.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { chainModel } from '../../../explain/render/chain-model.ts';
import type { Stop } from '../../../explain/render/chain-model.ts';
import { createPage } from '../../../explain/render/explain-page.ts';
import type { Page } from '../../../explain/render/explain-page.ts';
import { budgetSentence } from '../../../explain/render/time-budget.ts';
import type { ChainDocument, ChainStep } from '../../../explain/trace/chain-document.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import type { Parts } from '../command.ts';
import { readManifests } from '../read-manifests.ts';
import type { Manifest } from '../read-manifests.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { tellingWhile } from '../terminal/live-line.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chainFlags } from './chain-options.ts';
import type { ChainOptions } from './chain-options.ts';

/**
 * `kadmit chain RESOURCE`: who would be asked about such a request, in order, who not and by which clause, how long it
 * may take and whether the backends can be reached. Nothing is written and no webhook called.
 */
export async function chain(args: readonly string[], io: Io, { readYaml }: Pick<Parts, 'readYaml'>): Promise<number> {
  const parsed = parseFlags(chainFlags, spelledOut(args, { o: 'output', n: 'namespace', f: 'filename' }));
  if (parsed.outcome === 'help') {
    io.out(help());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'chain', parsed.problem);
  const { options, rest } = parsed;
  const [word = '', tooMany] = rest;
  if (tooMany !== undefined) return usageError(io, 'chain', `${JSON.stringify(tooMany)} is one argument too many`);
  if (word === '' && options.file === '')
    return usageError(io, 'chain', 'which resource? kadmit chain pods, or -f FILE');
  try {
    const manifest = options.file === '' ? undefined : await onlyManifest(options.file, readYaml);
    await preview(word, manifest, options, io);
    return exitCodes.fine;
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'chain', error.message);
    throw error;
  }
}

async function onlyManifest(file: string, readYaml: Parts['readYaml']): Promise<Manifest> {
  const manifests: Manifest[] = [];
  for await (const one of readManifests(file, readYaml)) manifests.push(one);
  const [first, another] = manifests;
  if (!first || another) throw new ConfigError(`${file} holds ${manifests.length} objects: a chain is about one`);
  return first;
}

async function preview(word: string, manifest: Manifest | undefined, options: ChainOptions, io: Io): Promise<void> {
  const access = await readKubeconfig(options.kubeconfig);
  const asked = askedOf(word, manifest, await fetchResources(access), options.namespace || access.namespace);
  const document = await tellingWhile('looking for the backends …', ask(access, asked, options));
  switch (options.output) {
    case 'json':
      return io.out(JSON.stringify(document, null, 2));
    case 'yaml':
      return io.out((await import('yaml')).stringify(document).trimEnd());
    case 'text':
      return io.out(
        chainText(
          document.steps,
          { sentence: sentenceOf(asked, options), verb: options.verb },
          { ...ownTerminal(), now: Date.now() },
        ),
      );
  }
}

function askedOf(
  word: string,
  manifest: Manifest | undefined,
  known: readonly KnownResource[],
  otherwise: string,
): Asked {
  const [type = '', subresource = ''] = word.split('/');
  const resource = type === '' && manifest ? resourceOf(manifest, known) : namedResource(type, known);
  const namespace = resource.namespaced ? manifest?.namespace || otherwise : '';
  return { resource, subresource, namespace, manifest };
}

/** `create pods web in default by bob`. */
function sentenceOf({ resource, subresource, namespace, manifest }: Asked, { verb, as }: ChainOptions): string {
  const what = `${qualifiedName(resource)}${subresource === '' ? '' : `/${subresource}`}`;
  const name = manifest?.name ? ` ${manifest.name}` : '';
  return `${verb} ${what}${name}${namespace === '' ? '' : ` in ${namespace}`} by ${as}`;
}

function resourceOf({ kind, place }: Manifest, known: readonly KnownResource[]): KnownResource {
  const found = known.find((one) => one.kind === kind.kind && one.group === kind.group && one.version === kind.version);
  if (found) return found;
  const near = suggestion(kind.kind, [...new Set(known.map((one) => one.kind))]);
  throw new ConfigError(`${place}: the server has no kind ${kind.kind} in ${apiVersionOf(kind)}${near}`);
}

interface Asked {
  readonly resource: KnownResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly manifest: Manifest | undefined;
}

async function ask(
  access: ServerAccess,
  { resource: { group, version, resource }, subresource, namespace, manifest }: Asked,
  { verb, as, asGroup }: ChainOptions,
): Promise<ChainDocument> {
  const groups = asGroup.length === 0 && as === chainFlags.as.fallback ? ['system:masters'] : asGroup;
  const name = manifest?.name ?? '';
  const question = { verb, group, version, resource, subresource, namespace, name, user: as, groups };
  const body = writeJson({ ...question, ...(manifest && { object: manifest.document }) });
  const { code, text } = await callServer(access, { method: 'POST', path: '/kadmit/v1/chain', body });
  if (code === 404) throw new ConfigError(`${access.url} shows no chain (${messageIn(text).trim()}): is it kadmit?`);
  if (code !== 200) throw new ConfigError(messageIn(text).trim());
  const document: unknown = JSON.parse(text);
  if (isDocument(document)) return document;
  throw new ConfigError('the server answered with something else than a chain');
}

const isDocument = (value: unknown): value is ChainDocument => isJsonObject(value) && value['chainVersion'] === 1;

const help = (): string =>
  [
    'usage: kadmit chain RESOURCE[/SUBRESOURCE] [FLAGS]',
    '       kadmit chain -f FILE [FLAGS]',
    '',
    'Who would be asked about such a request. Nothing is written and no webhook is called.',
    '',
    ...flagLines(chainFlags),
  ].join('\n');

interface ChainLook extends Terminal {
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The chain as it would be walked, for people; `sentence` says the request. */
export function chainText(
  steps: readonly ChainStep[],
  { sentence, verb }: { readonly sentence: string; readonly verb: string },
  { paint, width = Number.POSITIVE_INFINITY, now }: ChainLook,
): string {
  const page = createPage({ width, paint });
  const { stretches, budget } = chainModel(steps, verb, now);
  page.line(sentence, 'strong');
  for (const { name, title, stops } of stretches) {
    // What goes without saying is for the page.
    if (name === 'validation' || name === 'store') continue;
    page.line('');
    page.line(title, 'strong');
    stops.forEach((stop) => stopLines(page, stop));
  }
  page.line('');
  page.hanging('time', budgetSentence(budget), budget.most > budget.given ? 'warn' : 'quiet');
  return page.text();
}

function stopLines(page: Page, { type, title, word, tone, because, terms, health }: Stop): void {
  if (type === 'plugins') return page.hanging('plugins', title, 'quiet');
  if (type === 'server') return page.item(title, 'quiet', 2, 4);
  const about = because.length === 0 ? terms : because.join('; ');
  page.item(`${page.painted(tone, word.padEnd(7))}  ${title}  ${about}`, undefined, 2, 11);
  if (because.length > 0 && terms !== '') page.item(`if so: ${terms}`, undefined, 11, 13);
  if (health) page.item(health.text, health.tone, 11, 13);
  return undefined;
}
