import type { World, WorldAnswer, WorldRequest, WorldUser } from '../../testing/scenario/world.ts';
import { ApiError } from './api-error.ts';
import type { Answer, Client, ListOptions, PatchOptions, WriteOptions } from './client.ts';
import type { ObjectLike } from './objects.ts';
import { copyOf } from './copy-of.ts';
import { kindOf, pathTo, resourceFor } from './paths.ts';
import type { ObjectAddress } from './paths.ts';
import { told } from './told-trace.ts';

export type ClientWorld = Pick<World, 'send' | 'resourceOf' | 'findResource'>;

/** A client of this world; undefined `user` is kubernetes-admin. */
export function createClient(world: ClientWorld, user?: WorldUser): Client {
  const send = (asked: WorldRequest): Promise<WorldAnswer> => world.send(user ? { as: user, ...asked } : asked);
  const request = async (asked: WorldRequest): Promise<Answer> => toldOf(await send(asked));
  const ask = async <T>(asked: WorldRequest): Promise<T> => {
    const answer = await send(asked);
    if (answer.code >= 400) throw new ApiError(toldOf(answer));
    return copyOf(answer.body) as T;
  };
  return {
    ...readsOf(world, ask),
    ...writesOf(world, ask),
    request,
    as: (other) => createClient(world, typeof other === 'string' ? { username: other } : other),
  };
}

/** Sends a request and takes its answer for what the caller says it is. */
type Ask = <T>(request: WorldRequest) => Promise<T>;

function readsOf(world: ClientWorld, ask: Ask): Pick<Client, 'get' | 'find' | 'list'> {
  const get: Client['get'] = async (kind, target) =>
    ask({ method: 'GET', path: pathTo(await resourceFor(kind, world), target) });
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
      const { items } = await ask<{ readonly items: readonly never[] }>({
        method: 'GET',
        path,
        query: { ...selectors },
      });
      return items;
    },
  };
}

function writesOf(world: ClientWorld, ask: Ask): Omit<Client, 'get' | 'find' | 'list' | 'request' | 'as'> {
  const send = async <T>(
    method: WorldRequest['method'],
    object: ObjectLike,
    sent: Partial<WorldRequest> & ObjectAddress,
  ): Promise<T> => {
    const { name, subresource, ...request } = sent;
    const resource = await resourceFor(kindOf(object), world);
    const path = pathTo(resource, { namespace: object.metadata?.namespace, name, subresource });
    return ask({ method, path, body: copyOf(object), ...request });
  };
  return {
    create: (object, options = {}) => send('POST', object, { query: queryOf(options) }),
    update: async (object, { subresource, ...options } = {}) =>
      send('PUT', object, { name: nameOf(object), subresource, query: queryOf(options) }),
    apply: async (object, { force, subresource, ...options } = {}) => {
      const query = { fieldManager, ...queryOf(options), ...(force ? { force: 'true' } : {}) };
      return send('PATCH', object, {
        name: nameOf(object),
        subresource,
        query,
        contentType: 'application/apply-patch+yaml',
      });
    },
    patch: async (kind, target, patch, { type = Array.isArray(patch) ? 'json' : 'strategic', ...options } = {}) => {
      const path = pathTo(await resourceFor(kind, world), target);
      return ask({
        method: 'PATCH',
        path,
        query: queryOf(options),
        contentType: patchTypes[type],
        body: copyOf(patch),
      });
    },
    delete: async (kind, target, { dryRun = false, ...options } = {}) => {
      const path = pathTo(await resourceFor(kind, world), target);
      const body = { ...copyOf(options), kind: 'DeleteOptions', apiVersion: 'v1' };
      return ask({ method: 'DELETE', path, query: queryOf({ dryRun }), body });
    },
  };
}

/** Who owns the fields that a client applies without saying who it is. */
const fieldManager = 'kadmit';

const queryOf = ({ dryRun, ...options }: WriteOptions): Readonly<Record<string, string>> => ({
  ...options,
  ...(dryRun ? { dryRun: 'All' } : {}),
});

function nameOf({ kind = '', metadata }: ObjectLike): string {
  if (metadata?.name !== undefined) return metadata.name;
  throw new Error(`this ${kind} needs metadata.name`);
}

const toldOf = (answer: WorldAnswer): Answer => ({
  ...answer,
  body: copyOf(answer.body),
  trace: answer.trace && told(answer.trace),
});

const patchTypes: Readonly<Record<NonNullable<PatchOptions['type']>, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};
