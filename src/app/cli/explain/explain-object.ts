import { ConfigError } from '../../../adapters/config/config-error.ts';
import { historyText } from '../../../explain/render/finding-lines.ts';
import { historyFindings } from '../../../explain/findings/history.ts';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { namedResource } from '../../../adapters/config/kubeconfig/named-resource.ts';
import type { Io } from '../terminal/io.ts';
import { tellingWhile } from '../terminal/live-line.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { ExplainOptions } from './explain-options.ts';
import { familyLines, lineOf } from './family-lines.ts';
import { familyOf, nothingKnown, tellingWrite, writesOf } from './object-writes.ts';
import type { AskedObject } from './object-writes.ts';
import { createPrinter } from './print-explained.ts';
import { sourceOf, tracePlace } from './trace-source.ts';

/**
 * Explains the last write of `TYPE/NAME`, with a line for everything that it owns; what was refused last of that is explained
 * before. With `--all` every write of it that is known. Throws ConfigError when none is.
 */
export async function explainObject(
  [type, name]: readonly [type: string, name: string],
  options: ExplainOptions,
  io: Io,
): Promise<void> {
  const { known, newestFirst, ownNamespace, traceOf } = await sourceOf(options);
  const resource = namedResource(type, known);
  const namespace = resource.namespaced ? options.namespace || ownNamespace : '';
  const asked: AskedObject = { resource, namespace, name };
  const writes = writesOf(asked, newestFirst);
  const family = options.all ? [] : familyOf(asked, newestFirst, known);
  const write = tellingWrite(writes);
  if (write === undefined && family.length === 0) throw new ConfigError(nothingKnown(asked, newestFirst));
  const refused = family.filter(({ verdict }) => verdict === 'refused').slice(-refusedTold);
  const told = options.all ? writes : [...refused, ...(write ? [write] : [])];
  if (options.output === 'text') await tellingWhile('reading its writes …', tellHistory(writes, traceOf, io));
  const printer = await createPrinter({ ...options, all: false }, io);
  for (const [at, one] of told.entries()) {
    const title = `${at + 1} of ${told.length}, ${lineOf(one)}`;
    printer.add({ trace: await traceOf(one.id), title, place: await tracePlace(one.id, options) });
  }
  printer.end();
  if (family.length > 0 && options.output === 'text') io.out(['', 'Its family', ...familyLines(family)].join('\n'));
}

/** So many writes are looked at for what they show together. */
const mostLookedAt = 30;

async function tellHistory(
  writes: readonly NumberedSummary[],
  traceOf: (id: string) => Promise<Trace>,
  io: Io,
): Promise<void> {
  if (writes.length < 3) return;
  const traces = await Promise.all(writes.slice(-mostLookedAt).map(({ id }) => traceOf(id)));
  const findings = historyFindings(traces);
  if (findings.length > 0) io.out(`${historyText(findings, ownTerminal())}\n`);
}

/** Of a controller that tries again and again the last refusal is enough. */
const refusedTold = 1;
