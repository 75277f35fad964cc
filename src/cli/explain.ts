import { isJsonObject } from '../apimachinery/json.ts';
import { ConfigError } from '../server-config.ts';
import { explain as explainTrace } from '../trace/explain.ts';
import type { Trace } from '../trace/trace.ts';
import { readChoice, readText } from './flag-readers.ts';
import { parseFlags } from './flags.ts';
import type { FlagsOf } from './flags.ts';
import { exitCodes } from './io.ts';
import type { Io } from './io.ts';
import { fetchTrace } from './fetch-trace.ts';
import { readKubeconfig } from './read-kubeconfig.ts';

type Output = 'text' | 'json' | 'yaml';

interface ExplainOptions {
  readonly kubeconfig: string;
  readonly output: Output;
}

const flags: FlagsOf<ExplainOptions> = {
  kubeconfig: {
    name: 'kubeconfig',
    argument: 'FILE',
    help: 'whose server to ask',
    fallback: '.kadmit/kubeconfig',
    read: readText,
  },
  output: {
    name: 'output',
    argument: 'text|json|yaml',
    help: 'how to print; -o for short',
    fallback: 'text',
    read: readChoice<Output>(['text', 'json', 'yaml']),
  },
};

/** `kadmit explain [ID|last]`: asks the server for a trace and says in words which webhooks were called, and why not. */
export async function explain(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseFlags(
    flags,
    args.map((arg) => arg.replace(/^-o(?==|$)/, '--output')),
  );
  if (parsed.outcome === 'help') {
    io.out(help());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, parsed.problem);
  const [id = 'last', ...more] = parsed.rest;
  if (more.length > 0) return usageError(io, `${JSON.stringify(more[0])} is one argument too many`);
  try {
    const text = await fetchTrace(await readKubeconfig(parsed.options.kubeconfig), id);
    io.out(await printed(text, parsed.options.output));
    return exitCodes.fine;
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, error.message);
    throw error;
  }
}

function usageError(io: Io, problem: string): number {
  io.error(`kadmit explain: ${problem}`);
  return exitCodes.usage;
}

function help(): string {
  const lines = Object.values(flags).map(
    (flag) => `  --${flag.name} ${flag.argument}  ${flag.help} (${flag.fallback})`,
  );
  return ['usage: kadmit explain [ID|last] [FLAGS]', '', 'ID is the Audit-Id header of an answer.', '', ...lines].join(
    '\n',
  );
}

async function printed(text: string, output: Output): Promise<string> {
  const trace: unknown = JSON.parse(text);
  if (!isTrace(trace)) throw new ConfigError('the server answered with something else than a trace');
  if (output === 'text') return explainTrace(trace);
  if (output === 'json') return JSON.stringify(trace, null, 2);
  const { stringify } = await import('yaml');
  return stringify(trace).trimEnd();
}

const isTrace = (value: unknown): value is Trace => isJsonObject(value) && value['traceVersion'] === 1;
