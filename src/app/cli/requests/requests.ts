import { ConfigError } from '../../../adapters/config/config-error.ts';
import {
  choiceFlag,
  kubeconfigFlag,
  namespaceFlag,
  outputFlag,
  readWhole,
  switchFlag,
  textFlag,
} from '../../../adapters/config/flags/common-flags.ts';
import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { callServer, messageIn, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { fetchResources, namedResource, qualifiedResourceName } from '../../../adapters/config/kubeconfig/discovery.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { type Digest, isWarningOrError } from '../../../explain/render/digest.ts';
import { findingRules, type Severity } from '../../../explain/findings/finding.ts';
import type { NumberedSummary, TraceSummary } from '../../../explain/trace/trace-summary.ts';
import { asList, asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { defineCommand } from '../command.ts';
import { fetchSummaries, followSummaries } from '../explain/trace-source.ts';
import { showWhile, untilInterrupted } from '../terminal/terminal.ts';
import { exitCodes, type Io, type Output } from '../terminal/io.ts';
import { createRequestPrinter, type RequestPrinter, type RequestRow, toRow } from './render-requests.ts';

const verbs = ['', 'create', 'update', 'patch', 'delete', 'deletecollection', 'connect'] as const;
type Verb = (typeof verbs)[number];

/** What to list; an empty text is no filter. */
export interface RequestFilter {
  readonly user: string;
  readonly verb: Verb;
  readonly resource: string;
  readonly namespace: string;
  readonly webhook: string;
  readonly refused: boolean;
  readonly findings: boolean;
  readonly all: boolean;
}

interface ListOptions extends RequestFilter {
  readonly last: number;
  readonly watch: boolean;
  readonly output: Output;
  readonly kubeconfig: string;
}

const lastFlag: Flag<number> = {
  name: 'last',
  argument: 'NUMBER',
  help: 'how many, the newest',
  fallback: 50,
  read: readWhole,
};

/** `kadmit requests`: the recent writes, a line each. */
export const requestsCommand = defineCommand({
  name: 'requests',
  group: 'Explain',
  synopsis: ['[FLAGS]'],
  purpose: 'list recent writes with their verdict, webhooks and findings',
  flags: {
    user: textFlag('user', 'NAME', 'only requests of this user'),
    verb: choiceFlag<Verb>('verb', verbs.slice(1), 'only this verb', ''),
    resource: textFlag('resource', 'TYPE', 'only this resource and its subresources, by any name that kubectl accepts'),
    namespace: namespaceFlag('only this namespace'),
    webhook: textFlag('webhook', 'NAME', 'only requests with a webhook, called or skipped, whose name contains NAME'),
    refused: switchFlag('refused', 'only refused requests'),
    findings: switchFlag('findings', 'only requests with findings; notes do not count'),
    all: switchFlag('all', 'also writes of controllers that called no webhook'),
    last: lastFlag,
    watch: { ...switchFlag('watch', 'keep listing new requests until Ctrl-C'), short: 'w' },
    output: { ...outputFlag, help: 'output format; with --watch a document for each request' },
    kubeconfig: kubeconfigFlag,
  },
  examples: ['requests --refused', 'requests -n shop --webhook sidecar --watch'],
  run: async ({ options }, io) => {
    await listRequests(options, io);
    return exitCodes.fine;
  },
});

async function listRequests(options: ListOptions, io: Io): Promise<void> {
  const access = await readKubeconfig(options.kubeconfig);
  const choice = { ...options, resource: await resolveResource(options.resource, access) };
  const newestFirst = await fetchSummaries(access);
  const printer = await createRequestPrinter(options, io);
  const chosen = newestFirst.filter((one) => matchesSelection(choice, one));
  const shown = Math.max(options.last, 0);
  const candidates = options.findings ? chosen : chosen.slice(0, shown);
  const rows = await showWhile(`reading ${candidates.length} requests …`, fetchRows(access, candidates, choice, shown));
  printer.begin(rows.toReversed());
  if (options.watch) return followRequests(access, choice, { printer, after: newestFirst[0]?.sequence ?? 0 });
  const hidden = newestFirst.filter((one) => matchesSelection({ ...choice, all: true }, one)).length - chosen.length;
  printer.end({
    listed: rows.length,
    earlier: options.findings ? 0 : Math.max(0, chosen.length - shown),
    hidden: options.findings ? 0 : hidden,
  });
  return undefined;
}

/** `pods/exec`: the type is before the slash. */
async function resolveResource(word: string, access: ServerAccess): Promise<string> {
  if (word === '') return '';
  const [type = '', ...subresource] = word.split('/');
  return [qualifiedResourceName(namedResource(type, await fetchResources(access))), ...subresource].join('/');
}

/** The newest rows, without requests that the server no longer keeps. */
async function fetchRows(
  access: ServerAccess,
  summaries: readonly NumberedSummary[],
  { findings }: Pick<RequestFilter, 'findings'>,
  maxRows = Number.POSITIVE_INFINITY,
): Promise<readonly RequestRow[]> {
  const rows: RequestRow[] = [];
  for (let from = 0; from < summaries.length && rows.length < maxRows; from += batchSize) {
    const batch = summaries.slice(from, from + batchSize);
    const digests = await fetchDigests(
      access,
      batch.map(({ id }) => id),
    );
    const all = batch.flatMap((summary) => {
      const digest = digests.get(summary.id);
      return digest ? [toRow(summary, digest)] : [];
    });
    rows.push(...(findings ? all.filter(hasFindings) : all));
  }
  return rows.slice(0, maxRows);
}

/** Requests per query: the limit is the length of the URL. */
const batchSize = 200;

async function followRequests(
  access: ServerAccess,
  choice: RequestFilter,
  { printer, after }: { readonly printer: RequestPrinter; readonly after: number },
): Promise<void> {
  const stop = new AbortController();
  const following = followSummaries(access, after, stop.signal, async (fresh) => {
    const chosen = fresh.filter((one) => matchesSelection(choice, one));
    printer.add(await fetchRows(access, chosen, choice));
  });
  await Promise.race([untilInterrupted(() => Promise.resolve()), following]).finally(() => stop.abort());
}

/** Rejects with ConfigError when the server has no findings. */
async function fetchDigests(access: ServerAccess, ids: readonly string[]): Promise<ReadonlyMap<string, RowDigest>> {
  const query = ids.map((id) => `id=${encodeURIComponent(id)}`).join('&');
  const { code, text } = await callServer(access, { method: 'GET', path: `/kadmit/v1/findings?${query}` });
  if (code !== 200) throw new ConfigError(`${access.url} has no findings: ${messageIn(text).trim()}`);
  const answer: unknown = JSON.parse(text);
  const items = isJsonObject(answer) ? asList(answer['items']).map(parseDigest) : [];
  return new Map(items.map((digest) => [digest.id, digest]));
}

type RowDigest = Omit<Digest, 'marks'>;

function parseDigest(value: JsonValue): RowDigest {
  const { id, refusedBy, headline, findings } = asObject(value);
  return {
    id: asString(id),
    refusedBy: asString(refusedBy),
    headline: { tone: 'quiet', text: asString(asObject(headline)['text']) },
    findings: asList(findings).flatMap(parseFinding),
  };
}

/** Findings that this release does not know are left out. */
function parseFinding(value: JsonValue): Digest['findings'] {
  const { rule: ruleName, severity: severityName, title } = asObject(value);
  const rule = findingRules.find((one) => one === ruleName);
  const severity = severities.find((one) => one === severityName);
  return rule && severity ? [{ rule, severity, title: asString(title) }] : [];
}

const severities: readonly Severity[] = ['error', 'warning', 'note'];

const hasFindings = ({ findings }: Pick<RequestRow, 'findings'>): boolean => findings.some(isWarningOrError);

/** Whether the request matches, findings aside. `resource` is as in summaries: `deployments.apps`. */
export const matchesSelection = (choice: RequestFilter, summary: TraceSummary): boolean =>
  matchesFilter(choice, summary) && (choice.all || choice.user !== '' || !isQuietWrite(summary));

function matchesFilter(
  { user, verb, resource, namespace, webhook, refused }: RequestFilter,
  summary: TraceSummary,
): boolean {
  const same = (wanted: string, is: string): boolean => wanted === '' || wanted === is;
  return (
    same(user, summary.user) &&
    same(verb, summary.verb) &&
    same(namespace, summary.namespace) &&
    same(resource, resource.includes('/') ? summary.resource : (summary.resource.split('/')[0] ?? '')) &&
    involvesWebhook(summary, webhook) &&
    (!refused || summary.verdict === 'refused')
  );
}

function involvesWebhook({ webhooks: { called, denied, failed, skipped } }: TraceSummary, part: string): boolean {
  return part === '' || [...called, ...denied, ...failed, ...skipped].some((name) => name.includes(part));
}

/** A write by a controller without webhooks; it retries after a conflict. */
export const isQuietWrite = ({ user, verdict, code, webhooks }: TraceSummary): boolean =>
  user.startsWith('system:') &&
  (verdict === 'admitted' || code === 409) &&
  webhooks.called.length + webhooks.denied.length + webhooks.failed.length === 0;
