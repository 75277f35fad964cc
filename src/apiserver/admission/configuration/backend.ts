import type { ConfigurationFiles } from './admission-configuration.ts';
import { listText, read, type ConfigurationReading, unreadable } from './configuration-document.ts';
import {
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigUser,
  type Material,
  readWebhookKubeconfig,
} from './kubeconfig.ts';

export interface WebhookBackend {
  readonly url: string;
  readonly caBundle: string;
  readonly insecure: boolean;
  readonly user: KubeconfigUser | undefined;
}

/** The backend in the current context of a kubeconfig. Follows apiserver pkg/util/webhook/webhook.go LoadKubeconfig. */
export function readBackend(
  path: string,
  files: Pick<ConfigurationFiles, 'read' | 'beside'>,
): ConfigurationReading<WebhookBackend> {
  const kubeconfig = readWebhookKubeconfig(path, files);
  if (!kubeconfig.ok) return kubeconfig;
  const { currentCluster, currentUser } = kubeconfig.value;
  if (currentCluster === undefined) return unreadable(noCluster);
  const faults = materialFaults(kubeconfig.value, files);
  if (faults.length > 0) return unreadable(`invalid configuration: ${listText(faults)}`);
  const caBundle = authorityOf(currentCluster, files);
  if (!caBundle.ok) return caBundle;
  const { server: url, insecure } = currentCluster;
  // client-go sends no credentials over plain HTTP.
  const user = url.startsWith('http:') ? undefined : currentUser;
  return read({ url, caBundle: caBundle.value, insecure, user });
}

const noCluster =
  'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

function materialFaults(
  { currentUser, currentCluster, currentNames: { user, cluster } }: Kubeconfig,
  files: Pick<ConfigurationFiles, 'read'>,
): readonly string[] {
  const fault = (what: string, of: string, material: Material | undefined): readonly string[] => {
    if (material === undefined || 'base64' in material) return [];
    const file = files.read(material.file);
    return file.ok
      ? []
      : [`unable to read ${what} ${material.file} for ${of} due to open ${material.file}: ${file.error}`];
  };
  return [
    ...fault('certificate-authority', cluster, currentCluster?.authority),
    ...fault('client-cert', user, currentUser?.certificate),
    ...fault('client-key', user, currentUser?.key),
  ];
}

function authorityOf(
  { authority }: KubeconfigCluster,
  files: Pick<ConfigurationFiles, 'read' | 'beside'>,
): ConfigurationReading<string> {
  if (authority === undefined) return read('');
  if ('base64' in authority) return read(authority.base64);
  const file = files.read(authority.file);
  if (file.ok) return read(btoa(file.value));
  return unreadable(`unable to load root certificates: open ${authority.file}: ${file.error}`);
}
