import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { parseFlags } from '../../../adapters/config/flags/flags.ts';
import { serveFlags } from '../../../adapters/config/flags/serve/serve-options.ts';
import { releaseProblem } from '../../../adapters/config/flags/common-flags.ts';
import type { ServerConfig } from '../../../adapters/config/server-config.ts';
import { StartFailure, commandFailed } from '../../../adapters/config/config-error.ts';
import { flagProblem, pluginProblems, startProblem } from '../../../adapters/config/start-problem.ts';
import { applyEmulatedVersion } from '../../../adapters/config/upstream/versions.ts';
import { unsupportedFlags } from '../../../adapters/config/upstream/unsupported-flags.ts';
import { optionsProblem } from '../../../adapters/config/upstream/validate-options.ts';
import { followedVersion, minorOfVersion, versionOfRelease } from '../../../machinery/meta/release-names.ts';
import type { CommandContext } from '../command-context.ts';
import { toPflagError, kubeApiserverFlags, readGoFlags } from '../serve/pflag.ts';
import { untilInterrupted } from '../terminal/terminal.ts';
import { exitCodes, type Io } from '../terminal/io.ts';
import { version } from '../package-file.ts';

const timeoutMs = 3000;
const maxAnswerLength = 1000;

/**
 * Whether a real etcd responds there. Suites launch an etcd too, mostly kadmit's stand-in, which stores nothing and has no TLS.
 * Follows etcd server/etcdserver/api/etcdhttp/version.go.
 */
async function isEtcdBehind(servers: readonly string[]): Promise<boolean> {
  const [first] = servers;
  if (first === undefined || !URL.canParse(first)) return false;
  const url = new URL('/version', first);
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && (await fetchText(url)).includes('"etcdserver"');
}

/** '' without a response. */
const fetchText = (url: URL): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const request = get(url, { timeout: timeoutMs, agent: false }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > maxAnswerLength) request.destroy();
      });
      response.on('close', () => resolve(text));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(''));
  });

type SelectedRelease =
  /** `version` as kube-apiserver prints it; `argument` for `--kubernetes-version`, '' for the newest. */
  | { readonly outcome: 'known'; readonly version: string; readonly argument: string }
  | { readonly outcome: 'unknown'; readonly problem: string };

/** The folders of setup-envtest, `…/k8s/1.33.0-linux-amd64/kube-apiserver`: controller-runtime tools/setup-envtest/store. */
const versionFolder = /[/\\](\d+\.\d+\.\d+)-[a-z0-9]+-[a-z0-9]+[/\\][^/\\]+$/;

/** From KADMIT_KUBERNETES_VERSION, else from the folder of the launcher. */
export function selectRelease(program: string, variable = ''): SelectedRelease {
  const [, ofFolder = ''] = versionFolder.exec(program) ?? [];
  const argument = variable === '' ? ofFolder : variable;
  if (argument === '') return { outcome: 'known', version: followedVersion, argument };
  const problem = releaseProblem(argument);
  if (problem !== undefined) {
    const where = variable === '' ? `the folder of ${program}` : 'KADMIT_KUBERNETES_VERSION';
    return { outcome: 'unknown', problem: `${where}: ${JSON.stringify(argument)} ${problem}` };
  }
  const plain = argument.replace(/^v/, '');
  return { outcome: 'known', version: /^\d+\.\d+$/.test(plain) ? versionOfRelease(plain) : `v${plain}`, argument };
}

/**
 * kadmit instead of kube-apiserver: the same flags, exit codes and messages, without controllers.
 * Follows cmd/kube-apiserver/app/server.go and component-base cli/run.go.
 */
export async function kubeApiserver(args: readonly string[], io: Io, parts: CommandContext): Promise<number> {
  const flags = readGoFlags(args, kubeApiserverFlags);
  if (flags.outcome === 'wrong') return failed(io, `Error: ${flags.error}`);
  const release = selectRelease(process.argv[1] ?? '', process.env['KADMIT_KUBERNETES_VERSION']);
  if (release.outcome === 'unknown') return failed(io, `Error: ${release.problem}`);
  const info = infoText(flags.given, release.version);
  if (info !== undefined) return printInfo(io, info);
  if (flags.rest.some((arg) => arg !== '')) {
    const texts = flags.rest.map((arg) => JSON.stringify(arg)).join(' ');
    return failed(io, `Error: "kube-apiserver" does not take any arguments, got [${texts}]`);
  }
  const meanings = await selectEffectiveFlags(flags.given);
  const parsed = parseFlags(serveFlags, serveArguments(flags.given, meanings, release.argument));
  if (parsed.outcome === 'help') return printInfo(io, helpText(release.version));
  if (parsed.outcome === 'usage') return failed(io, `Error: ${toPflagError(parsed.problem)[1] ?? parsed.problem}`);
  const config = applyEmulatedVersion(withOwnCertificates(parsed.options));
  const plugins = await parts.admissionPlugins(minorOfVersion(config.kubernetesVersion));
  const problem =
    flagProblem(config, [], flags.given) ?? optionsProblem(config, pluginProblems(config, plugins), flags.given);
  if (problem !== undefined) return failed(io, commandFailed(problem).message);
  const meaningless = [...flags.given.keys()].filter((name) => !meanings.has(name));
  for (const name of meaningless) io.error(`kadmit: --${name} of kube-apiserver has no effect`);
  return serveUntilStopped(config, io, { ...parts, version: release.version });
}

/** Help or version; undefined without these flags. */
function infoText(given: ReadonlyMap<string, readonly string[]>, kubernetesVersion: string): string | undefined {
  if (given.has('help')) return helpText(kubernetesVersion);
  return given.has('version') ? `Kubernetes ${kubernetesVersion}` : undefined;
}

/** Flags that `kadmit serve` has as well. */
const sharedFlags: ReadonlySet<string> = new Set(
  Object.values(serveFlags).flatMap(({ name }) => (kubeApiserverFlags.all.has(name) ? [name] : [])),
);

/** Those with an effect on objects in memory. */
const sharedFlagsWithoutEtcd: ReadonlySet<string> = new Set(
  [...sharedFlags].filter((name) => !name.startsWith('etcd-')),
);

async function selectEffectiveFlags(given: ReadonlyMap<string, readonly string[]>): Promise<ReadonlySet<string>> {
  const servers = given.get('etcd-servers')?.flatMap((urls) => urls.split(',')) ?? [];
  return (await isEtcdBehind(servers)) ? sharedFlags : sharedFlagsWithoutEtcd;
}

function serveArguments(
  given: ReadonlyMap<string, readonly string[]>,
  meanings: ReadonlySet<string>,
  kubernetesVersion: string,
): readonly string[] {
  const traceDir = process.env['KADMIT_TRACE_DIR'] ?? '';
  return [
    '--controllers=',
    '--ui-port=-1',
    '--write-kubeconfig=',
    ...(kubernetesVersion === '' ? [] : [`--kubernetes-version=${kubernetesVersion}`]),
    ...(traceDir === '' ? [] : [`--trace-dir=${traceDir}`]),
    ...(given.has('authorization-mode') ? [] : ['--authorization-mode=AlwaysAllow']),
    ...[...given]
      .filter(([name]) => meanings.has(name))
      .flatMap(([name, values]) => values.map((value) => `--${name}=${value}`)),
  ];
}

/**
 * An existing certificate in --cert-dir is served, as upstream does; kadmit's own files are then in a subfolder. Follows apiserver pkg/server/options/serving.go MaybeDefaultWithSelfSignedCerts.
 */
function withOwnCertificates(config: ServerConfig): ServerConfig {
  const [tlsCertFile, tlsPrivateKeyFile] = ['crt', 'key'].map((end) => join(config.certDir, `apiserver.${end}`));
  if (config.tlsCertFile !== '' || tlsCertFile === undefined || tlsPrivateKeyFile === undefined) return config;
  if (!existsSync(tlsCertFile) || !existsSync(tlsPrivateKeyFile)) return config;
  return { ...config, tlsCertFile, tlsPrivateKeyFile, certDir: join(config.certDir, 'kadmit') };
}

interface ApiserverPorts extends Pick<CommandContext, 'startApiserver'> {
  readonly version: string;
}

async function serveUntilStopped(config: ServerConfig, io: Io, parts: ApiserverPorts): Promise<number> {
  try {
    const server = await parts.startApiserver(config);
    io.error(`kadmit ${version()} instead of kube-apiserver ${parts.version}: ready at ${server.url}`);
    await untilInterrupted(server.close);
    return exitCodes.fine;
  } catch (error) {
    if (error instanceof StartFailure) return failed(io, error.message, error.exitCode);
    const problem = startProblem(error, config);
    if (problem === undefined) throw error;
    return failed(io, commandFailed(problem).message);
  }
}

function helpText(kubernetesVersion: string): string {
  const own = new Map(Object.values(serveFlags).map(({ name, help }) => [name, help]));
  const lines = [...kubeApiserverFlags.all]
    .toSorted()
    .map((name) => `      --${name}  ${own.get(name) ?? helpOfOther(name)}`);
  return [`kadmit ${version()} instead of kube-apiserver ${kubernetesVersion}. Its flags:`, '', ...lines].join('\n');
}

const helpOfOther = (name: string): string =>
  unsupportedFlags.has(name) ? 'not supported: the server does not start' : 'accepted without effect';

function printInfo(io: Io, text: string): number {
  io.out(text);
  return exitCodes.fine;
}

function failed(io: Io, line: string, exitCode = 1): number {
  io.error(line);
  return exitCode;
}
