import { ConfigError } from '../../../adapters/config/config-error.ts';
import {
  choiceFlag,
  kubeconfigFlag,
  namespaceFlag,
  switchFlag,
  textFlag,
} from '../../../adapters/config/flags/common-flags.ts';
import { namedResource } from '../../../adapters/config/kubeconfig/discovery.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { traceInFolder } from '../../../analysis/trials/traced-request.ts';
import { historyFindings } from '../../../explain/findings/history.ts';
import { historyText } from '../../../explain/render/finding-lines.ts';
import { relatedRequests } from '../../../explain/render/causality.ts';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { streamManifests, createManifestWriter } from '../manifests.ts';
import { exitCodes, type Io } from '../terminal/io.ts';
import { createLiveLine, ownTerminal, showWhile } from '../terminal/terminal.ts';
import { openTraceSource, readSummaries, readTrace, traceLocation } from './trace-source.ts';
import { mainWrite, type NamedObject, noWriteText, ownedWrites, typeAndName, writesOf } from './object-writes.ts';
import { createPrinter, type ExplainOutput } from './render-explained.ts';

const outputs: readonly ExplainOutput[] = ['text', 'json', 'yaml', 'sarif'];

const flags = {
  file: {
    ...textFlag(
      'filename',
      'FILE',
      'explain these objects (-: stdin), sent as dry runs; exit code 1 if one is refused',
    ),
    short: 'f',
  },
  traceDir: textFlag(
    'trace-dir',
    'FOLDER',
    'read the traces of this folder instead of a server; default: the last refused write',
  ),
  webhook: textFlag('webhook', 'NAME', 'only webhooks whose name or configuration contains NAME'),
  namespace: namespaceFlag('namespace of TYPE/NAME'),
  blame: switchFlag('blame', 'show who last set each field of the object'),
  all: switchFlag(
    'all',
    'also webhooks whose rules do not match, and complete diffs; of TYPE/NAME: every known write, oldest first',
  ),
  showSecrets: switchFlag('show-secrets', 'show the values of Secrets'),
  output: { ...choiceFlag('output', outputs, 'output format; sarif has findings and refusals', 'text'), short: 'o' },
  kubeconfig: kubeconfigFlag,
};
type Options = OptionsOf<typeof flags>;

/** `kadmit explain [ID|last|TYPE/NAME]`: one request, the last write of an object, or with `-f FILE` the objects of a file as dry runs. */
export const explainCommand = defineCommand({
  name: 'explain',
  group: 'Explain',
  synopsis: [
    '[ID|last] [FLAGS]',
    'TYPE/NAME [FLAGS]',
    '-f FILE [FLAGS]',
    '[ID|last|TYPE/NAME] --trace-dir FOLDER [FLAGS]',
  ],
  purpose: 'show which webhooks were called or skipped for a request, and why',
  details: [
    'ID is the Audit-Id header of a response (kubectl -v=8 shows it); kadmit requests lists them. TYPE/NAME, such as pod/web ' +
      'or deploy/web, explains the last write of that object and lists those of the objects that it owns.',
  ],
  flags,
  positionals: { name: 'ID', max: 1, complete: [{ type: 'server', of: 'objects' }, { type: 'nothing' }] },
  examples: ['explain last', 'explain pod/web --blame'],
  run: async ({ args: [id], options }, io, parts: Pick<CommandContext, 'readYaml'>) => {
    if (options.file !== '' && id !== undefined)
      throw new ConfigError(`unexpected argument ${JSON.stringify(id)}: -f explains the objects of a file`);
    if (options.file !== '') return explainDry(options, io, parts);
    const object = typeAndName(id ?? '');
    await (object === undefined ? explainOne(id, options, io) : explainObject(object, options, io));
    return exitCodes.fine;
  },
});

async function explainOne(id: string | undefined, options: Options, io: Io): Promise<void> {
  const trace =
    options.traceDir === ''
      ? await readTrace(await readKubeconfig(options.kubeconfig), id ?? 'last')
      : traceInFolder(options.traceDir, id);
  const printer = await createPrinter(options, io);
  printer.add({ trace, title: '', place: await traceLocation(trace.id, options) });
  printer.end();
  if (options.output === 'text') await printRelated(trace.id, options, io);
}

async function printRelated(id: string, options: Options, io: Io): Promise<void> {
  const { causes, effects } = relatedRequests(id, await readSummaries(options));
  printWrites('Caused by', causes, io);
  printWrites(
    'Caused',
    effects.map(({ request }) => request),
    io,
  );
}

/** Prints each object of the file as soon as it is explained; exit code 1 when one of them would be refused. */
async function explainDry(options: Options, io: Io, { readYaml }: Pick<CommandContext, 'readYaml'>): Promise<number> {
  const access = await readKubeconfig(options.kubeconfig);
  const printer = await createPrinter(options, io);
  const send = createManifestWriter(access, { operation: 'apply', dryRun: true, fieldManager: 'kadmit-explain' });
  const line = createLiveLine(process.stderr);
  let isRefused = false;
  try {
    for await (const manifest of streamManifests(options.file, readYaml)) {
      line.show(manifest.progress);
      const { auditId, code } = await send(manifest);
      if (auditId === '') throw new ConfigError(`${manifest.place}: the server responded with ${code} and no Audit-Id`);
      const trace = await readTrace(access, auditId);
      isRefused ||= trace.verdict === 'refused';
      line.clear();
      printer.add({ trace, title: manifest.place, place: { file: manifest.file, line: manifest.line, column: 1 } });
    }
  } finally {
    line.clear();
  }
  printer.end();
  return isRefused ? exitCodes.failed : exitCodes.fine;
}

/**
 * Explains the last write of an object, after the last refusal among the objects that it owns, and lists their writes. With `--all`:
 * every write of it. Rejects with ConfigError when there is none.
 */
async function explainObject(
  [type, name]: readonly [type: string, name: string],
  options: Options,
  io: Io,
): Promise<void> {
  const { known, newestFirst, ownNamespace, traceOf } = await openTraceSource(options);
  const resource = namedResource(type, known);
  const namespace = resource.namespaced ? options.namespace || ownNamespace : '';
  const object: NamedObject = { resource, namespace, name };
  const writes = writesOf(object, newestFirst);
  const owned = options.all ? [] : ownedWrites(object, newestFirst, known);
  const write = mainWrite(writes);
  if (write === undefined && owned.length === 0) throw new ConfigError(noWriteText(object, newestFirst));
  // A controller retries: its last refusal is enough.
  const refused = owned.filter(({ verdict }) => verdict === 'refused').slice(-1);
  const explained = options.all ? writes : [...refused, ...(write ? [write] : [])];
  if (options.output === 'text') await showWhile('reading its writes …', printHistory(writes, traceOf, io));
  const printer = await createPrinter({ ...options, all: false }, io);
  for (const [at, one] of explained.entries()) {
    const title = `${at + 1} of ${explained.length}, ${writeSentence(one)}`;
    printer.add({ trace: await traceOf(one.id), title, place: await traceLocation(one.id, options) });
  }
  printer.end();
  if (options.output === 'text') printWrites('Owned objects', owned, io);
}

/** The number of writes for history findings. */
const historyLength = 30;

async function printHistory(
  writes: readonly NumberedSummary[],
  traceOf: (id: string) => Promise<Trace>,
  io: Io,
): Promise<void> {
  if (writes.length < 3) return;
  const traces = await Promise.all(writes.slice(-historyLength).map(({ id }) => traceOf(id)));
  const findings = historyFindings(traces);
  if (findings.length > 0) io.out(`${historyText(findings, ownTerminal())}\n`);
}

/** `3s ago: create pods web, 201`. */
const writeSentence = ({ startedAt, verb, resource, name, code }: NumberedSummary): string =>
  `${humanDuration(Date.now() - startedAt)} ago: ${verb} ${resource}${name === '' ? '' : ` ${name}`}, ${code}`;

/** Equal writes share the line of the last. */
function printWrites(title: string, writes: readonly NumberedSummary[], io: Io): void {
  if (writes.length === 0) return;
  const alike = new Map<string, NumberedSummary[]>();
  for (const one of writes) {
    const key = JSON.stringify([one.verb, one.resource, one.code, one.webhooks]);
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  const lines = [...alike.values()].flatMap((members) => {
    const last = members.at(-1);
    const more = members.length === 1 ? '' : `, and ${members.length - 1} more like it`;
    return last ? [`  ${writeSentence(last)}${more}${webhookText(last)}  (${last.id})`] : [];
  });
  io.out(['', title, ...lines].join('\n'));
}

function webhookText({ webhooks: { called, denied, failed, skipped } }: NumberedSummary): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['called', called],
    ['denied by', denied],
    ['failed', failed],
    ['skipped', skipped],
  ];
  const words = parts.filter(([, names]) => names.length > 0).map(([word, names]) => `${word} ${names.join(', ')}`);
  return `; ${words.length === 0 ? 'no webhook' : words.join('; ')}`;
}
