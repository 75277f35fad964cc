import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { type PlacedKubeconfig, placeKubeconfig } from '../../../adapters/config/kubeconfig/write-kubeconfig.ts';
import type { RunningServer, ServerConfig } from '../../../adapters/config/server-config.ts';
import { comment, shellWord, setVariable } from '../terminal/platform.ts';
import type { CommandContext } from '../command-context.ts';
import { version } from '../package-file.ts';

export interface StartedServer {
  readonly server: RunningServer;
  readonly kubeconfig: PlacedKubeconfig;
}

/** Starts the server and writes its kubeconfig. Rejects when that fails, or when a page of --ui-port cannot be served. */
export async function startServer(
  config: ServerConfig,
  parts: CommandContext,
  given: ReadonlySet<string>,
): Promise<StartedServer> {
  const server = await startWithSnapshot(config, parts);
  try {
    if (given.has('ui-port') && server.uiProblem !== '') throw new ConfigError(server.uiProblem);
    return { server, kubeconfig: await writeKubeconfig(config, server, given.has('write-kubeconfig')) };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** With --load-from, through a temporary file. */
async function startWithSnapshot(config: ServerConfig, { startApiserver }: CommandContext): Promise<RunningServer> {
  const { loadFrom: kubeconfig, loadKinds: kinds, loadNamespaces: namespaces, loadSecrets: secrets } = config;
  if (kubeconfig === '') return startApiserver(config);
  const { saveTo } = await import('../../../testing/record-replay/snapshot/save-to.ts');
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-'));
  try {
    const file = join(folder, 'objects.jsonl.gz');
    await saveTo(file, { kubeconfig, kinds, namespaces, secrets });
    return await startApiserver({ ...config, load: [file, ...config.load] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeKubeconfig(
  config: ServerConfig,
  server: RunningServer,
  isRequested: boolean,
): Promise<PlacedKubeconfig> {
  if (config.writeKubeconfig === '') return { path: '', note: '', remove: () => {} };
  const cluster = { url: clientUrl(config, server), caPem: server.caPem, admin: server.admin };
  return placeKubeconfig(resolve(config.writeKubeconfig), cluster, isRequested);
}

/** The URL for clients on this machine. */
export function clientUrl({ externalHostname, bindAddress }: ServerConfig, { url, port }: RunningServer): string {
  if (externalHostname !== '') return `https://${externalHostname}:${port}`;
  return ['0.0.0.0', '::'].includes(bindAddress) ? `https://127.0.0.1:${port}` : url;
}

interface BannerFacts {
  readonly url: string;
  /** URL of the page with its token; '' without a page. */
  readonly uiUrl: string;
  /** '' without a file. */
  readonly kubeconfig: string;
  /** A sentence about each custom plugin. */
  readonly ownPlugins: readonly string[];
  readonly startedInMs: number;
  /** argv[1]: the script that runs. */
  readonly script: string;
}

/** At most eight lines, but for those about plugins. */
export const bannerText = (facts: BannerFacts): string =>
  [
    `kadmit ${version()} is ready at ${facts.url} (${Math.round(facts.startedInMs)} ms)`,
    ...facts.ownPlugins.map((sentence) => `Your plugin ${sentence}`),
    ...nextSteps('kubectl apply -f your-webhook-configuration.yaml -f your-pod.yaml', facts),
  ].join('\n');

/** What to type next, and how to stop the server. `kubectl` is a command to try. */
export const nextSteps = (
  kubectl: string,
  { uiUrl, kubeconfig, script }: Pick<BannerFacts, 'uiUrl' | 'kubeconfig' | 'script'>,
  title = 'In another terminal:',
): readonly string[] => [
  title,
  ...(kubeconfig === '' ? [] : [`  ${setVariable('KUBECONFIG', resolve(kubeconfig))}`]),
  `  ${kubectl}`,
  `  ${commandText(script)} explain last${comment('which webhooks were called, which were not, and why')}`,
  ...(uiUrl === '' ? [] : [`The page: ${uiUrl}`]),
  'Ctrl-C stops it.',
];

function commandText(script: string): string {
  return script.endsWith('.js') ? `node ${shellWord(relative('', script) || script)}` : 'kadmit';
}
