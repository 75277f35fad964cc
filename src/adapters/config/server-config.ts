import type { Mapping } from './mapping.ts';
import type { UpstreamOptions } from './upstream/options.ts';

/** What `kadmit serve` was told: every flag's value under its name in camel case. '' and [] mean "not given". */
export interface ServerConfig {
  readonly bindAddress: string;
  /** 0: any free port. */
  readonly securePort: number;
  readonly certDir: string;
  /** Keeps objects in this folder; '': in memory. */
  readonly dataDir: string;
  /** Does a write wait for the disk? */
  readonly dataSync: boolean;
  /** Keeps objects in this etcd; []: in memory. */
  readonly etcdServers: readonly string[];
  readonly etcdCafile: string;
  readonly etcdCertfile: string;
  readonly etcdKeyfile: string;
  readonly etcdPrefix: string;
  /** For how long Events are kept since they were last written, in milliseconds; 0: for good. */
  readonly eventTtl: number;
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
  readonly clientCaFile: string;
  /** CAs of proxies in front, and the headers in which they name the user. */
  readonly requestheaderClientCaFile: string;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  readonly tokenAuthFile: string;
  /** The first one's name stands in new ServiceAccount tokens; tokens of all are taken. */
  readonly serviceAccountIssuer: readonly string[];
  /** Keys or certificates that ServiceAccount tokens are checked with. */
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountSigningKeyFile: string;
  readonly apiAudiences: readonly string[];
  readonly anonymousAuth: boolean;
  /** A kubeconfig: whom to ask about bearer tokens nobody else knows. */
  readonly authenticationTokenWebhookConfigFile: string;
  /** Of TokenReview: v1 or v1beta1. */
  readonly authenticationTokenWebhookVersion: string;
  /** A duration as Go writes it. */
  readonly authenticationTokenWebhookCacheTtl: string;
  /** An AuthenticationConfiguration. */
  readonly authenticationConfig: string;
  /** Authorizers in the order in which they are asked: RBAC, Node, ABAC, Webhook, AlwaysAllow, AlwaysDeny. */
  readonly authorizationMode: readonly string[];
  /** For ABAC. */
  readonly authorizationPolicyFile: string;
  /** A kubeconfig, for Webhook. */
  readonly authorizationWebhookConfigFile: string;
  /** Of SubjectAccessReview: v1 or v1beta1. */
  readonly authorizationWebhookVersion: string;
  /** Durations as Go writes them. */
  readonly authorizationWebhookCacheAuthorizedTtl: string;
  readonly authorizationWebhookCacheUnauthorizedTtl: string;
  /** An AuthorizationConfiguration, instead of all these. */
  readonly authorizationConfig: string;
  /** Instead of the two that follow: the plugins that run. */
  readonly admissionControl: readonly string[];
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly admissionControlConfigFile: string;
  /** Modules that export a plugin each. */
  readonly plugin: readonly string[];
  /** `1.32` or `v1.32.10`: the release that is followed; '': the newest. */
  readonly kubernetesVersion: string;
  /** `api/beta=true`, `GROUP/VERSION=true`, `GROUP/VERSION/RESOURCE=false`, joined by commas. */
  readonly runtimeConfig: readonly string[];
  /** `GATE=true`, joined by commas. */
  readonly featureGates: readonly string[];
  readonly defaultNotReadyTolerationSeconds: number;
  readonly defaultUnreachableTolerationSeconds: number;
  /** `-` is standard output. */
  readonly auditLogPath: string;
  readonly auditPolicyFile: string;
  readonly serviceClusterIpRange: string;
  /** Names as kube-controller-manager takes them: `*` for all, `-name` for all but that one; [] for none. */
  readonly controllers: readonly string[];
  /** Do traces tell which branches of expressions were taken? */
  readonly coverage: boolean;
  /** Shuffles policies and bindings; 0: they come by name. */
  readonly policySeed: number;
  /** So many nodes on which Pods live, with a scheduler; 0: Pods stay Pending. */
  readonly nodes: number;
  readonly writeKubeconfig: string;
  readonly load: readonly string[];
  /** A kubeconfig, whose server's objects are there from the beginning; '': none. */
  readonly loadFrom: string;
  /** What of them, as kubectl names it; []: all but Events and Secrets. */
  readonly loadKinds: readonly string[];
  readonly loadNamespaces: readonly string[];
  readonly loadSecrets: boolean;
  /** Are caBundles that annotations ask for filled in, and mapped webhooks without one believed? */
  readonly injectCa: boolean;
  readonly map: readonly Mapping[];
  readonly assume: readonly Assumption[];
  readonly allowPrivileged: boolean;
  readonly externalHostname: string;
  /** 0: any free port, -1: no page. */
  readonly uiPort: number;
  readonly traceDir: string;
  readonly traceDirMaxFiles: number;
  /** In mebibytes. */
  readonly traceDirMaxSize: number;
  readonly loggingFormat: 'text' | 'json';
  /** How much the log says: 0 what matters to everybody, 3 every request. */
  readonly v: number;
  /** `NAME[:before|:after|:both]` each. */
  readonly breakOn: readonly string[];
  /** `KIND[:FIELD=VALUE]…` each. */
  readonly apiFault: readonly string[];
  /** Decides the API faults that have a probability. */
  readonly apiFaultSeed: number;
  /** More flags of kube-apiserver; their defaults unless said. */
  readonly upstream?: UpstreamOptions;
}

/** What stands for the answer of a webhook that nobody runs: `--assume NAME=allow|deny|ignore`. */
export interface Assumption {
  /** A webhook, a configuration, or `CONFIGURATION/WEBHOOK`; `*`: whoever has no backend. */
  readonly webhook: string;
  readonly verdict: 'allow' | 'deny' | 'ignore';
}

/** A server that answers `GET /readyz`. */
export interface RunningServer {
  /** `https://127.0.0.1:6443` */
  readonly url: string;
  readonly port: number;
  /** Where the page is, with its token; '' when there is none. */
  readonly uiUrl: string;
  /** Why there is no page although one was asked for; '' when all is well. */
  readonly uiProblem: string;
  /** Where admission plugins of the user's own run: `TeamLabel runs after LimitRanger and before Priority`. */
  readonly ownPlugins: readonly string[];
  /** The certificates that a client has to trust. */
  readonly caPem: string;
  /** How kubernetes-admin, a member of system:masters, logs in. */
  readonly admin: AdminCredential;
  readonly close: () => Promise<void>;
}

/** PEM of a client certificate and its key, or a bearer token. */
export type AdminCredential =
  | { readonly type: 'certificate'; readonly certificate: string; readonly key: string }
  | { readonly type: 'token'; readonly token: string };
