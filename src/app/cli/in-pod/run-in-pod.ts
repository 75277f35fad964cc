import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import {
  choiceFlag,
  kubeconfigFlag,
  repeatedFlag,
  switchFlag,
  textFlag,
} from '../../../adapters/config/flags/common-flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { errorText } from '../../../machinery/errors.ts';
import { makeFolder } from '../../../adapters/files/portable-files.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { exitCodeOf, runCommand } from '../terminal/run-command.ts';
import type { Io } from '../terminal/io.ts';
import { followFiles, parseMounts, qualifiedArgument, type NamespacedName, useServiceAccount } from './pod-files.ts';
import { restartPolicies, runStarts } from './run-starts.ts';
import type { Mapping } from '../../../adapters/config/mapping.ts';
import { requestMap } from '../map/map.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';

const flags = {
  asServiceAccount: textFlag(
    'as-service-account',
    'NAMESPACE/NAME',
    'run with the token and rights of this ServiceAccount',
  ),
  inCluster: switchFlag('in-cluster', 'mount the token where a Pod has it, without KUBECONFIG; Linux only'),
  secret: repeatedFlag('secret', 'NAMESPACE/NAME=FOLDER', 'write the keys of a Secret as files'),
  configMap: repeatedFlag('config-map', 'NAMESPACE/NAME=FOLDER', 'write the keys of a ConfigMap as files'),
  service: repeatedFlag('service', 'NAMESPACE/NAME=PORT', 'route webhook calls for this Service to a local port'),
  restart: choiceFlag('restart', restartPolicies, 'when to restart the program', 'Never'),
  kubeconfig: kubeconfigFlag,
};
type Options = OptionsOf<typeof flags>;

/** `kadmit run -- PROGRAM`: ends with the exit code of the program's last run. */
export const runInPodCommand = defineCommand({
  name: 'run',
  group: 'Develop',
  synopsis: ['[FLAGS] -- PROGRAM [ARG...]'],
  purpose: 'run a webhook with the ServiceAccount and files of its Pod',
  details: [
    'Sets KUBECONFIG to a kubeconfig of the ServiceAccount, KUBERNETES_SERVICE_HOST and _PORT to the API server, and ' +
      'KADMIT_SERVICE_ACCOUNT to the folder of its token and CA. Files of Secrets and ConfigMaps follow the objects within a ' +
      'second. kadmit requests --user system:serviceaccount:NAMESPACE:NAME lists what the program sends.',
    '--in-cluster is for programs that read /var/run/secrets/kubernetes.io/serviceaccount: only they see that folder.',
    'A restart waits as in a Pod: not at all, then 10 s, 20 s, up to 5 minutes. Each start has a token of its own ' +
      '(authentication.kubernetes.io/credential-id in traces), and traces show which start answered a call.',
  ],
  flags,
  positionals: { name: 'argument', max: 0, complete: [{ type: 'files' }] },
  program: true,
  examples: [
    'run --as-service-account shop/hooks -- ./webhook',
    'run --service shop/hooks=8443 --secret shop/tls=certs -- node hook.mjs',
  ],
  run: async ({ options, program = [] }, io) => {
    if (program.length === 0) throw new ConfigError('-- PROGRAM is required');
    const folder = mkdtempSync(join(tmpdir(), 'kadmit-run-'));
    try {
      return await runWith(options, program, { io, folder });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

async function runWith(
  options: Options,
  command: readonly string[],
  { io, folder }: { readonly io: Io; readonly folder: string },
): Promise<number> {
  const access = await readKubeconfig(options.kubeconfig);
  const account = parseAccount(options);
  const mounts = parseMounts(options.secret, options.configMap);
  const mappings = parseServiceMappings(options.service);
  const log = (line: string): void => io.error(`kadmit run: ${line}`);
  const credentials = account && (await useServiceAccount(access, account, folder));
  const following = await followFiles(access, mounts, log);
  const program = basename(command[0] ?? '');
  const forwarding = await forwardServices(access, mappings, program);
  const own = credentials?.environment ?? { KUBECONFIG: resolve(access.kubeconfig) };
  const environment = { ...process.env, ...own, ...(options.inCluster ? { KUBECONFIG: undefined } : {}) };
  const started = options.inCluster ? inClusterCommand(command, process.getuid?.()) : command;
  const run = async (): Promise<number> => exitCodeOf(await runCommand(started, environment, { log }));
  try {
    return await runStarts(run, { program, policy: options.restart, credentials, describe: forwarding.describe, log });
  } finally {
    following.stop();
    credentials?.stop();
    await forwarding.stop();
  }
}

function parseAccount({ asServiceAccount, inCluster }: Options): NamespacedName | undefined {
  if (asServiceAccount === '' && inCluster) throw new ConfigError('--in-cluster needs --as-service-account');
  if (inCluster) prepareMountPoint();
  return asServiceAccount === '' ? undefined : qualifiedArgument('as-service-account', asServiceAccount);
}

/** Follows client-go rest.InClusterConfig. */
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

const mountScript = `mount --bind "$KADMIT_SERVICE_ACCOUNT" ${mountPath} && exec "$@"`;

/** The command in a mount namespace with the account's folder at the path of a Pod; without root it needs a user namespace. */
export const inClusterCommand = (command: readonly string[], uid: number | undefined): readonly string[] => [
  'unshare',
  '--mount',
  ...(uid === 0 ? [] : ['--map-current-user', '--keep-caps']),
  '--',
  'sh',
  '-c',
  mountScript,
  'sh',
  ...command,
];

/** Makes the empty folder to mount on. Throws ConfigError when it cannot. */
export function prepareMountPoint(platform: NodeJS.Platform = process.platform, path = mountPath): void {
  if (platform !== 'linux') throw new ConfigError('--in-cluster needs the mount namespaces of Linux');
  try {
    makeFolder(path, 0o777);
  } catch (error) {
    throw new ConfigError(`--in-cluster: ${errorText(error)}: create the folder with: sudo mkdir -p ${path}`);
  }
}

/** Services routed to a program until `stop`, which restores their earlier entries. */
export interface Forwarding {
  /** Changes the description of the program in traces. Rejects with ConfigError. */
  readonly describe: (program: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Rejects with ConfigError when the server refuses. */
async function forwardServices(
  access: ServerAccess,
  mappings: readonly Mapping[],
  program: string,
): Promise<Forwarding> {
  const before = mappings.length > 0 ? await requestMap(access) : [];
  const describe = async (description: string): Promise<void> => {
    for (const { from, url } of mappings) await requestMap(access, { set: `${from}=${url}`, program: description });
  };
  await describe(program);
  return {
    describe,
    stop: async () => {
      for (const { from } of mappings) {
        const earlier = before.find((mapping) => mapping.from === from);
        const change = earlier ? { set: `${from}=${earlier.url}`, program: earlier.program ?? '' } : { remove: from };
        // The server may be gone.
        await requestMap(access, change).catch(() => {});
      }
    },
  };
}

/** The entries of --service. Throws ConfigError unless each is `NAMESPACE/NAME=PORT`. */
export const parseServiceMappings = (services: readonly string[]): readonly Mapping[] =>
  services.map((text) => {
    const [, object = '', port = ''] = /^([^=]*)=(\d{1,5})$/.exec(text) ?? [];
    if (port === '' || Number(port) > 65_535)
      throw new ConfigError(`--service ${JSON.stringify(text)} is not NAMESPACE/NAME=PORT`);
    const { namespace, name: own } = qualifiedArgument('service', object);
    return { from: `${namespace}/${own}`, url: `https://127.0.0.1:${port}` };
  });
