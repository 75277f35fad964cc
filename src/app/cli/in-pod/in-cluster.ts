import { mkdirSync } from 'node:fs';
import { errorText } from '../../../machinery/error-text.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';

/** Where client-go rest.InClusterConfig and the others look. */
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

const script = `mount --bind "$KADMIT_SERVICE_ACCOUNT" ${mountPath} && exec "$@"`;

/**
 * The command in a mount namespace of its own, in which the account's folder is where a Pod has it; nobody else sees it.
 * Who is not root (`uid` 0) needs a user namespace for that.
 */
export const inClusterCommand = (command: readonly string[], uid: number | undefined): readonly string[] => [
  'unshare',
  '--mount',
  ...(uid === 0 ? [] : ['--map-current-user', '--keep-caps']),
  '--',
  'sh',
  '-c',
  script,
  'sh',
  ...command,
];

/** Makes the empty folder to mount on. Throws ConfigError where that cannot be done. */
export function prepareMountPoint(platform: NodeJS.Platform = process.platform, path = mountPath): void {
  if (platform !== 'linux') throw new ConfigError('--in-cluster needs the mount namespaces of Linux');
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new ConfigError(`--in-cluster: ${errorText(error)}: make that folder once, with: sudo mkdir -p ${path}`);
  }
}
