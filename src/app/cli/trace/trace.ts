import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import {
  kubeconfigFlag,
  outputFlag,
  readPort,
  switchFlag,
  textFlag,
} from '../../../adapters/config/flags/common-flags.ts';
import type { Flag } from '../../../adapters/config/flags/flags.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { tryRead, tryWrite } from '../../../adapters/config/read-files.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { maxTraceFileBytes, readTraceFile, renderTraceFile } from '../../../adapters/traces/trace-file.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { errorText } from '../../../machinery/errors.ts';
import { readBoundedFile } from '../../../adapters/files/bounded-file.ts';
import { defineAction, defineCommandWithActions, type OptionsOf } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { reviewsFlag, reviewsText, saveReviews } from '../save-reviews.ts';
import { fetchAllTraces, fetchTrace, parseTraces } from '../explain/trace-source.ts';
import { browserCommand } from '../terminal/platform.ts';
import { showWhile, untilInterrupted } from '../terminal/terminal.ts';
import { exitCodes, type Io, printDocument } from '../terminal/io.ts';
import { countText } from '../../../machinery/lists.ts';

const exportFlags = {
  out: textFlag('out', 'FILE', 'file to write (-: stdout)', 'kadmit-trace.html'),
  reviews: reviewsFlag,
  showSecrets: switchFlag('show-secrets', 'write the values of Secrets, not masked'),
  output: outputFlag,
  kubeconfig: kubeconfigFlag,
};

const portFlag: Flag<number> = {
  name: 'port',
  argument: 'PORT',
  help: 'port of the page on the loopback address; 0 picks a free one',
  fallback: 0,
  read: readPort(0),
};

/** `kadmit trace export` and `kadmit trace open`. */
export const traceCommand = defineCommandWithActions({
  name: 'trace',
  group: 'Explain',
  purpose: 'export traces into an HTML file, or open such a file',
  details: [
    'export writes traces of the running server into one HTML file that any browser opens, without a server. ID is the ' +
      'Audit-Id header of a response. With --reviews it writes the AdmissionReviews of their webhooks instead, a file each, ' +
      'with the response as expectation. open serves the traces of such a file, or of a JSON file of --trace-dir, in the page.',
  ],
  examples: ['trace export last', 'trace open kadmit-trace.html --browser'],
  actions: [
    defineAction({
      name: 'export',
      synopsis: ['[ID|last|all] [FLAGS]'],
      flags: exportFlags,
      positionals: { name: 'ID', max: 1, complete: [{ type: 'files' }] },
      run: ({ args: [which = 'last'], options, given }, io) => {
        if (options.reviews !== '' && given.has('out'))
          throw new ConfigError('--out and --reviews cannot be used together');
        if (options.out === '-' && options.output !== 'text')
          throw new ConfigError(`--out - and -o ${options.output} cannot be used together`);
        return exportTraces(which, options, io);
      },
    }),
    defineAction({
      name: 'open',
      synopsis: ['FILE [FLAGS]'],
      flags: { port: portFlag, browser: switchFlag('browser', 'open the page in the browser') },
      positionals: { name: 'FILE', min: 1, max: 1, complete: [{ type: 'files' }] },
      run: ({ args: [file = ''], options }, io, parts: Pick<CommandContext, 'openTraces'>) =>
        openTraceFile(file, options, io, parts),
    }),
  ],
});

async function openTraceFile(
  path: string,
  { port, browser }: { readonly port: number; readonly browser: boolean },
  io: Io,
  { openTraces }: Pick<CommandContext, 'openTraces'>,
): Promise<number> {
  const traces = readTraces(path);
  const page = await openTraces(traces, port).catch((error: unknown) => {
    throw new ConfigError(`the page cannot be served: ${errorText(error)}`);
  });
  io.out(`${countText(traces.length, 'trace')} of ${path}: ${page.url}\n\nCtrl-C ends it.`);
  if (browser) showInBrowser(page.url, io);
  await untilInterrupted(() => page.close());
  return exitCodes.fine;
}

function readTraces(path: string): readonly Trace[] {
  const reading = readTraceFile(tryRead(path, () => readBoundedFile(path, maxTraceFileBytes)));
  if (reading.outcome === 'unreadable') throw new ConfigError(`${path} ${reading.problem}`);
  if (reading.traces.length === 0) throw new ConfigError(`${path} has no traces`);
  return reading.traces;
}

function showInBrowser(url: string, io: Io): void {
  const [command, ...args] = browserCommand(url);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => io.error(`kadmit trace: ${command} cannot be run; open the URL yourself`));
  child.unref();
}

async function exportTraces(which: string, options: OptionsOf<typeof exportFlags>, io: Io): Promise<number> {
  const { out, reviews, showSecrets, output, kubeconfig } = options;
  const traces = await showWhile('reading the traces …', fetchTraces(await readKubeconfig(kubeconfig), which));
  if (reviews !== '') {
    const saved = saveReviews(reviews, traces, showSecrets);
    await printDocument(io, output, saved, () => reviewsText(saved));
    return exitCodes.fine;
  }
  const text = await renderTraces(traces, showSecrets);
  if (out === '-') {
    io.out(text);
    return exitCodes.fine;
  }
  // Readable for the owner only: traces can contain Secrets.
  tryWrite(out, () => writeFileSync(out, text, { mode: 0o600 }));
  const saved = { file: out, traces: traces.length, bytes: Buffer.byteLength(text), secretsMasked: !showSecrets };
  await printDocument(io, output, saved, () => savedText(saved));
  return exitCodes.fine;
}

interface SavedTraces {
  readonly file: string;
  readonly traces: number;
  readonly bytes: number;
  readonly secretsMasked: boolean;
}

function savedText({ file, traces, bytes, secretsMasked }: SavedTraces): string {
  const secrets = secretsMasked ? 'values of Secrets are masked' : 'with the values of Secrets';
  return `${file}: ${countText(traces, 'trace')}, ${Math.ceil(bytes / 1024)} KiB, ${secrets}; open it in any browser`;
}

async function renderTraces(traces: readonly Trace[], reveal: boolean): Promise<string> {
  try {
    return await renderTraceFile(traces, { reveal });
  } catch (error) {
    throw new ConfigError(errorText(error));
  }
}

/** Oldest first. */
async function fetchTraces(access: ServerAccess, which: string): Promise<readonly Trace[]> {
  const traces = which === 'all' ? await fetchAllTraces(access) : parseTraces(await fetchTrace(access, which));
  if (traces.length === 0) throw new ConfigError('no write has been traced yet');
  return traces;
}
