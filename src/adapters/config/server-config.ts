import type { ServeOptions } from './flags/serve/serve-options.ts';
import type { UpstreamOptions } from './upstream/options.ts';

/** The flags of `kadmit serve`. */
export interface ServerConfig extends ServeOptions {
  /** Further flags of kube-apiserver. */
  readonly upstream?: UpstreamOptions;
}

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
