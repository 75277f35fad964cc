import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, commandFailed } from './config-error.ts';
import type { ServerConfig } from './server-config.ts';
import type { GivenFlags } from './upstream/flag-values.ts';
import { unsupportedFlag } from './upstream/unsupported-flags.ts';

/** Why the flags are invalid, in one line; undefined when they are valid. */
export function flagProblem(
  config: ServerConfig,
  rest: readonly string[],
  given: GivenFlags = new Map(),
): string | undefined {
  if (rest.length > 0) return `unexpected argument ${JSON.stringify(rest[0])}; flags begin with --`;
  if (config.dataDir !== '' && config.etcdServers.length > 0) {
    return '--data-dir and --etcd-servers say two places for the same objects: give one of them';
  }
  if ((config.etcdCertfile === '') !== (config.etcdKeyfile === '')) {
    return '--etcd-certfile and --etcd-keyfile belong together: give both or neither';
  }
  const wrong = config.etcdServers.find((url) => !/^https?:\/\/[^/]+\/?$/.test(url));
  if (wrong !== undefined) {
    return `--etcd-servers ${JSON.stringify(wrong)} is no URL of a server: give http://HOST:PORT or https://HOST:PORT`;
  }
  const unreadableFile = filesOf(config)
    .map(([flag, path]) => unreadable(flag, path))
    .find((problem) => problem !== undefined);
  return unreadableFile ?? unsupportedFlag(config, given);
}

/** Errors in admission plugin flags. Follows apiserver pkg/server/options/admission.go Validate. */
export function pluginProblems(
  config: ServerConfig,
  { inOrder }: { readonly inOrder: readonly string[] },
): readonly string[] {
  const { admissionControl, enableAdmissionPlugins: enable, disableAdmissionPlugins: disable } = config;
  if (admissionControl.length > 0 && enable.length + disable.length > 0) {
    return ['admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive'];
  }
  const unknown = (flag: string, names: readonly string[]): readonly string[] =>
    names.filter((name) => !inOrder.includes(name)).map((name) => `${flag} plugin ${JSON.stringify(name)} is unknown`);
  const both = enable.filter((name) => disable.includes(name));
  return [
    ...unknown('admission-control', admissionControl),
    ...unknown('enable-admission-plugins', enable),
    ...unknown('disable-admission-plugins', disable),
    ...(both.length > 0
      ? [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`]
      : []),
  ];
}

const filesOf = (config: ServerConfig): readonly (readonly [flag: string, path: string])[] => [
  ['--etcd-cafile', config.etcdCafile],
  ['--etcd-certfile', config.etcdCertfile],
  ['--etcd-keyfile', config.etcdKeyfile],
  ...config.load.map((path) => ['--load', path] as const),
];

function unreadable(flag: string, path: string): string | undefined {
  if (path === '') return undefined;
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return `${flag}: cannot read ${path}: ${reasonOf(error)}`;
  }
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EEXIST', 'it is not a folder'],
  ['ELOOP', 'it links to itself'],
  ['ENAMETOOLONG', 'the path is too long'],
  ['EMFILE', 'too many files are open; raise the limit, ulimit -n 4096'],
  ['ENFILE', 'too many files are open on this machine'],
]);

const reasonOf = (error: unknown): string => reasons.get(codeOf(error)) ?? String(codeOf(error));

/** The line that explains why the server did not start; undefined for a bug. */
export function startProblem(
  error: unknown,
  config: ServerConfig,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const { bindAddress, securePort } = config;
  if (error instanceof ConfigError) return error.message;
  const address = `${bindAddress}:${securePort}`;
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `${address} is taken; stop what listens there or choose another --secure-port (0 picks a free one)`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${bindAddress}; choose another --bind-address`;
    case 'EACCES':
      return pathOf(error)
        ? filesystemProblem(error, config)
        : `may not listen on ${address}; ${platform === 'win32' ? 'Windows reserves the port: choose another --secure-port' : 'choose a --secure-port from 1024 up'}`;
    default:
      return reasons.has(codeOf(error)) ? filesystemProblem(error, config) : undefined;
  }
}

function filesystemProblem(error: unknown, config: ServerConfig): string {
  const path = pathOf(error);
  const flags = path === undefined ? [] : flagsOf(path, config);
  const remedy = flags.length === 0 ? '' : `; name another place with ${flags.join(' and ')}`;
  return `cannot use ${path ?? 'a file'}: ${reasonOf(error)}${remedy}`;
}

/** The flags whose path contains this path, or is below it. */
function flagsOf(path: string, { certDir, writeKubeconfig, dataDir, traceDir }: ServerConfig): readonly string[] {
  const places = {
    '--cert-dir': certDir,
    '--write-kubeconfig': writeKubeconfig,
    '--data-dir': dataDir,
    '--trace-dir': traceDir,
  };
  const holds = (folder: string, inner: string): boolean => `${resolve(inner)}/`.startsWith(`${resolve(folder)}/`);
  return Object.entries(places)
    .filter(([, place]) => place !== '' && (holds(path, place) || holds(place, path)))
    .map(([flag]) => flag);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}

const validModes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'RBAC', 'Node'];

/** RBAC by default. */
export const modesOfFlags = ({
  authorizationMode: modes,
}: Pick<ServerConfig, 'authorizationMode'>): readonly string[] => (modes.length === 0 ? ['RBAC'] : modes);

/** Follows kubernetes pkg/kubeapiserver/options/authorization.go Validate. Throws StartFailure with its texts. */
export function checkAuthorization({
  authorizationMode: modes,
  authorizationPolicyFile,
}: Pick<ServerConfig, 'authorizationMode' | 'authorizationPolicyFile'>): void {
  const problems = [
    ...(modes.length === 0 ? ['at least one authorization-mode must be passed'] : []),
    ...modes.flatMap((mode) => [
      ...(validModes.includes(mode) ? [] : [`authorization-mode ${JSON.stringify(mode)} is not a valid mode`]),
      ...(mode === 'ABAC' && authorizationPolicyFile === ''
        ? ["authorization-mode ABAC's authorization policy file not passed"]
        : []),
    ]),
    ...(authorizationPolicyFile !== '' && !modes.includes('ABAC')
      ? ['cannot specify --authorization-policy-file without mode ABAC']
      : []),
    ...(new Set(modes).size < modes.length
      ? [
          `authorization-mode [${modes.map((mode) => JSON.stringify(mode)).join(' ')}] has mode specified more than once`,
        ]
      : []),
  ];
  if (problems.length === 0) return;
  throw commandFailed(problems.length === 1 ? String(problems[0]) : `[${problems.join(', ')}]`);
}
