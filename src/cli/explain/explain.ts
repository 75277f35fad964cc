import { isJsonObject } from '../../apimachinery/json.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Parts } from '../command.ts';
import { createDryRun } from './dry-run.ts';
import { explainFlags } from './explain-options.ts';
import type { ExplainOptions } from './explain-options.ts';
import { fetchTrace } from './fetch-trace.ts';
import { traceInFolder } from './traces-in-folder.ts';
import { createPrinter } from './print-explained.ts';
import { parseFlags, spelledOut } from '../flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { readKubeconfig } from '../kubeconfig/read-kubeconfig.ts';
import { readManifests } from '../read-manifests.ts';
import { createLiveLine } from '../terminal/live-line.ts';

/**
 * `kadmit explain [ID|last]`: asks the server for a trace and says in words which webhooks were called, and why not.
 * With `--dry FILE` it first sends the file's objects without storing them, and explains each.
 */
export async function explain(args: readonly string[], io: Io, parts: Pick<Parts, 'readYaml'>): Promise<number> {
  const parsed = parseFlags(explainFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(help());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'explain', parsed.problem);
  const { options, rest } = parsed;
  const tooMany = rest[options.dry === '' ? 1 : 0];
  if (tooMany !== undefined) {
    return usageError(
      io,
      'explain',
      `${JSON.stringify(tooMany)} is one argument too many${options.dry === '' ? '' : ': --dry explains the file'}`,
    );
  }
  try {
    return options.dry === '' ? await explainOne(rest[0], options, io) : await explainDry(options, io, parts);
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'explain', error.message);
    throw error;
  }
}

async function explainOne(id: string | undefined, options: ExplainOptions, io: Io): Promise<number> {
  const trace =
    options.traceDir === ''
      ? traceIn(await fetchTrace(await readKubeconfig(options.kubeconfig), id ?? 'last'))
      : traceInFolder(options.traceDir, id);
  const printer = await createPrinter(options, io);
  printer.add({ trace, title: '' });
  printer.end();
  return exitCodes.fine;
}

/** Every object of the file, in order, each printed as soon as it is known; exit code 1 when one of them would be refused. */
async function explainDry(options: ExplainOptions, io: Io, { readYaml }: Pick<Parts, 'readYaml'>): Promise<number> {
  const access = await readKubeconfig(options.kubeconfig);
  const printer = await createPrinter(options, io);
  const send = createDryRun(access);
  const line = createLiveLine(process.stderr);
  let isRefused = false;
  try {
    for await (const manifest of readManifests(options.dry, readYaml)) {
      line.show(manifest.progress);
      const { auditId, code } = await send(manifest);
      if (auditId === '') throw new ConfigError(`${manifest.place}: the server answered ${code} without an Audit-Id`);
      const trace = traceIn(await fetchTrace(access, auditId));
      isRefused ||= trace.verdict === 'refused';
      line.clear();
      printer.add({ trace, title: manifest.place });
    }
  } finally {
    line.clear();
  }
  printer.end();
  return isRefused ? exitCodes.failed : exitCodes.fine;
}

function traceIn(text: string): Trace {
  const trace: unknown = JSON.parse(text);
  if (isTrace(trace)) return trace;
  throw new ConfigError('the server answered with something else than a trace');
}

const isTrace = (value: unknown): value is Trace => isJsonObject(value) && value['traceVersion'] === 1;

function help(): string {
  const lines = Object.values(explainFlags).map(({ name, argument, isSwitch, help: text, fallback }) => {
    const shown = isSwitch || fallback === '' ? '' : ` (${String(fallback)})`;
    return `  ${`--${name}${isSwitch ? '' : ` ${argument}`}`.padEnd(23)}  ${text}${shown}`;
  });
  return [
    'usage: kadmit explain [ID|last] [FLAGS]',
    '       kadmit explain --dry FILE [FLAGS]',
    '       kadmit explain [ID|last] --trace-dir FOLDER [FLAGS]',
    '',
    'ID is the Audit-Id header of an answer (kubectl -v=8 shows it).',
    '',
    ...lines,
  ].join('\n');
}
