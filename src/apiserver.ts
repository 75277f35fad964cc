import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from './apimachinery/clock.ts';
import { ok, refuse } from './apimachinery/result.ts';
import { notImplemented } from './apimachinery/status.ts';
import { authenticate } from './auth/authenticate.ts';
import { createTokenVerifier, tokenFileSource } from './auth/bearer-token.ts';
import { parseTokenFile } from './auth/token-file.ts';
import { issueCertificate } from './certs/issue-certificate.ts';
import { clusterSeeds, seedObjects } from './controllers/seed-objects.ts';
import { createDocuments } from './http/documents.ts';
import { startListener } from './http/listener.ts';
import { ConfigError } from './server-config.ts';
import type { RunningServer, ServerConfig } from './server-config.ts';
import { createWebhookClient } from './webhook-client/webhook-client.ts';
import { createGround, createWorld } from './world.ts';

const clock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (milliseconds, signal) => {
    await sleepFor(milliseconds, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(() => {});
  },
};

export async function startApiserver(config: ServerConfig): Promise<RunningServer> {
  const ground = createGround(config.authorizationMode);
  const text = config.tokenAuthFile === '' ? '' : await readFile(config.tokenAuthFile, 'utf8');
  const tokens = parseTokenFile(text, config.tokenAuthFile);
  if (tokens.outcome === 'unreadable') throw new ConfigError(tokens.error);
  const audiences = ['https://kubernetes.default.svc'];
  const verifyToken = createTokenVerifier([tokenFileSource(tokens.tokens, audiences)], audiences);
  const webhooks = createWebhookClient({ cluster: ground.store, mappings: config.map.map(({ service, url, ...rest }) => ({ ...rest, name: service, url: new URL(url) })) });
  const times = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 86_400_000 * 365) };
  const authority = await issueCertificate({ commonName: 'kadmit', purpose: 'authority', ...times });
  const serving = await issueCertificate({ commonName: 'kadmit', purpose: 'server', names: ['localhost', '127.0.0.1'], issuer: authority, ...times });
  const client = await issueCertificate({ commonName: 'kubernetes-admin', organizations: ['system:masters'], purpose: 'client', issuer: authority, ...times });
  const world = createWorld(ground, {
    clock,
    newUid: randomUUID,
    random: Math.random,
    callWebhook: webhooks.call,
    parseYaml: async (yaml) => {
      const { parse } = await import('yaml');
      try {
        return { outcome: 'read', value: parse(yaml) };
      } catch (error) {
        return { outcome: 'unreadable', error: String(error) };
      }
    },
    plugins: { enable: config.enableAdmissionPlugins, disable: config.disableAdmissionPlugins },
    observers: { finished: () => {}, onBug: (_request, error) => console.error(error) },
    authenticate: ({ headers, certificate }) => {
      const authorization = typeof headers['authorization'] === 'string' ? headers['authorization'] : undefined;
      return authenticate({ authorization, certificate }, { verifyToken, anonymousAuth: config.anonymousAuth });
    },
    bodies: {
      yamlToJson: async (yaml) => {
        const { parse } = await import('yaml');
        return { ok: true, text: JSON.stringify(parse(yaml)) };
      },
      readProtobuf: async () => ({ ok: false, error: 'no protobuf yet' }),
    },
    virtual: {
      answerReview: () => undefined,
      completeToken: (object) => ok(object),
      issueToken: async () => refuse(notImplemented('tokens')),
    },
    serveDocument: createDocuments({ catalogue: ground.catalogue, serverAddress: () => '127.0.0.1:6443', now: clock.now }),
    trackFields: ({ object }) => object,
    serviceClusterIpRange: config.serviceClusterIpRange,
  });
  const listener = await startListener({
    host: config.bindAddress,
    port: config.securePort,
    tls: { cert: serving.certificate + authority.certificate, key: serving.key, clientCas: [authority.certificate] },
    handle: world.handle,
    now: clock.now,
    newUid: randomUUID,
    logError: (line) => console.error(line),
  });
  await seedObjects(world.store, clusterSeeds('10.0.0.1', listener.port), { newUid: randomUUID, now: clock.now() });
  return {
    url: `https://127.0.0.1:${listener.port}`,
    port: listener.port,
    caPem: authority.certificate,
    admin: { type: 'certificate', certificate: client.certificate, key: client.key },
    close: async () => {
      await listener.close();
      await webhooks.close();
    },
  };
}
