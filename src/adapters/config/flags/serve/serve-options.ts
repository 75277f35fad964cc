import type { ServerConfig } from '../../server-config.ts';
import { kubernetesVersionFlag, textFlag } from '../common-flags.ts';
import {
  readBoolean,
  readNodeCount,
  readChoice,
  readLevel,
  readAssumptions,
  readMappings,
  readNames,
  readPort,
  readRepeated,
  readSeed,
  readWhole,
} from '../flag-readers.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { authenticationFlags } from './authentication-options.ts';
import { authorizationFlags } from './authorization-options.ts';
import { storageFlags } from './storage-options.ts';

const names = (name: string, help: string, fallback: readonly string[] = []): Flag<readonly string[]> => ({
  name,
  argument: 'NAMES',
  help,
  fallback,
  read: readNames,
});

const truth = (name: string, help: string, fallback: boolean): Flag<boolean> => ({
  name,
  argument: 'true|false',
  help,
  fallback,
  read: readBoolean,
  isSwitch: true,
});

const seconds = (name: string, taint: string): Flag<number> => ({
  name,
  argument: 'SECONDS',
  help: `how long a Pod stays on a node that is ${taint}, if it does not say so itself`,
  fallback: 300,
  read: readWhole,
});

/** kube-apiserver's flags keep their names and meaning. */
export const serveFlags: FlagsOf<Omit<ServerConfig, 'upstream'>> = {
  bindAddress: textFlag('bind-address', 'ADDRESS', 'where to listen', '127.0.0.1'),
  securePort: {
    name: 'secure-port',
    argument: 'PORT',
    help: 'the HTTPS port; 0 picks a free one',
    fallback: 6443,
    read: readPort(0),
  },
  certDir: textFlag(
    'cert-dir',
    'FOLDER',
    'where the own CA, its certificates and the key of ServiceAccount tokens are kept; certs in --data-dir if that is given',
    '.kadmit',
  ),
  ...storageFlags,
  tlsCertFile: textFlag('tls-cert-file', 'FILE', 'a serving certificate (PEM) instead of an own one'),
  tlsPrivateKeyFile: textFlag('tls-private-key-file', 'FILE', 'the key (PEM) of --tls-cert-file'),
  clientCaFile: textFlag(
    'client-ca-file',
    'FILE',
    'CAs (PEM) whose client certificates name users: CN the user, O the groups',
  ),
  tokenAuthFile: textFlag('token-auth-file', 'FILE', 'bearer tokens, a csv file: token,user,uid,"group1,group2"'),
  serviceAccountIssuer: {
    name: 'service-account-issuer',
    argument: 'ISSUER',
    help: 'who issues ServiceAccount tokens; given again: whose tokens are taken too',
    fallback: [],
    read: readRepeated,
  },
  serviceAccountKeyFile: {
    name: 'service-account-key-file',
    argument: 'FILE',
    help: 'keys or certificates (PEM) that ServiceAccount tokens are checked with; repeatable',
    fallback: [],
    read: readRepeated,
  },
  serviceAccountSigningKeyFile: textFlag(
    'service-account-signing-key-file',
    'FILE',
    'the key (PEM) that signs ServiceAccount tokens instead of an own one',
  ),
  apiAudiences: names('api-audiences', 'whom tokens must be meant for; the issuers unless given'),
  anonymousAuth: truth('anonymous-auth', 'let requests without credentials in as system:anonymous', true),
  ...authenticationFlags,
  ...authorizationFlags,
  admissionControl: names('admission-control', 'the admission plugins to run, and no others (deprecated upstream)'),
  enableAdmissionPlugins: names('enable-admission-plugins', 'admission plugins to run besides the default ones'),
  disableAdmissionPlugins: names('disable-admission-plugins', 'default admission plugins not to run'),
  admissionControlConfigFile: textFlag('admission-control-config-file', 'FILE', 'configuration of admission plugins'),
  plugin: {
    name: 'plugin',
    argument: 'FILE.mjs',
    help: 'an admission plugin of your own: export default { name, before or after, mutate, validate }; repeatable',
    fallback: [],
    read: readRepeated,
  },
  kubernetesVersion: kubernetesVersionFlag,
  runtimeConfig: {
    name: 'runtime-config',
    argument: 'API=true|false[,...]',
    help:
      'alpha and beta APIs to serve, stable ones not to: api/all, api/ga, api/beta, api/alpha, GROUP/VERSION or ' +
      'GROUP/VERSION/RESOURCE',
    fallback: [],
    read: readRepeated,
  },
  featureGates: {
    name: 'feature-gates',
    argument: 'GATE=true|false[,...]',
    help: 'features of Kubernetes; those that open alpha APIs count, of others one line says that they change nothing',
    fallback: [],
    read: readRepeated,
  },
  defaultNotReadyTolerationSeconds: seconds('default-not-ready-toleration-seconds', 'not ready'),
  defaultUnreachableTolerationSeconds: seconds('default-unreachable-toleration-seconds', 'unreachable'),
  auditLogPath: textFlag('audit-log-path', 'FILE', 'where audit events go; - is standard output'),
  auditPolicyFile: textFlag('audit-policy-file', 'FILE', 'which requests are audited, and how much of them'),
  serviceClusterIpRange: textFlag(
    'service-cluster-ip-range',
    'RANGE',
    'where the addresses of Services come from',
    '10.0.0.0/24',
  ),
  controllers: names('controllers', 'controllers to run: \'*\' all, -NAME not that one, "" none: a bare API server', [
    '*',
  ]),
  nodes: {
    name: 'nodes',
    argument: 'N',
    help: 'nodes on which Pods become ready, though nothing is executed; 0: Pods stay Pending',
    fallback: 0,
    read: readNodeCount,
  },
  writeKubeconfig: textFlag('write-kubeconfig', 'FILE', 'the kubeconfig of kubernetes-admin', '.kadmit/kubeconfig'),
  load: {
    name: 'load',
    argument: 'PATH',
    help: 'manifests to begin with, a file or a folder, or what kadmit snapshot save wrote; repeatable',
    fallback: [],
    read: readRepeated,
  },
  loadFrom: textFlag(
    'load-from',
    'KUBECONFIG',
    'begin with the objects of this server, without its Events and Secrets',
  ),
  loadKinds: names('load-kinds', 'of --load-from only these resources: pods,deployments.apps'),
  loadNamespaces: names('load-namespaces', 'of what lives in namespaces, take with --load-from what is in these'),
  loadSecrets: truth('load-secrets', 'take the Secrets with --load-from too', false),
  injectCa: truth(
    'inject-ca',
    "fill in caBundles that cert-manager's and OpenShift's annotations ask for, make the Secrets of Certificates and Services, and " +
      'believe mapped webhooks that have no caBundle',
    false,
  ),
  map: {
    name: 'map',
    argument: 'NAMESPACE/SERVICE[:PORT]=URL',
    help:
      'where the Service of a clientConfig really listens; instead of the Service also *, NAMESPACE/*, or ' +
      'https://HOST[:PORT] for webhooks with a url; kadmit map changes it later; repeatable',
    fallback: [],
    read: readMappings,
  },
  assume: {
    name: 'assume',
    argument: 'NAME=allow|deny|ignore',
    help:
      'what to take for the answer of a webhook that nobody runs: NAME is the webhook, its configuration or ' +
      'CONFIGURATION/WEBHOOK, and * whoever has no backend; ignore goes on as if it failed; repeatable',
    fallback: [],
    read: readAssumptions,
  },
  allowPrivileged: truth('allow-privileged', 'let Pods ask for privileged containers', true),
  coverage: truth(
    'coverage',
    'have traces and the page tell which branches of expressions were taken; each is evaluated twice then',
    false,
  ),
  externalHostname: textFlag('external-hostname', 'NAME', 'another name for the certificate and the kubeconfig'),
  uiPort: {
    name: 'ui-port',
    argument: 'PORT',
    help: 'the page that shows the traces; 0 picks a free port, -1 switches it off',
    fallback: 6480,
    read: readPort(-1),
  },
  traceDir: textFlag('trace-dir', 'FOLDER', 'write the trace of every request there as a file'),
  traceDirMaxFiles: {
    name: 'trace-dir-max-files',
    argument: 'NUMBER',
    help: 'keep at most this many files in --trace-dir; the oldest are deleted',
    fallback: 10_000,
    read: readWhole,
  },
  traceDirMaxSize: {
    name: 'trace-dir-max-size',
    argument: 'MEBIBYTES',
    help: 'keep at most this much in --trace-dir; the oldest files are deleted',
    fallback: 500,
    read: readWhole,
  },
  breakOn: {
    name: 'break-on',
    argument: 'NAME[:before|:after|:both]',
    help: 'hold requests at this webhook (NAME or CONFIGURATION/NAME), before its call unless said otherwise; repeatable',
    fallback: [],
    read: readRepeated,
  },
  apiFault: {
    name: 'api-fault',
    argument: 'KIND[:FIELD=VALUE]...',
    help:
      'what goes wrong at the API for its clients: conflict, too-many-requests, drop-watch or expire-watch, such as ' +
      'conflict:resources=configmaps:calls=1,3; docs/reference/api-faults.md has the fields; repeatable',
    fallback: [],
    read: readRepeated,
  },
  policySeed: {
    name: 'policy-seed',
    argument: 'NUMBER',
    help: 'shuffles policies and their bindings, whose order is a matter of chance elsewhere; 0: they come by name',
    fallback: 0,
    read: readSeed,
  },
  apiFaultSeed: {
    name: 'api-fault-seed',
    argument: 'NUMBER',
    help: 'decides the API faults that have a probability: the same number, the same faults',
    fallback: 1,
    read: readSeed,
  },
  loggingFormat: {
    name: 'logging-format',
    argument: 'text|json',
    help: 'the form of the log on standard error',
    fallback: 'text',
    read: readChoice(['text', 'json']),
  },
  v: {
    name: 'v',
    argument: 'LEVEL',
    help: 'how much the log says; from 3 on every request is a line',
    fallback: 0,
    read: readLevel,
  },
};
