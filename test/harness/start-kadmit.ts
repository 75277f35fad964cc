import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiserver } from '../../src/app/server/start.ts';
import { parseFlags } from '../../src/adapters/config/flags/flags.ts';
import { serveFlags } from '../../src/adapters/config/flags/serve/serve-options.ts';
import type { RunningServer, ServerConfig } from '../../src/adapters/config/server-config.ts';

/** A server in this process on a free port, with one token of an administrator. */
export interface Kadmit extends RunningServer {
  readonly token: string;
}

const token = 'admin-token';

/** Starts kadmit with the settings of the recorded server, RBAC and no controllers, and these `overrides`. */
export async function startKadmit(overrides: Partial<ServerConfig> = {}): Promise<Kadmit> {
  const directory = mkdtempSync(join(tmpdir(), 'kadmit-test-'));
  const tokenAuthFile = join(directory, 'tokens.csv');
  writeFileSync(tokenAuthFile, `${token},admin,admin-uid,"system:masters"\n`, { mode: 0o600 });
  const server = await startApiserver({ ...bareConfig, certDir: directory, tokenAuthFile, ...overrides });
  return {
    ...server,
    token,
    close: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The defaults of the flags. */
const defaults = parseFlags(serveFlags, []);
if (defaults.outcome !== 'parsed') throw new Error('the flags of serve have no defaults');

/** A bare server: no controllers, no page. */
export const bareConfig: ServerConfig = {
  ...defaults.options,
  securePort: 0,
  certDir: '',
  eventTtl: 0,
  authorizationMode: ['RBAC'],
  controllers: [],
  writeKubeconfig: '',
  uiPort: -1,
};
