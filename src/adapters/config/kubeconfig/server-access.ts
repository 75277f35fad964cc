import type { Agent } from 'node:https';

/** How to reach the server of a kubeconfig's current context. */
export interface ServerAccess {
  /** The kubeconfig that says so. */
  readonly kubeconfig: string;
  readonly url: string;
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
  /** The name that the server's certificate is for, when it is not that of the url. */
  readonly serverName: string | undefined;
  /** The certificate is not looked at. */
  readonly insecure: boolean;
  /** Goes through the proxy that the kubeconfig names. */
  readonly proxy?: Agent;
  /** Of its context, or `default`. */
  readonly namespace: string;
}
