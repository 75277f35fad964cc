import { ConfigError } from '../../../adapters/config/config-error.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { putLoad } from '../../../testing/load/put-load.ts';
import type { LoadDocument } from '../../../testing/load/put-load.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/live-line.ts';
import { structured } from '../terminal/structured.ts';
import { trialObjects } from '../../../analysis/trials/trial-scenarios.ts';
import { loadFlags, loadHelp } from './load-options.ts';
import type { LoadOptions } from './load-options.ts';
import { loadText } from './load-text.ts';

/** `kadmit load MANIFEST…`: a mix of writes at a rate; exit code 1 when a threshold is not kept to. */
export async function load(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseFlags(loadFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(loadHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'load', parsed.problem);
  if (parsed.rest.length === 0) return usageError(io, 'load', 'of what? kadmit load pod.yaml --rate 50 --duration 30s');
  try {
    const objects = trialObjects(parsed.rest).map(({ object }) => object);
    const document = await shownLoad(objects, parsed.options);
    const { output } = parsed.options;
    io.out(output === 'text' ? loadText(document) : await structured(output, JSON.stringify(document, undefined, 2)));
    return document.thresholds.every(({ met }) => met) ? exitCodes.fine : exitCodes.failed;
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'load', error.message);
    throw error;
  }
}

/** Says meanwhile that it runs, and ends early when it is told to. */
async function shownLoad(objects: readonly JsonObject[], options: LoadOptions): Promise<LoadDocument> {
  const access = await readKubeconfig(options.kubeconfig);
  const line = createLiveLine(process.stderr);
  const interrupt = { asked: false };
  const stop = (): void => void (interrupt.asked = true);
  process.once('SIGINT', stop);
  const shown = setInterval(() => line.show(`${access.url}: requests are under way …`), 1000);
  try {
    return await putLoad(objects, access, options, () => interrupt.asked);
  } finally {
    clearInterval(shown);
    line.clear();
    process.off('SIGINT', stop);
  }
}
