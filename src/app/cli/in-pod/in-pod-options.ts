import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { Mapping } from '../../../adapters/config/mapping.ts';
import {
  kubeconfigFlag,
  switchFlag,
  textFlag,
  readChoice,
  readRepeated,
} from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagsOf } from '../../../adapters/config/flags/flags.ts';
import { restartPolicies } from './restarts.ts';
import type { RestartPolicy } from './restarts.ts';

export interface InPodOptions {
  readonly asServiceAccount: string;
  readonly inCluster: boolean;
  readonly secret: readonly string[];
  readonly configMap: readonly string[];
  readonly service: readonly string[];
  readonly restart: RestartPolicy;
  readonly kubeconfig: string;
}

const repeated = (name: string, argument: string, help: string): Flag<readonly string[]> => ({
  name,
  argument,
  help,
  fallback: [],
  read: readRepeated,
});

export const inPodFlags: FlagsOf<InPodOptions> = {
  asServiceAccount: textFlag('as-service-account', 'NAMESPACE/NAME', 'whose token and rights the program gets'),
  inCluster: switchFlag('in-cluster', 'its token where a Pod has it, in place of KUBECONFIG; on Linux'),
  secret: repeated('secret', 'NAMESPACE/NAME=FOLDER', 'a folder that holds the keys of a Secret as files; repeatable'),
  configMap: repeated('config-map', 'NAMESPACE/NAME=FOLDER', 'the same of a ConfigMap; repeatable'),
  service: repeated('service', 'NAMESPACE/NAME=PORT', 'a Service that is led to this port while it runs; repeatable'),
  restart: {
    name: 'restart',
    argument: restartPolicies.join('|'),
    help: 'when it is started again after it has ended',
    fallback: 'Never',
    read: readChoice(restartPolicies),
  },
  kubeconfig: kubeconfigFlag,
};

export interface Qualified {
  readonly namespace: string;
  readonly name: string;
}

/** An object whose keys are files of a folder. */
export interface Mount extends Qualified {
  readonly resource: 'secrets' | 'configmaps';
  readonly folder: string;
}

const name = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Throws ConfigError for what is not `NAMESPACE/NAME`. */
export function qualified(flag: string, text: string): Qualified {
  const [namespace = '', own = '', ...more] = text.split('/');
  if (more.length > 0 || !name.test(namespace) || !name.test(own))
    throw new ConfigError(`--${flag} ${JSON.stringify(text)} is not NAMESPACE/NAME`);
  return { namespace, name: own };
}

/** What --secret and --config-map ask for. Throws ConfigError for what is not `NAMESPACE/NAME=FOLDER`. */
export const mountsOf = ({ secret, configMap }: InPodOptions): readonly Mount[] => [
  ...secret.map((text) => mountOf('secret', 'secrets', text)),
  ...configMap.map((text) => mountOf('config-map', 'configmaps', text)),
];

function mountOf(flag: string, resource: Mount['resource'], text: string): Mount {
  const [, object = '', folder = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
  if (folder === '') throw new ConfigError(`--${flag} ${JSON.stringify(text)} is not NAMESPACE/NAME=FOLDER`);
  return { resource, folder, ...qualified(flag, object) };
}

/** Where --service leads Services, as `kadmit map` takes it. Throws ConfigError for what is not `NAMESPACE/NAME=PORT`. */
export const mappingsOf = ({ service }: InPodOptions): readonly Mapping[] =>
  service.map((text) => {
    const [, object = '', port = ''] = /^([^=]*)=(\d{1,5})$/.exec(text) ?? [];
    if (port === '' || Number(port) > 65_535)
      throw new ConfigError(`--service ${JSON.stringify(text)} is not NAMESPACE/NAME=PORT`);
    const { namespace, name: own } = qualified('service', object);
    return { from: `${namespace}/${own}`, url: `https://127.0.0.1:${port}` };
  });

export function inPodHelp(): string {
  const flags = Object.values<Flag<unknown>>(inPodFlags);
  return [
    'usage: kadmit run [FLAGS] -- PROGRAM [ARG...]',
    '',
    'Runs a program on this machine with what it would have in its Pod: a kubeconfig of its ServiceAccount in KUBECONFIG,',
    'where the API server is in KUBERNETES_SERVICE_HOST and _PORT, its token and the CA as files in the folder that',
    'KADMIT_SERVICE_ACCOUNT names, and Secrets and ConfigMaps as files, which follow the objects within a second. Calls of',
    'webhooks at its Service come to its port, as with kadmit map, until it ends. What it asks of the server has its',
    'ServiceAccount as user: kadmit requests --user system:serviceaccount:NAMESPACE:NAME.',
    '',
    'Programs that look for their token in /var/run/secrets/kubernetes.io/serviceaccount only, for themselves or for a',
    'leader election, find it there with --in-cluster; nobody else does.',
    '',
    'A program that is started again waits as in a Pod: not at all, then 10 s, 20 s, up to 5 minutes. Each start has a token of',
    'its own, so that traces tell its requests apart (authentication.kubernetes.io/credential-id), and calls of its webhooks',
    'say which start answered, or that it had ended.',
    '',
    ...flags.map(({ name: flag, argument, help }) => `  ${`--${flag} ${argument}`.padEnd(36)}  ${help}`),
  ].join('\n');
}
