import type { ServerConfig } from '../server-config.ts';
import { emulatedVersion } from './versions.ts';

/** Emulating an older version is being it, unless another one is named. */
export const emulating = (config: ServerConfig): ServerConfig =>
  config.kubernetesVersion === '' && config.upstream
    ? { ...config, kubernetesVersion: emulatedVersion(config.upstream) ?? '' }
    : config;
