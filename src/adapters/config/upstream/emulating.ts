import type { ServerConfig } from '../server-config.ts';
import { emulatedVersion } from './versions.ts';

/** Emulating an older version selects its release, unless another one is given. */
export const emulating = (config: ServerConfig): ServerConfig =>
  config.kubernetesVersion === '' && config.upstream
    ? { ...config, kubernetesVersion: emulatedVersion(config.upstream) ?? '' }
    : config;
