import type { ServeOptions } from './flags/serve/serve-options.ts';

/** The flags of `kadmit serve`. */
export type ServerConfig = ServeOptions;

export interface RunningServer {
  /** `https://127.0.0.1:41234` */
  readonly url: string;
  readonly port: number;
  /** URL of the UI with its token; '' without a UI. */
  readonly uiUrl: string;
  /** Why a requested UI is missing; '' otherwise. */
  readonly uiProblem: string;
  /** Positions of the user's plugins: `TeamLabel runs after LimitRanger and before Priority`. */
  readonly ownPlugins: readonly string[];
  /** PEM of the CAs that clients must trust. */
  readonly caPem: string;
  /** Of kubernetes-admin, a member of system:masters. */
  readonly admin: AdminCredential;
  readonly close: () => Promise<void>;
}

/** PEM certificate and key, or a bearer token. */
export type AdminCredential =
  | { readonly type: 'certificate'; readonly certificate: string; readonly key: string }
  | { readonly type: 'token'; readonly token: string };
