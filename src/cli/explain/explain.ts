import { isJsonObject } from '../../apimachinery/json.ts';
import { ConfigError } from '../../config/config-error.ts';
import { explain as explainTrace } from '../../trace/explain.ts';
import { maskTrace } from '../../trace/mask.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Parts } from '../command.ts';
import { sendDryRun } from './dry-run.ts';
import { explainFlags } from './explain-options.ts';
import type { ExplainOptions } from './explain-options.ts';
import { fetchTrace } from './fetch-trace.ts';
import { parseFlags, spelledOut } from '../flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { readKubeconfig } from '../kubeconfig/read-kubeconfig.ts';
import { readManifests } from '../read-manifests.ts';
import { ownTerminal } from '../terminal/terminal.ts';

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
    return options.dry === '' ? await explainOne(rest[0] ?? 'last', options, io) : await explainDry(options, io, parts);
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'explain', error.message);
    throw error;
  }
}

async function explainOne(id: string, options: ExplainOptions, io: Io): Promise<number> {
  const trace = traceIn(await fetchTrace(await readKubeconfig(options.kubeconfig), id));
  io.out(await printed([{ trace, title: '' }], options));
  return exitCodes.fine;
}

/** Every object of the file, in order; exit code 1 when one of them would be refused. */
async function explainDry(options: ExplainOptions, io: Io, { readYaml }: Pick<Parts, 'readYaml'>): Promise<number> {
  const manifests = await readManifests(options.dry, readYaml);
  const access = await readKubeconfig(options.kubeconfig);
  const explained: Explained[] = [];
  for (const manifest of manifests) {
    const { auditId, code } = await sendDryRun(access, manifest);
    if (auditId === '') throw new ConfigError(`${manifest.place}: the server answered ${code} without an Audit-Id`);
    explained.push({ trace: traceIn(await fetchTrace(access, auditId)), title: manifest.place });
  }
  io.out(await printed(explained, options));
  return explained.some(({ trace }) => trace.verdict === 'refused') ? exitCodes.failed : exitCodes.fine;
}

function traceIn(text: string): Trace {
  const trace: unknown = JSON.parse(text);
  if (isTrace(trace)) return trace;
  throw new ConfigError('the server answered with something else than a trace');
}

const isTrace = (value: unknown): value is Trace => isJsonObject(value) && value['traceVersion'] === 1;

interface Explained {
  readonly trace: Trace;
  /** Of several: which one it is. */
  readonly title: string;
}

async function printed(explained: readonly Explained[], options: ExplainOptions): Promise<string> {
  const traces = explained.map(({ trace }) => (options.showSecrets ? trace : maskTrace(trace)));
  const document = traces.length === 1 ? traces[0] : traces;
  switch (options.output) {
    case 'json':
      return JSON.stringify(document, null, 2);
    case 'yaml':
      return (await import('yaml')).stringify(document).trimEnd();
    case 'text':
      return explained.map((one) => inWords(one, explained.length > 1, options)).join('\n\n');
  }
}

function inWords({ trace, title }: Explained, isTitled: boolean, options: ExplainOptions): string {
  const { blame, all, webhook, showSecrets: secrets } = options;
  const terminal = ownTerminal();
  const text = explainTrace(trace, { ...terminal, blame, all, secrets, ...(webhook === '' ? {} : { webhook }) });
  return isTitled ? `${terminal.paint('strong', `# ${title}`)}\n${text}` : text;
}

function help(): string {
  const lines = Object.values(explainFlags).map(({ name, argument, isSwitch, help: text, fallback }) => {
    const shown = isSwitch || fallback === '' ? '' : ` (${String(fallback)})`;
    return `  ${`--${name}${isSwitch ? '' : ` ${argument}`}`.padEnd(23)}  ${text}${shown}`;
  });
  return [
    'usage: kadmit explain [ID|last] [FLAGS]',
    '       kadmit explain --dry FILE [FLAGS]',
    '',
    'ID is the Audit-Id header of an answer (kubectl -v=8 shows it).',
    '',
    ...lines,
  ].join('\n');
}
