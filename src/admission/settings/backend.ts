import type { ConfigurationFiles } from './admission-configuration.ts';
import { read, unreadable } from './configuration-document.ts';
import type { Reading } from './configuration-document.ts';
import { readKubeconfig } from './kubeconfig.ts';
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';

/** Whom the API server asks about images, users or permissions, and as whom: what the current context of a kubeconfig says. */
export interface Backend {
  readonly url: string;
  /** Base64 of PEM; '' for the host's own roots. */
  readonly caBundle: string;
  readonly insecure: boolean;
  readonly user: KubeconfigUser | undefined;
}

/** Follows apiserver pkg/util/webhook/webhook.go LoadKubeconfig. */
export function readBackend(path: string, files: Pick<ConfigurationFiles, 'read' | 'beside'>): Reading<Backend> {
  const kubeconfig = readKubeconfig(path, files);
  if (!kubeconfig.ok) return kubeconfig;
  const { currentCluster, currentUser } = kubeconfig.value;
  if (currentCluster === undefined) return unreadable(noCluster);
  const caBundle = authorityOf(currentCluster, files);
  if (!caBundle.ok) return caBundle;
  const { server: url, insecure } = currentCluster;
  // client-go shows nobody's credentials to who could not keep them.
  const user = url.startsWith('http:') ? undefined : currentUser;
  return read({ url, caBundle: caBundle.value, insecure, user });
}

const noCluster =
  'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

/** As a caBundle has it. */
function authorityOf(
  { authority }: KubeconfigCluster,
  files: Pick<ConfigurationFiles, 'read' | 'beside'>,
): Reading<string> {
  if (authority === undefined) return read('');
  if ('base64' in authority) return read(authority.base64);
  const file = files.read(authority.file);
  if (file.ok) return read(btoa(file.value));
  return unreadable(`unable to load root certificates: open ${authority.file}: ${file.error}`);
}
