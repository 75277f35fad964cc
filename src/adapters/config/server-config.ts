import type { Mapping } from './mapping.ts';
import type { UpstreamOptions } from './upstream/options.ts';

/** The flags of `kadmit serve` under their names in camel case. '' and [] mean "not given". */
export interface ServerConfig {
  readonly bindAddress: string;
  /** 0: any free port. */
  readonly securePort: number;
  readonly certDir: string;
  readonly dataDir: string;
  readonly dataSync: boolean;
  readonly etcdServers: readonly string[];
  readonly etcdCafile: string;
  readonly etcdCertfile: string;
  readonly etcdKeyfile: string;
  readonly etcdPrefix: string;
  /** Milliseconds since the last write of an Event; 0: forever. */
  readonly eventTtl: number;
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
  readonly clientCaFile: string;
  /** CAs of authenticating proxies, and the headers in which these name the user. */
  readonly requestheaderClientCaFile: string;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  readonly tokenAuthFile: string;
  /** The first one issues new tokens; tokens of all are valid. */
  readonly serviceAccountIssuer: readonly string[];
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountSigningKeyFile: string;
  readonly apiAudiences: readonly string[];
  readonly anonymousAuth: boolean;
  /** A kubeconfig for TokenReview. */
  readonly authenticationTokenWebhookConfigFile: string;
  /** Of TokenReview: v1 or v1beta1. */
  readonly authenticationTokenWebhookVersion: string;
  /** A Go duration. */
  readonly authenticationTokenWebhookCacheTtl: string;
  readonly authenticationConfig: string;
  /** In order: RBAC, Node, ABAC, Webhook, AlwaysAllow, AlwaysDeny. */
  readonly authorizationMode: readonly string[];
  readonly authorizationPolicyFile: string;
  /** A kubeconfig, for Webhook. */
  readonly authorizationWebhookConfigFile: string;
  /** Of SubjectAccessReview: v1 or v1beta1. */
  readonly authorizationWebhookVersion: string;
  /** Go durations. */
  readonly authorizationWebhookCacheAuthorizedTtl: string;
  readonly authorizationWebhookCacheUnauthorizedTtl: string;
  /** An AuthorizationConfiguration; replaces all of these. */
  readonly authorizationConfig: string;
  /** The plugins that run; replaces the two fields below. */
  readonly admissionControl: readonly string[];
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly admissionControlConfigFile: string;
  /** Modules that export one plugin each. */
  readonly plugin: readonly string[];
  /** `1.32` or `v1.32.10`; '': the newest. */
  readonly kubernetesVersion: string;
  readonly runtimeConfig: readonly string[];
  readonly featureGates: readonly string[];
  readonly defaultNotReadyTolerationSeconds: number;
  readonly defaultUnreachableTolerationSeconds: number;
  /** `-` is standard output. */
  readonly auditLogPath: string;
  readonly auditPolicyFile: string;
  readonly serviceClusterIpRange: string;
  /** As for kube-controller-manager: `*` for all, `-name` excludes one; [] for none. */
  readonly controllers: readonly string[];
  /** Record the branches of CEL expressions in traces. */
  readonly coverage: boolean;
  /** Shuffles policies and bindings; 0: in order of their names. */
  readonly policySeed: number;
  /** Simulated nodes; 0: Pods stay Pending. */
  readonly nodes: number;
  readonly writeKubeconfig: string;
  readonly load: readonly string[];
  /** A kubeconfig of the server whose objects are copied; '': none. */
  readonly loadFrom: string;
  /** Kinds to copy, as for kubectl; []: all but Events and Secrets. */
  readonly loadKinds: readonly string[];
  readonly loadNamespaces: readonly string[];
  readonly loadSecrets: boolean;
  /** Fill in caBundles that annotations request, and trust mapped webhooks without one. */
  readonly injectCa: boolean;
  readonly map: readonly Mapping[];
  readonly assume: readonly Assumption[];
  readonly allowPrivileged: boolean;
  readonly externalHostname: string;
  /** 0: any free port, -1: no UI. */
  readonly uiPort: number;
  /** So many traces are kept in memory. */
  readonly keepTraces: number;
  readonly traceDir: string;
  readonly traceDirMaxFiles: number;
  /** Mebibytes. */
  readonly traceDirMaxSize: number;
  readonly loggingFormat: 'text' | 'json';
  /** Log verbosity: 3 logs every request. */
  readonly v: number;
  /** `NAME[:before|:after|:both]`. */
  readonly breakOn: readonly string[];
  /** `KIND[:FIELD=VALUE]…`. */
  readonly apiFault: readonly string[];
  /** Seeds API faults that have a probability. */
  readonly apiFaultSeed: number;
  /** Further flags of kube-apiserver. */
  readonly upstream?: UpstreamOptions;
}

/** `--assume NAME=allow|deny|ignore`: the assumed response of a webhook without a backend. */
export interface Assumption {
  /** A webhook, a configuration, or `CONFIGURATION/WEBHOOK`; `*`: every webhook without a backend. */
  readonly webhook: string;
  readonly verdict: 'allow' | 'deny' | 'ignore';
}

/** A server that is ready. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** With its token; '' for no UI. */
  readonly uiUrl: string;
  /** Why a requested UI is missing; '' otherwise. */
  readonly uiProblem: string;
  /** Positions of the user's plugins: `TeamLabel runs after LimitRanger and before Priority`. */
  readonly ownPlugins: readonly string[];
  /** The CAs that clients must trust. */
  readonly caPem: string;
  /** Of kubernetes-admin, a member of system:masters. */
  readonly admin: AdminCredential;
  readonly close: () => Promise<void>;
}

/** PEM certificate and key, or a bearer token. */
export type AdminCredential =
  | { readonly type: 'certificate'; readonly certificate: string; readonly key: string }
  | { readonly type: 'token'; readonly token: string };
