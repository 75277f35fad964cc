import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import type { Parts } from '../command.ts';
import { fetchSummaries } from '../explain/fetch-trace.ts';
import { flagLines } from '../../../adapters/config/flags/flag-help.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { fetchResources, namedResource, qualifiedName } from '../../../adapters/config/kubeconfig/named-resource.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/server-access.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import { tellingWhile } from '../terminal/live-line.ts';
import { hasFindings, isChosen } from './choose-requests.ts';
import type { Choice } from './choose-requests.ts';
import { fetchDigests } from './fetch-digests.ts';
import { createRequestPrinter } from './print-requests.ts';
import type { RequestPrinter } from './print-requests.ts';
import { requestsFlags } from './requests-options.ts';
import type { RequestsOptions } from './requests-options.ts';
import { rowOf } from './request-row.ts';
import type { RequestRow } from './request-row.ts';

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
