import { statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { ConfigurationFiles } from '../../apiserver/admission/configuration/admission-configuration.ts';
import { tryGo } from '../../adapters/config/read-files.ts';
import { readBoundedFile } from '../../adapters/files/bounded-file.ts';

export const configurationFiles: Omit<ConfigurationFiles, 'hasStaticManifests'> = {
  read: (path) => tryGo(() => readBoundedFile(path)),
  isFolder: (path) => {
    const found = tryGo(() => statSync(path).isDirectory());
    return found.ok ? found : { ok: false, error: `stat ${path}: ${found.error}` };
  },
  beside: (from, path) => (isAbsolute(path) ? path : join(dirname(from), path)),
  isAbsolute,
};
