import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from './apimachinery/clock.ts';
import { bootstrapRbac } from './auth/bootstrap-rbac.ts';
import { parseTokenFile } from './auth/token-file.ts';
import type { Tokens } from './auth/token-file.ts';
import { openCertificates } from './certs/open-certificates.ts';
import type { Certificates } from './certs/open-certificates.ts';
import { readServiceAccountKey } from './certs/service-account-key.ts';
import { firstAddress, servingNames } from './certs/serving-names.ts';
import { clusterSeeds, rbacSeeds, seedObjects } from './controllers/seed-objects.ts';
import { bodyFormats, readYaml } from './http/body-formats.ts';
import { createDocuments } from './http/documents.ts';
import { startListener } from './http/listener.ts';
import type { Listener } from './http/listener.ts';
import { ConfigError } from './server-config.ts';
import type { RunningServer, ServerConfig, ServiceMapping } from './server-config.ts';
import type { ServiceMapping as WebhookMapping } from './webhook-client/service-mapping.ts';
import { createWebhookClient } from './webhook-client/webhook-client.ts';
import { createGround, createWorld } from './world.ts';
import type { Ground, World } from './world.ts';

const clock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (milliseconds, signal) => {
    await sleepFor(milliseconds, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(() => {});
  },
};

/** Starts the server that the configuration describes. Throws ConfigError for what it cannot use. */
export async function startApiserver(config: ServerConfig): Promise<RunningServer> {
  const certificates = await openCertificates({
    directory: config.certDir,
    names: servingNames(config),
    admin: { commonName: 'kubernetes-admin', organizations: ['system:masters'] },
  });
  const ground = createGround(config.authorizationMode);
  const webhooks = createWebhookClient({ cluster: ground.store, mappings: config.map.map(mappingOf) });
  let address = '';
  const world = createServerWorld(config, { ground, certificates, call: webhooks.call, address: () => address });
  const listener = await listen(config, certificates, world);
  address = `${bracketed(config.bindAddress)}:${listener.port}`;
  await seed(ground, config, listener.port);
  return {
    url: `https://${address}`,
    port: listener.port,
    caPem: certificates.authority.certificate,
    admin: { type: 'certificate', ...certificates.admin },
    close: async () => {
      await listener.close();
      await webhooks.close();
    },
  };
}

const mappingOf = ({ namespace, service, port, url }: ServiceMapping): WebhookMapping => ({
  namespace,
  name: service,
  port,
  url: new URL(url),
});

interface ServerParts {
  readonly ground: Ground;
  readonly certificates: Certificates;
  readonly call: ReturnType<typeof createWebhookClient>['call'];
  readonly address: () => string;
}

function createServerWorld(config: ServerConfig, { ground, certificates, call, address }: ServerParts): World {
  const key = readServiceAccountKey(certificates.serviceAccountKey);
  return createWorld(ground, {
    clock,
    newUid: randomUUID,
    random: Math.random,
    callWebhook: call,
    parseYaml: readYaml,
    bodies: bodyFormats,
    plugins: { enable: config.enableAdmissionPlugins, disable: config.disableAdmissionPlugins },
    identities: {
      tokens: readTokens(config.tokenAuthFile),
      anonymousAuth: config.anonymousAuth,
      signJwt: key,
      verifyJwt: key.verify,
    },
    serveDocument: createDocuments({ catalogue: ground.catalogue, serverAddress: address, now: clock.now }),
    serviceClusterIpRange: config.serviceClusterIpRange,
    observers: {
      finished: () => {},
      onBug: ({ method, path }, error) =>
        logError(`${method} ${path}: ${error instanceof Error ? error.stack : String(error)}`),
    },
  });
}

const logError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const listen = (config: ServerConfig, certificates: Certificates, { handle }: World): Promise<Listener> =>
  startListener({
    host: config.bindAddress,
    port: config.securePort,
    tls: {
      cert: config.tlsCertFile === '' ? certificates.serving.certificate : read('--tls-cert-file', config.tlsCertFile),
      key:
        config.tlsPrivateKeyFile === ''
          ? certificates.serving.key
          : read('--tls-private-key-file', config.tlsPrivateKeyFile),
      clientCas: [
        certificates.authority.certificate,
        ...(config.clientCaFile === '' ? [] : [read('--client-ca-file', config.clientCaFile)]),
      ],
    },
    handle,
    now: clock.now,
    newUid: randomUUID,
    logError,
  });

function readTokens(path: string): Tokens {
  if (path === '') return new Map();
  const tokens = parseTokenFile(read('--token-auth-file', path), path);
  if (tokens.outcome === 'unreadable') throw new ConfigError(tokens.error);
  return tokens.tokens;
}

function read(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${flag} ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const bracketed = (address: string): string => (isIPv6(address) ? `[${address}]` : address);

/** The objects of a fresh server. Without RBAC nobody asks for roles, but they are there to be read. */
async function seed({ store }: Ground, config: ServerConfig, port: number): Promise<void> {
  const seeds = [...clusterSeeds(firstAddress(config.serviceClusterIpRange), port), ...rbacSeeds(bootstrapRbac())];
  await seedObjects(store, seeds, { newUid: randomUUID, now: clock.now() });
}
