import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiserver } from '../../src/app/server/start.ts';
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

/** A bare server: no controllers, no page. */
export const bareConfig: ServerConfig = {
  coverage: false,
  policySeed: 0,
  nodes: 0,
  assume: [],
  bindAddress: '127.0.0.1',
  securePort: 0,
  certDir: '',
  dataDir: '',
  dataSync: true,
  etcdServers: [],
  etcdCafile: '',
  etcdCertfile: '',
  etcdKeyfile: '',
  etcdPrefix: '/registry',
  eventTtl: 0,
  tlsCertFile: '',
  tlsPrivateKeyFile: '',
  clientCaFile: '',
  requestheaderClientCaFile: '',
  requestheaderAllowedNames: [],
  requestheaderUsernameHeaders: [],
  requestheaderUidHeaders: [],
  requestheaderGroupHeaders: [],
  requestheaderExtraHeadersPrefix: [],
  tokenAuthFile: '',
  serviceAccountIssuer: [],
  serviceAccountKeyFile: [],
  serviceAccountSigningKeyFile: '',
  apiAudiences: [],
  anonymousAuth: true,
  authorizationMode: ['RBAC'],
  admissionControl: [],
  authorizationPolicyFile: '',
  authenticationConfig: '',
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  admissionControlConfigFile: '',
  plugin: [],
  kubernetesVersion: '',
  runtimeConfig: [],
  featureGates: [],
  defaultNotReadyTolerationSeconds: 300,
  defaultUnreachableTolerationSeconds: 300,
  auditLogPath: '',
  auditPolicyFile: '',
  serviceClusterIpRange: '10.0.0.0/24',
  controllers: [],
  writeKubeconfig: '',
  load: [],
  injectCa: false,
  loadFrom: '',
  loadKinds: [],
  loadNamespaces: [],
  loadSecrets: false,
  map: [],
  allowPrivileged: true,
  externalHostname: '',
  uiPort: -1,
  keepTraces: 2_000,
  traceDir: '',
  traceDirMaxFiles: 10_000,
  traceDirMaxSize: 500,
  loggingFormat: 'text',
  v: 0,
  breakOn: [],
  apiFault: [],
  apiFaultSeed: 1,
};
