import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from './apimachinery/clock.ts';
import { bootstrapRbac } from './auth/bootstrap-rbac.ts';
import { parseTokenFile } from './auth/token-file.ts';
import type { Tokens } from './auth/token-file.ts';
import { readBreak } from './breaks/break-point.ts';
import { createBreaks } from './breaks/breaks.ts';
import type { Breaks } from './breaks/breaks.ts';
import type { BreakPoint } from './breaks/break-point.ts';
import { heldLine } from './breaks/held-request.ts';
import { openCertificates } from './certs/open-certificates.ts';
import type { Certificates } from './certs/open-certificates.ts';
import { readServiceAccountKey } from './certs/service-account-key.ts';
import { firstAddress, servingNames } from './certs/serving-names.ts';
import { clusterSeeds, kubernetesService, rbacSeeds, seedObjects } from './controllers/seed-objects.ts';
import type { Seed } from './controllers/seed-objects.ts';
import type { RunningControllers } from './controllers/start-controllers.ts';
import { bodyFormats, readYaml } from './http/body-formats.ts';
import { serveBreaks } from './http/breaks.ts';
import { createDocuments } from './http/documents.ts';
import { serveTraces } from './http/traces.ts';
import { startListener } from './http/listener.ts';
import type { Listener } from './http/listener.ts';
import { startObserving, watchedBy } from './observing.ts';
import type { Observing } from './observing.ts';
import type { Observers } from './request/handle.ts';
import { loadPaths, runControllers } from './run-controllers.ts';
import type { ControllerParts } from './run-controllers.ts';
import { servePage } from './serve-page.ts';
import { ConfigError } from './server-config.ts';
import type { RunningServer, ServerConfig } from './server-config.ts';
import { createTraceFiles } from './trace/trace-files.ts';
import { createTraceLog, isTraced } from './trace/trace-log.ts';
import type { TraceLog } from './trace/trace-log.ts';
import { createWebhookClient } from './webhook-client/webhook-client.ts';
import { mappingOf } from './webhook-mapping.ts';
import { createGround, createWorld } from './world.ts';
import type { Ground, World } from './world.ts';

const startedAt = performance.timeOrigin;

const clock: Clock = {
  now: () => startedAt + performance.now(),
  sleep: async (milliseconds, signal) => {
    await sleepFor(milliseconds, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(() => {});
  },
};

/** Whoever waits for the server to be ready does not wait for this. */
const warmUpAfterMs = 200;

/** Starts the server that the configuration describes. Throws ConfigError for what it cannot use. */
export async function startApiserver(config: ServerConfig): Promise<RunningServer> {
  const breakPoints = readBreakPoints(config.breakOn);
  const certificates = await openCertificates({
    directory: config.certDir,
    names: servingNames(config),
    admin: { commonName: 'kubernetes-admin', organizations: ['system:masters'] },
  });
  const ground = createGround(config.authorizationMode);
  const webhooks = createWebhookClient({ cluster: ground.store, mappings: config.map.map(mappingOf) });
  const traces = createTracing(config.traceDir);
  const observing = await startObserving(config, { clock, logError });
  const breaks = createBreaks({ now: clock.now, onHeld: (held) => logError(heldLine(held)) });
  let address = '';
  const parts = { ground, certificates, traces, observing, breaks, call: webhooks.call, address: () => address };
  const world = createServerWorld(config, parts);
  await seed(ground, [...clusterSeeds, ...rbacSeeds(bootstrapRbac())]);
  const controllers = await startControllers(config, {
    world,
    clock,
    newUid: randomUUID,
    rootCa: certificates.authority.certificate,
    onBug: (error) => logError(`controllers: ${error instanceof Error ? error.stack : String(error)}`),
  });
  const listener = await listen(config, certificates, world);
  // Not before somebody can let them go on: the first manifests go through admission too.
  breaks.switchOn(breakPoints);
  setTimeout(() => void webhooks.warmUp(), warmUpAfterMs).unref();
  address = `${bracketed(config.bindAddress)}:${listener.port}`;
  await seed(ground, [kubernetesService(firstAddress(config.serviceClusterIpRange), listener.port)]);
  const { uiUrl, uiProblem, ...page } = await servePage(config, traces.log, breaks);
  return {
    url: `https://${address}`,
    uiUrl,
    uiProblem,
    port: listener.port,
    caPem: certificates.authority.certificate,
    admin: { type: 'certificate', ...certificates.admin },
    close: async () => {
      breaks.close();
      await page.close();
      await controllers.close();
      await listener.close();
      await webhooks.close();
      await traces.flush();
      await observing.close();
    },
  };
}

/** The controllers that the flags ask for, when they have done what the seeds and the manifests need. */
async function startControllers(config: ServerConfig, parts: ControllerParts): Promise<RunningControllers> {
  const controllers = await runControllers(config.controllers, parts);
  await controllers.idle();
  try {
    await loadPaths(config.load, parts, controllers);
    return controllers;
  } catch (error) {
    await controllers.close();
    throw error;
  }
}

interface ServerParts {
  readonly ground: Ground;
  readonly certificates: Certificates;
  readonly traces: Tracing;
  readonly observing: Observing;
  readonly breaks: Breaks;
  readonly call: ReturnType<typeof createWebhookClient>['call'];
  readonly address: () => string;
}

function createServerWorld(config: ServerConfig, parts: ServerParts): World {
  const { ground, certificates, traces, observing, breaks, call, address } = parts;
  const documents = createDocuments({ catalogue: ground.catalogue, serverAddress: address, now: clock.now });
  const serveHeld = serveBreaks(breaks);
  const key = readServiceAccountKey(certificates.serviceAccountKey);
  return createWorld(ground, {
    clock,
    newUid: randomUUID,
    random: Math.random,
    callWebhook: breaks.around(call),
    parseYaml: readYaml,
    loadCel: () => import('./cel/engine.ts'),
    bodies: bodyFormats,
    plugins: { enable: config.enableAdmissionPlugins, disable: config.disableAdmissionPlugins },
    identities: {
      tokens: readTokens(config.tokenAuthFile),
      anonymousAuth: config.anonymousAuth,
      signJwt: key,
      verifyJwt: key.verify,
    },
    serveDocument: (request, user) => traces.serve(request) ?? serveHeld(request, user) ?? documents(request),
    serviceClusterIpRange: config.serviceClusterIpRange,
    observers: {
      ...watchedBy([{ finished: traces.record }, observing]),
      onBug: ({ method, path }, error) =>
        logError(`${method} ${path}: ${error instanceof Error ? error.stack : String(error)}`),
    },
  });
}

interface Tracing {
  readonly log: TraceLog;
  readonly record: Observers['finished'];
  readonly serve: ReturnType<typeof serveTraces>;
  readonly flush: () => Promise<void>;
}

/** Every write leaves a trace, in memory and, if a folder is named, in a file. */
function createTracing(directory: string): Tracing {
  const log = createTraceLog();
  const files = directory === '' ? undefined : createTraceFiles(directory, logError);
  return {
    log,
    record: (finished) => {
      if (!isTraced(finished)) return;
      const recorded = log.record(finished, clock.now());
      files?.write(recorded);
    },
    serve: serveTraces(log),
    flush: async () => files?.flush(),
  };
}

function readBreakPoints(texts: readonly string[]): readonly BreakPoint[] {
  return texts.flatMap((text) => {
    const reading = readBreak(text);
    if (reading.outcome === 'wrong') throw new ConfigError(`--break-on ${JSON.stringify(text)} ${reading.problem}`);
    return reading.points;
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
const seed = ({ store }: Ground, seeds: readonly Seed[]): Promise<void> =>
  seedObjects(store, seeds, { newUid: randomUUID, now: clock.now() });
