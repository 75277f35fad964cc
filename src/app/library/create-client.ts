import { bigintAsNumber } from '../../machinery/json/json-writer.ts';
import { type JsonObject, setOwn } from '../../machinery/json/json.ts';
import { parseApiVersion } from '../../machinery/meta/gvk.ts';
import type {
  ScenarioWorld,
  WorldAnswer,
  WorldRequest,
  WorldResource,
  WorldUser,
} from '../../testing/scenario/world.ts';
import {
  ApiError,
  type Answer,
  type Client,
  type ListOptions,
  type PatchOptions,
  type WriteOptions,
  type KindReference,
  type ObjectLike,
} from './client.ts';
import { withShortcuts } from './traces.ts';

export type ClientWorld = Pick<ScenarioWorld, 'send' | 'resourceOf' | 'findResource'>;

/** undefined `user` is kubernetes-admin. */
export function createClient(world: ClientWorld, user?: WorldUser): Client {
  const send = (request: WorldRequest): Promise<WorldAnswer> => world.send(user ? { as: user, ...request } : request);
  const call = async <T>(request: WorldRequest): Promise<T> => {
    const answer = await send(request);
    if (answer.code >= 400) throw new ApiError(toAnswer(answer));
    return copyJson(answer.body) as T;
  };
  return {
    ...createReads(world, call),
    ...createWrites(world, call),
    request: async (request) => toAnswer(await send(request)),
    as: (other) => createClient(world, typeof other === 'string' ? { username: other } : other),
  };
}

/** The caller names the type of the response. */
type Call = <T>(request: WorldRequest) => Promise<T>;

function createReads(world: ClientWorld, call: Call): Pick<Client, 'get' | 'find' | 'list'> {
  const get: Client['get'] = async (kind, target) =>
    call({ method: 'GET', path: pathTo(await resourceFor(kind, world), target) });
  return {
    get,
    find: async (kind, target) => {
      try {
        return await get(kind, target);
      } catch (error) {
        if (error instanceof ApiError && error.code === 404) return undefined;
        throw error;
      }
    },
    list: async (kind, { namespace = '', ...selectors }: ListOptions = {}) => {
      const path = pathTo(await resourceFor(kind, world), { namespace });
      const { items } = await call<{ readonly items: readonly never[] }>({
        method: 'GET',
        path,
        query: { ...selectors },
      });
      return items;
    },
  };
}

function createWrites(world: ClientWorld, call: Call): Omit<Client, 'get' | 'find' | 'list' | 'request' | 'as'> {
  const send = async <T>(
    method: WorldRequest['method'],
    object: ObjectLike,
    sent: Partial<WorldRequest> & ObjectAddress,
  ): Promise<T> => {
    const { name, subresource, ...request } = sent;
    const resource = await resourceFor(kindOf(object), world);
    const path = pathTo(resource, { namespace: object.metadata?.namespace, name, subresource });
    return call({ method, path, body: copyJson(object), ...request });
  };
  return {
    create: (object, options = {}) => send('POST', object, { query: writeQuery(options) }),
    update: async (object, { subresource, ...options } = {}) =>
      send('PUT', object, { name: nameOf(object), subresource, query: writeQuery(options) }),
    apply: async (object, { force, subresource, ...options } = {}) => {
      const query = { fieldManager, ...writeQuery(options), ...(force ? { force: 'true' } : {}) };
      return send('PATCH', object, {
        name: nameOf(object),
        subresource,
        query,
        contentType: 'application/apply-patch+yaml',
      });
    },
    patch: async (kind, target, patch, { type = Array.isArray(patch) ? 'json' : 'strategic', ...options } = {}) => {
      const path = pathTo(await resourceFor(kind, world), target);
      return call({
        method: 'PATCH',
        path,
        query: writeQuery(options),
        contentType: patchTypes[type],
        body: copyJson(patch),
      });
    },
    delete: async (kind, target, { dryRun = false, ...options } = {}) => {
      const path = pathTo(await resourceFor(kind, world), target);
      const body = { ...copyJson(options), kind: 'DeleteOptions', apiVersion: 'v1' };
      return call({ method: 'DELETE', path, query: writeQuery({ dryRun }), body });
    },
  };
}

/** The default of apply. */
const fieldManager = 'kadmit';

const writeQuery = ({ dryRun, ...options }: WriteOptions): Readonly<Record<string, string>> => ({
  ...options,
  ...(dryRun ? { dryRun: 'All' } : {}),
});

function nameOf({ kind = '', metadata }: ObjectLike): string {
  if (metadata?.name !== undefined) return metadata.name;
  throw new Error(`this ${kind} needs metadata.name`);
}

const toAnswer = (answer: WorldAnswer): Answer => ({
  ...answer,
  body: copyJson(answer.body),
  trace: answer.trace && withShortcuts(answer.trace),
});

const patchTypes: Readonly<Record<NonNullable<PatchOptions['type']>, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

type Resources = Pick<ScenarioWorld, 'resourceOf' | 'findResource'>;

interface ObjectAddress {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Rejects when the kind is not served. */
async function resourceFor(kind: KindReference, resources: Resources): Promise<WorldResource> {
  const found =
    typeof kind === 'string'
      ? await resources.findResource(kind)
      : await resources.resourceOf({ ...parseApiVersion(kind.apiVersion), kind: kind.kind });
  if (found) return found;
  const name =
    typeof kind === 'string' ? `resource ${JSON.stringify(kind)}` : `kind ${kind.kind} in ${kind.apiVersion}`;
  throw new Error(`the server has no ${name}`);
}

function kindOf({ apiVersion, kind }: ObjectLike): KindReference {
  if (apiVersion !== undefined && kind !== undefined) return { apiVersion, kind };
  throw new Error('an object needs apiVersion and kind');
}

/** `namespace` '' is all namespaces; undefined is `default`. Without a name it is the path of the collection. */
function pathTo(resource: WorldResource, { namespace = 'default', name, subresource }: ObjectAddress): string {
  const { group, version, namespaced } = resource;
  const parts = [
    ...(group === '' ? ['api', version] : ['apis', group, version]),
    ...(namespaced && namespace !== '' ? ['namespaces', namespace] : []),
    resource.resource,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/**
 * A deep copy, so that callers and the store share nothing: JSON.parse of JSON.stringify in a third of the time, with numbers
 * for bigints. Throws like JSON.stringify.
 */
export function copyJson(value: object): JsonObject {
  try {
    return copyValue(value) as JsonObject;
  } catch (error) {
    if (error instanceof RangeError) return copyThroughText(value) as JsonObject; // A cycle, or too deep.
    throw error;
  }
}

/** undefined: JSON omits the field. */
function copyValue(value: unknown): unknown {
  if (typeof value === 'object')
    return value === null ? null : Array.isArray(value) ? copyList(value) : copyFields(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'bigint' ? Number(value) : undefined;
}

function copyList(list: readonly unknown[]): unknown[] {
  const out: unknown[] = [];
  for (const item of list) out.push(copyValue(item) ?? null);
  return out;
}

function copyFields(value: object): unknown {
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return copyThroughText(value);
  const fields = value as Readonly<Record<string, unknown>>;
  const out: Record<string, unknown> = {};
  for (const field in fields) {
    const copy = copyValue(fields[field]);
    if (copy === undefined) continue;
    if (field === '__proto__') setOwn(out, field, copy);
    else out[field] = copy;
  }
  return out;
}

/** Dates and other values with toJSON. */
const copyThroughText = (value: object): unknown => JSON.parse(JSON.stringify(value, bigintAsNumber));
