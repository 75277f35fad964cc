import { ConfigError } from '../../../adapters/config/config-error.ts';
import { flagLines, parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { callServer, messageIn } from '../../../adapters/config/kubeconfig/call-server.ts';
import { fetchResources, namedResource, qualifiedName } from '../../../adapters/config/kubeconfig/named-resource.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import type { Digest } from '../../../explain/findings/digest.ts';
import { findingRules } from '../../../explain/findings/finding.ts';
import type { Severity } from '../../../explain/findings/finding.ts';
import { isGrave } from '../../../explain/findings/mark.ts';
import type { NumberedSummary, TraceSummary } from '../../../explain/trace/trace-summary.ts';
import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import type { Parts } from '../command.ts';
import { fetchSummaries } from '../explain/fetch-trace.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { tellingWhile } from '../terminal/live-line.ts';
import { createRequestPrinter } from './print-requests.ts';
import type { RequestPrinter } from './print-requests.ts';
import { rowOf } from './request-row.ts';
import type { RequestRow } from './request-row.ts';
import { requestsFlags } from './requests-options.ts';
import type { RequestsOptions } from './requests-options.ts';

/** `kadmit requests`: the writes that a server has seen, a line each; with `--watch` also those that come. */
export async function requests(args: readonly string[], io: Io, _parts: Parts): Promise<number> {
  const parsed = parseFlags(requestsFlags, spelledOut(args, { o: 'output', n: 'namespace', w: 'watch' }));
  if (parsed.outcome === 'help') {
    io.out(['usage: kadmit requests [FLAGS]', '', ...flagLines(requestsFlags)].join('\n'));
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'requests', parsed.problem);
  const { options, rest } = parsed;
  if (rest.length > 0) {
    return usageError(
      io,
      'requests',
      `${JSON.stringify(rest[0])} is one argument too many; --resource chooses a resource`,
    );
  }
  try {
    await list(options, io);
    return exitCodes.fine;
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'requests', error.message);
    throw error;
  }
}

async function list(options: RequestsOptions, io: Io): Promise<void> {
  const access = await readKubeconfig(options.kubeconfig);
  const choice = { ...options, resource: await resourceOf(options.resource, access) };
  const newestFirst = await fetchSummaries(access);
  const printer = await createRequestPrinter(options, io);
  const chosen = newestFirst.filter((one) => isChosen(choice, one));
  const most = Math.max(options.last, 0);
  const candidates = options.findings ? chosen : chosen.slice(0, most);
  const rows = await tellingWhile(
    `looking through ${candidates.length} requests …`,
    rowsOf(access, candidates, choice, most),
  );
  printer.begin(rows.toReversed());
  if (options.watch) return follow(access, choice, { printer, after: newestFirst[0]?.sequence ?? 0 });
  const hidden = newestFirst.filter((one) => isChosen({ ...choice, all: true }, one)).length - chosen.length;
  printer.end({
    listed: rows.length,
    earlier: options.findings ? 0 : Math.max(0, chosen.length - most),
    hidden: options.findings ? 0 : hidden,
  });
  return undefined;
}

/** `pods/exec` is looked up by what stands before the slash. */
async function resourceOf(word: string, access: ServerAccess): Promise<string> {
  if (word === '') return '';
  const [type = '', ...subresource] = word.split('/');
  return [qualifiedName(namedResource(type, await fetchResources(access))), ...subresource].join('/');
}

/** The first `most` rows; what was forgotten meanwhile is left out. */
async function rowsOf(
  access: ServerAccess,
  summaries: readonly NumberedSummary[],
  { findings }: Pick<Choice, 'findings'>,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly RequestRow[]> {
  const rows: RequestRow[] = [];
  for (let from = 0; from < summaries.length && rows.length < most; from += batchSize) {
    const batch = summaries.slice(from, from + batchSize);
    const digests = await fetchDigests(
      access,
      batch.map(({ id }) => id),
    );
    const all = batch.flatMap((summary) => {
      const digest = digests.get(summary.id);
      return digest ? [rowOf(summary, digest)] : [];
    });
    rows.push(...(findings ? all.filter(hasFindings) : all));
  }
  return rows.slice(0, most);
}

/** How many requests the server is asked about at once: what one address takes. */
const batchSize = 200;

const pollMs = 400;

async function follow(
  access: ServerAccess,
  choice: Choice,
  { printer, after }: { readonly printer: RequestPrinter; readonly after: number },
): Promise<void> {
  let last = after;
  let timer: NodeJS.Timeout | undefined;
  let fail: (error: unknown) => void = () => {};
  const poll = async (): Promise<void> => {
    const fresh = await fetchSummaries(access, last);
    last = fresh.at(-1)?.sequence ?? last;
    printer.add(
      await rowsOf(
        access,
        fresh.filter((one) => isChosen(choice, one)),
        choice,
      ),
    );
    next();
  };
  const next = (): void => {
    timer = setTimeout(() => void poll().catch(fail), pollMs);
  };
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  next();
  await Promise.race([untilInterrupted(() => Promise.resolve()), failed]).finally(() => clearTimeout(timer));
}

/** Who refused these requests, and what was found in them, by their ids. Throws ConfigError when the server does not say. */
async function fetchDigests(access: ServerAccess, ids: readonly string[]): Promise<ReadonlyMap<string, Digest>> {
  const query = ids.map((id) => `id=${encodeURIComponent(id)}`).join('&');
  const { code, text } = await callServer(access, { method: 'GET', path: `/kadmit/v1/findings?${query}` });
  if (code !== 200) throw new ConfigError(`${access.url} does not say what it found: ${messageIn(text).trim()}`);
  const answer: unknown = JSON.parse(text);
  const items = isJsonObject(answer) ? asList(answer['items']).map(digestIn) : [];
  return new Map(items.map((digest) => [digest.id, digest]));
}

function digestIn(value: JsonValue): Digest {
  const { id, refusedBy, findings } = asObject(value);
  return { id: asString(id), refusedBy: asString(refusedBy), findings: asList(findings).flatMap(findingIn) };
}

/** What another release finds and this one does not know is left out. */
function findingIn(value: JsonValue): Digest['findings'] {
  const { rule: ruleName, severity: severityName, title } = asObject(value);
  const rule = findingRules.find((one) => one === ruleName);
  const severity = severities.find((one) => one === severityName);
  return rule && severity ? [{ rule, severity, title: asString(title) }] : [];
}

const severities: readonly Severity[] = ['error', 'warning', 'note'];

/** What to list; an empty text is no filter. */
export type Choice = Pick<
  RequestsOptions,
  'user' | 'verb' | 'resource' | 'namespace' | 'webhook' | 'refused' | 'findings' | 'all'
>;

/** What `--findings` lets pass: notes are good to know, and no findings. */
const hasFindings = ({ findings }: Pick<RequestRow, 'findings'>): boolean => findings.some(isGrave);

/** Is the request one of those asked for, findings aside? `resource` is as summaries have it: `deployments.apps`. */
export const isChosen = (choice: Choice, summary: TraceSummary): boolean =>
  isAskedFor(choice, summary) && (choice.all || choice.user !== '' || !isHousekeeping(summary));

function isAskedFor({ user, verb, resource, namespace, webhook, refused }: Choice, summary: TraceSummary): boolean {
  const same = (wanted: string, is: string): boolean => wanted === '' || wanted === is;
  return (
    same(user, summary.user) &&
    same(verb, summary.verb) &&
    same(namespace, summary.namespace) &&
    same(resource, resource.includes('/') ? summary.resource : (summary.resource.split('/')[0] ?? '')) &&
    considered(summary, webhook) &&
    (!refused || summary.verdict === 'refused')
  );
}

function considered({ webhooks: { called, denied, failed, skipped } }: TraceSummary, part: string): boolean {
  return part === '' || [...called, ...denied, ...failed, ...skipped].some((name) => name.includes(part));
}

/** A controller wrote it and nobody outside had a say; one that comes too late for a version tries again. */
const isHousekeeping = ({ user, verdict, code, webhooks }: TraceSummary): boolean =>
  user.startsWith('system:') &&
  (verdict === 'admitted' || code === 409) &&
  webhooks.called.length + webhooks.denied.length + webhooks.failed.length === 0;
