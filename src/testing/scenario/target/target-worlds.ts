import { setTimeout as sleep } from 'node:timers/promises';
import { asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { createStubCertificates, type IssueCertificate, type StubCertificates } from '../../stubs/stub-certificates.ts';
import { startStubServer } from '../../stubs/stub-server.ts';
import type { ScenarioWorld, WorldAnswer, WorldRequest, Worlds, WorldSetup } from '../world.ts';
import { cleanUpTarget } from './clean-up.ts';
import {
  type DiscoveredResource,
  discoverResources,
  findResource,
  resourceForKind,
} from '../../../adapters/config/kubeconfig/discovery.ts';
import {
  createHttpsClient,
  type HttpsClient,
  type ServerConnection,
} from '../../../adapters/config/kubeconfig/call-server.ts';
import { createTargetSend, parseJsonObject } from './send.ts';
import { createTargetSettling } from './settling.ts';
import { createStubConfigurations } from './stub-configurations.ts';

export interface TargetServer extends Worlds {
  readonly url: string;
  /** Only kadmit has traces, which expectations about webhooks need. */
  readonly hasTraces: boolean;
}

/**
 * Scenarios run on the same server and remove what they created, so they run one at a time. Rejects with one line when the server cannot be
 * reached or refuses the user.
 */
export async function connectTarget(options: TargetOptions): Promise<TargetServer> {
  const client = createHttpsClient(options.access);
  const certificates = createStubCertificates(options.issueCertificate);
  try {
    const hasTraces = await isKadmit(client);
    const resources = createResources(client);
    await resources.find((all) => findResource('pods', all));
    const open = new Set<ScenarioWorld>();
    return {
      url: options.access.url,
      hasTraces,
      create: async (setup) => {
        const world = await createTargetWorld(setup, { ...options, client, resources, hasTraces, certificates });
        open.add(world);
        return world;
      },
      // A closed world has reported its errors already.
      close: async () => {
        await Promise.allSettled([...open].map((world) => world.close()));
        client.close();
      },
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

async function isKadmit({ send }: HttpsClient): Promise<boolean> {
  const { code, text } = await send({ method: 'GET', path: '/kadmit/v1/traces?limit=1', headers: {}, body: undefined });
  return code === 200 && parseJsonObject(text)['traceVersion'] === 1;
}

interface TargetParts extends Pick<TargetOptions, 'stubHost' | 'stubName'> {
  /** Shared by all worlds. */
  readonly certificates: StubCertificates;
  readonly client: HttpsClient;
  readonly resources: Resources;
  readonly hasTraces: boolean;
}

/** Created objects are recorded, and removed on close. */
async function createTargetWorld(setup: WorldSetup, parts: TargetParts): Promise<ScenarioWorld> {
  const { stubRegistry } = setup;
  const { client, resources, hasTraces } = parts;
  const stubs = startStubServer({
    stubRegistry,
    certificates: parts.certificates,
    clock: realClock,
    ...(parts.stubHost === undefined ? {} : { host: parts.stubHost }),
    ...(parts.stubName === undefined ? {} : { name: parts.stubName }),
  });
  const sendTo = createTargetSend(client, hasTraces);
  const settling = createTargetSettling(sendTo, hasTraces);
  const configurations = createStubConfigurations(stubRegistry, stubs);
  const since = realClock.now();
  const made = new Set(await grantAll(setup, sendTo));
  const settle = async (): Promise<void> => {
    if (await configurations.refresh(sendTo)) settling.noteWrite('/mutatingwebhookconfigurations/*', false);
    await settling.settle();
  };
  const send = async (request: WorldRequest): Promise<WorldAnswer> => {
    await rejectForeignWrites(request, sendTo, { made, since });
    const answer = await sendTo(await configurations.rewrite(request));
    if (answer.code >= 400 || request.method === 'GET') return answer;
    const created = createdPath(request, answer);
    if (created !== undefined) made.add(created);
    const bindingsPath = created ?? request.path;
    settling.noteWrite(bindingsPath, created !== undefined);
    if (request.method === 'DELETE') configurations.forget(bindingsPath);
    else if (!isDryRun(request)) configurations.recordWrite(bindingsPath, request, answer);
    return answer;
  };
  const finish = async (): Promise<void> => {
    try {
      await cleanUpTarget([...made], sendTo, settle);
    } finally {
      await stubs.close();
    }
  };
  const gate = createGate(send);
  return {
    send: gate.send,
    resourceOf: (kind) => resources.find((all) => resourceForKind(kind, all)),
    findResource: (name) => resources.find((all) => findResource(name, all)),
    settle,
    now: realClock.now,
    advance: realClock.sleep,
    hasTraces,
    // Closing the stub ends hanging calls.
    close: () => gate.close(finish, stubs.close),
  };
}

const isDryRun = ({ query = {} }: WorldRequest): boolean => query['dryRun'] !== undefined;

const realClock = {
  now: () => Date.now(),
  sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    await sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
  },
};

const collectionPattern = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/[^/]+$/;

/** undefined unless the request created an object. */
export function createdPath({ method, path, query = {} }: WorldRequest, answer: WorldAnswer): string | undefined {
  if (answer.code !== 201 || query['dryRun'] !== undefined) return undefined;
  if (method === 'PATCH' || method === 'PUT') return path;
  const name = asString(valueAt(answer.body, 'metadata', 'name'));
  // Reviews have no name; tokens and evictions are posted to an object, not to a collection.
  const isStored = method === 'POST' && collectionPattern.test(path) && name !== '' && answer.body['kind'] !== 'Status';
  return isStored ? `${path}/${name}` : undefined;
}

interface TargetOptions {
  readonly access: ServerConnection;
  readonly issueCertificate: IssueCertificate;
  /** 127.0.0.1 unless the server runs elsewhere. */
  readonly stubHost?: string;
  /** Name or address under which the server reaches the stubs; `stubHost` by default. */
  readonly stubName?: string;
}

/** Passes requests until it is closed, so that nothing is created during cleanup. */
interface Gate {
  readonly send: ScenarioWorld['send'];
  /** Calls `hurry` to end requests in flight, waits for them, then calls `finish`; once. */
  readonly close: (finish: () => Promise<void>, abort: () => Promise<void>) => Promise<void>;
}

export function createGate(send: ScenarioWorld['send']): Gate {
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  return {
    send: async (request) => {
      if (closing) throw new Error('the run was interrupted');
      const answer = send(request);
      underWay.add(answer);
      return answer.finally(() => underWay.delete(answer));
    },
    close: (finish, abort) => {
      closing ??= whenIdle(underWay, abort).then(finish);
      return closing;
    },
  };
}

async function whenIdle(underWay: ReadonlySet<Promise<unknown>>, abort: () => Promise<void>): Promise<void> {
  if (underWay.size === 0) return;
  await abort();
  await Promise.allSettled(underWay);
}

interface Resources {
  /** Repeats discovery when nothing matches, since CRDs change. */
  readonly find: (
    look: (all: readonly DiscoveredResource[]) => DiscoveredResource | undefined,
  ) => Promise<DiscoveredResource | undefined>;
}

function createResources({ send }: HttpsClient): Resources {
  let known: readonly DiscoveredResource[] = [];
  const sendTo = (): Promise<readonly DiscoveredResource[]> =>
    discoverResources(async (path, accept) => {
      const { code, text } = await send({ method: 'GET', path, headers: { accept }, body: undefined });
      if (code === 401 || code === 403)
        throw new Error(`the server refuses ${path} with ${code}: is the kubeconfig right?`);
      return code === 200 ? parseJsonObject(text) : {};
    });
  return {
    find: async (look) => {
      const found = look(known);
      if (found) return found;
      known = await sendTo();
      return look(known);
    },
  };
}

const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

/**
 * Grants the scenario's users everything on a server with RBAC, like `authorizationMode: AlwaysAllow`. Returns the paths of the bindings. A
 * failed one shows as a refusal later.
 */
async function grantAll(
  { users = [], authorizationMode }: Pick<WorldSetup, 'users' | 'authorizationMode'>,
  send: ScenarioWorld['send'],
): Promise<readonly string[]> {
  if (authorizationMode === 'RBAC') return [];
  const made: string[] = [];
  for (const { username } of users) {
    const binding = bindingFor(username);
    const { code } = await send({ method: 'POST', path, body: binding.object });
    if (code === 201) made.push(`${path}/${binding.name}`);
  }
  return made;
}

function bindingFor(username: string): { readonly name: string; readonly object: JsonObject } {
  const name = `kadmit-test:${username.replaceAll(/[^A-Za-z0-9:.-]/g, '-')}`;
  const object = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: username }],
  };
  return { name, object };
}

/** Milliseconds of clock skew. */
const clockSkewMs = 5000;

/**
 * Throws for a write to an object that existed before, and for a deletecollection outside namespaces that the scenario created. `made`:
 * paths it created.
 */
export async function rejectForeignWrites(
  request: WorldRequest,
  send: ScenarioWorld['send'],
  { made, since }: { readonly made: ReadonlySet<string>; readonly since: number },
): Promise<void> {
  const { method, path, query = {} } = request;
  if (method === 'GET' || method === 'POST' || query['dryRun'] !== undefined) return;
  if ([...made].some((own) => path === own || path.startsWith(`${own}/`))) return;
  const object = objectPath(path);
  if (object === undefined) throw new Error(`${path} may contain objects of others; ${foreignWriteRule}`);
  const { code, body } = await send({ method: 'GET', path: object });
  const createdAt = Date.parse(asString(valueAt(body, 'metadata', 'creationTimestamp')));
  if (code === 200 && createdAt < since - clockSkewMs)
    throw new Error(`${object} was on the server before; ${foreignWriteRule}`);
}

/** Without the subresource; undefined for a collection. */
function objectPath(path: string): string | undefined {
  const parts = path.split('/');
  const at = parts[1] === 'api' ? 3 : 4;
  const isInside = parts[at] === 'namespaces' && parts.length > at + 2 && !ofNamespaces.has(parts[at + 2] ?? '');
  const end = at + (isInside ? 4 : 2);
  return parts.length < end ? undefined : parts.slice(0, end).join('/');
}

/** Subresources of a Namespace; other segments after its name are resources. */
const ofNamespaces = new Set(['status', 'finalize']);

const foreignWriteRule = 'on a target a scenario changes only what it has made';
