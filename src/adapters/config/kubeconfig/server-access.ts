import type { Agent } from 'node:https';

export interface ServerAccess {
  /** The path of the kubeconfig. */
  readonly kubeconfig: string;
  readonly url: string;
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
  /** The expected name in the server's certificate, unless it is the URL's host. */
  readonly serverName: string | undefined;
  /** Skip TLS verification. */
  readonly insecure: boolean;
  readonly proxy?: Agent;
  /** The context's namespace, or `default`. */
  readonly namespace: string;
}
