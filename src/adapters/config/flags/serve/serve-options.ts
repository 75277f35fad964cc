import {
  kubernetesVersionFlag,
  numberFlag,
  readAssumptions,
  namesFlag,
  choiceFlag,
  durationFlag,
  readLevel,
  readMappings,
  readNodeCount,
  readPort,
  readRepeated,
  repeatedFlag,
  switchFlag,
  readSeed,
  readWhole,
  textFlag,
} from '../common-flags.ts';
import { defaultMinor } from '../../../../machinery/meta/release-names.ts';
import type { Flag, FlagGroups, FlagsOf, FlagValues } from '../flags.ts';
import { authenticationFlags, authorizationFlags } from './auth-options.ts';
import { storageFlags } from './storage-options.ts';

const seconds = (name: string, taint: string): Flag<number> =>
  numberFlag(name, 'SECONDS', `tolerationSeconds that Pods get for nodes that are ${taint}, unless they set it`, {
    fallback: 300,
    read: readWhole,
  });

const webhookFlags = {
  map: {
    name: 'map',
    argument: 'NAMESPACE/SERVICE[:PORT]=URL',
    help:
      'call the webhooks of this Service at URL; instead of the Service also *, NAMESPACE/*, or https://HOST[:PORT] for ' +
      'webhooks with a url; kadmit map changes it later; repeatable',
    fallback: [],
    read: readMappings,
  },
  assume: {
    name: 'assume',
    argument: 'NAME=allow|deny|ignore',
    help:
      'the response to assume for a webhook that does not run: NAME is the webhook, its configuration or ' +
      'CONFIGURATION/WEBHOOK, and * every webhook without a backend; ignore continues as if the call failed; repeatable',
    fallback: [],
    read: readAssumptions,
  },
  injectCa: switchFlag(
    'inject-ca',
    'fill in caBundles for annotations of cert-manager and OpenShift, create the Secrets of Certificates and Services, and ' +
      'trust mapped webhooks without a caBundle',
    false,
  ),
  breakOn: repeatedFlag(
    'break-on',
    'NAME[:before|:after|:both]',
    'pause requests at this webhook (NAME or CONFIGURATION/NAME), by default before its call',
  ),
  plugin: repeatedFlag(
    'plugin',
    'FILE.mjs',
    'an admission plugin of your own: export default { name, before or after, mutate, validate }',
  ),
  enableAdmissionPlugins: namesFlag('enable-admission-plugins', 'admission plugins to run besides the default ones'),
  disableAdmissionPlugins: namesFlag('disable-admission-plugins', 'default admission plugins not to run'),
  admissionControlConfigFile: textFlag('admission-control-config-file', 'FILE', 'configuration of admission plugins'),
  admissionControl: namesFlag('admission-control', 'the admission plugins to run, and no others (deprecated upstream)'),
  defaultNotReadyTolerationSeconds: seconds('default-not-ready-toleration-seconds', 'not ready'),
  defaultUnreachableTolerationSeconds: seconds('default-unreachable-toleration-seconds', 'unreachable'),
  allowPrivileged: switchFlag('allow-privileged', 'admit Pods with privileged containers', true),
  policySeed: numberFlag(
    'policy-seed',
    'NUMBER',
    'seed that shuffles policies and their bindings, whose order upstream is random; 0: by name',
    { fallback: 0, read: readSeed },
  ),
};

const objectFlags = {
  load: repeatedFlag('load', 'PATH', 'objects to create at the start: a manifest, a folder, or a snapshot'),
  loadFrom: textFlag('load-from', 'KUBECONFIG', 'copy the objects of this server, without Events and Secrets'),
  loadKinds: namesFlag('load-kinds', 'the resources that --load-from copies: pods,deployments.apps'),
  loadNamespaces: namesFlag('load-namespaces', 'the namespaces that --load-from copies'),
  loadSecrets: switchFlag('load-secrets', 'copy Secrets with --load-from too', false),
  nodes: numberFlag(
    'nodes',
    'N',
    'simulated nodes, on which Pods become ready without running anything; 0: Pods stay Pending',
    { fallback: 0, read: readNodeCount },
  ),
  controllers: namesFlag(
    'controllers',
    'controllers to run: \'*\' all, -NAME not that one, "" none: a bare API server',
    {
      fallback: ['*'],
    },
  ),
  serviceClusterIpRange: textFlag('service-cluster-ip-range', 'RANGE', 'the addresses of Services', '10.0.0.0/24'),
};

const traceFlags = {
  uiPort: numberFlag(
    'ui-port',
    'PORT',
    'the port of the UI, which shows the traces; 0 picks a free port, -1 disables it',
    { fallback: 6480, read: readPort(-1) },
  ),
  keepTraces: numberFlag(
    'keep-traces',
    'NUMBER',
    'keep the traces of at most this many writes in memory, and at most 128 MiB of them; the oldest go first',
    { fallback: 2_000, read: readWhole },
  ),
  traceDir: textFlag('trace-dir', 'FOLDER', 'write the trace of every request to a file in this folder'),
  traceDirMaxFiles: numberFlag(
    'trace-dir-max-files',
    'NUMBER',
    'keep at most this many files in --trace-dir; the oldest are deleted',
    { fallback: 10_000, read: readWhole },
  ),
  traceDirMaxSize: numberFlag(
    'trace-dir-max-size',
    'MEBIBYTES',
    'keep at most this much in --trace-dir; the oldest files are deleted',
    { fallback: 500, read: readWhole },
  ),
  coverage: switchFlag(
    'coverage',
    'record in traces which branches of expressions were evaluated; each expression is evaluated twice',
    false,
  ),
};

const apiFlags = {
  kubernetesVersion: kubernetesVersionFlag,
  emulatedVersion: namesFlag(
    'emulated-version',
    `1.${defaultMinor - 3} to 1.${defaultMinor - 1}; like --kubernetes-version`,
    { argument: 'VERSION' },
  ),
  runtimeConfig: {
    name: 'runtime-config',
    argument: 'API=true|false[,...]',
    help:
      'alpha and beta APIs to serve, stable ones not to serve: api/all, api/ga, api/beta, api/alpha, GROUP/VERSION or ' +
      'GROUP/VERSION/RESOURCE',
    fallback: [],
    read: readRepeated,
  },
  featureGates: {
    name: 'feature-gates',
    argument: 'GATE=true|false[,...]',
    help: 'Kubernetes features; gates of alpha APIs have an effect, the server warns of the others',
    fallback: [],
    read: readRepeated,
  },
  apiFault: repeatedFlag(
    'api-fault',
    'KIND[:FIELD=VALUE]...',
    'a fault of the API for its clients: conflict, too-many-requests, drop-watch or expire-watch, such as ' +
      'conflict:resources=configmaps:calls=1,3; docs/reference/api-faults.md has the fields',
  ),
  apiFaultSeed: numberFlag('api-fault-seed', 'NUMBER', 'seed of the API faults that have a probability', {
    fallback: 1,
    read: readSeed,
  }),
};

const servingFlags = {
  bindAddress: textFlag('bind-address', 'ADDRESS', 'the address to listen on', '127.0.0.1'),
  securePort: numberFlag('secure-port', 'PORT', 'the HTTPS port; 0 picks a free one', {
    fallback: 6443,
    read: readPort(0),
  }),
  writeKubeconfig: textFlag('write-kubeconfig', 'FILE', 'the kubeconfig of kubernetes-admin', '.kadmit/kubeconfig'),
  certDir: textFlag(
    'cert-dir',
    'FOLDER',
    "the folder of kadmit's CA, its certificates and the ServiceAccount key; default with --data-dir: certs in that folder",
    '.kadmit',
  ),
  externalHostname: textFlag('external-hostname', 'NAME', 'another name for the certificate and the kubeconfig'),
  tlsCertFile: textFlag('tls-cert-file', 'FILE', 'the serving certificate (PEM); default: one of kadmit'),
  tlsPrivateKeyFile: textFlag('tls-private-key-file', 'FILE', 'the key (PEM) of --tls-cert-file'),
  disableHttp2Serving: switchFlag('disable-http2-serving', 'serve HTTP/1.1 only'),
  requestTimeout: durationFlag('request-timeout', 'how long a request may take; its timeout parameter may shorten it', {
    fallback: 60_000,
    shownFallback: '1m0s',
  }),
  minRequestTimeout: numberFlag(
    'min-request-timeout',
    'SECONDS',
    'the shortest time of a watch; the longest is twice as long',
    { fallback: 1800, read: readWhole },
  ),
};

const logFlags = {
  auditLogPath: textFlag('audit-log-path', 'FILE', 'the file of audit events; - is standard output'),
  auditPolicyFile: textFlag('audit-policy-file', 'FILE', 'the audit policy: which requests are logged, at which level'),
  loggingFormat: choiceFlag('logging-format', ['text', 'json'], 'the format of the log on standard error', 'text'),
  v: numberFlag('v', 'LEVEL', 'log verbosity; from 3 on every request is logged', { fallback: 0, read: readLevel }),
};

/** By their headings in `kadmit serve --help`. kube-apiserver's flags keep their names and meaning. */
export const serveFlagGroups: FlagGroups = {
  'Webhook and admission flags': webhookFlags,
  'Object flags': objectFlags,
  'Trace flags': traceFlags,
  'API flags': apiFlags,
  'Serving flags': servingFlags,
  'Storage flags': storageFlags,
  'Authentication flags': authenticationFlags,
  'Authorization flags': authorizationFlags,
  'Audit and log flags': logFlags,
};

const flags = {
  ...webhookFlags,
  ...objectFlags,
  ...traceFlags,
  ...apiFlags,
  ...servingFlags,
  ...storageFlags,
  ...authenticationFlags,
  ...authorizationFlags,
  ...logFlags,
};

/** Under the flags' names in camel case; '' and [] mean "not given". */
export type ServeOptions = FlagValues<typeof flags>;

export const serveFlags: FlagsOf<ServeOptions> = flags;
