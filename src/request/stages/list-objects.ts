import { apiVersionOf } from '../../apimachinery/gvk.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { badRequest, failure } from '../../apimachinery/status.ts';
import { resourceVersionOf } from '../../store/store.ts';
import type { StoredList } from '../../store/store.ts';
import { continueAfter, readContinue } from '../continue-token.ts';
import { answered, held } from '../exchange.ts';
import type { Target } from '../exchange.ts';
import { readListOptions } from '../list-options.ts';
import type { ListOptions } from '../list-options.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { inVersion, viewKindOf } from './load-current.ts';

/** GET of a collection: selected, cut into pages, in the version of the request. */
export const listObjects = (rooms: Rooms): Stage => ({
  name: 'list-objects',
  run: async (exchange) => {
    const target = held(exchange.target, 'target');
    const options = readListOptions(exchange.request.query, target.resource, false);
    if (!options.ok) return options;
    const wanted = Number(options.value.resourceVersion ?? 0);
    if (wanted > rooms.store.revision()) {
      await rooms.clock.sleep(patienceMs(options.value), exchange.request.signal);
      if (wanted > rooms.store.revision()) return refuse(tooLarge(wanted, rooms.store.revision()));
    }
    const listed = await selected(rooms, target, options.value);
    if (!listed.ok) return listed;
    const page = pageOf(listed.value, options.value);
    return page.ok ? ok(answered(exchange, 200, listBody(target, page.value))) : page;
  },
});

/** How long a list waits for a revision that is not there yet (spec/kubectl.md section 8.1). */
const patienceMs = ({ timeoutSeconds }: ListOptions): number =>
  timeoutSeconds > 0 ? Math.min(timeoutSeconds * 1000, 3000) : 3000;

export const tooLarge = (wanted: number, current: number): ReturnType<typeof failure> =>
  failure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });

/** The objects of the target's collection that the selectors let through. */
export async function selected(rooms: Rooms, target: Target, options: ListOptions): Promise<Result<StoredList>> {
  const { info, resource } = target;
  const namespace =
    resource.namespaced && info.namespace === '' ? undefined : resource.namespaced ? info.namespace : '';
  const all = await rooms.store.readAll(resource.storage, namespace);
  const items: KubernetesObject[] = [];
  for (const stored of all.items) {
    const view = inVersion(rooms, stored, viewKindOf(resource));
    if (!view.ok) return view;
    if (options.selects(view.value)) items.push(view.value);
  }
  return ok({ items, revision: all.revision });
}

interface Page {
  readonly items: readonly KubernetesObject[];
  readonly revision: number;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

function pageOf({ items, revision }: StoredList, options: ListOptions): Result<Page> {
  const token = options.continue === '' ? undefined : readContinue(options.continue);
  if (token?.outcome === 'invalid') return refuse(badRequest(`invalid continue token: ${token.error}`));
  const rest = token ? items.filter((object) => pathOf(object) > token.after) : items;
  const shownRevision = token ? token.revision : revision;
  const last = options.limit > 0 ? rest[options.limit - 1] : undefined;
  if (last === undefined || rest.length <= options.limit) return ok({ items: rest, revision: shownRevision });
  return ok({
    items: rest.slice(0, options.limit),
    revision: shownRevision,
    continue: continueAfter(pathOf(last), shownRevision),
    ...(options.filtered ? {} : { remainingItemCount: rest.length - options.limit }),
  });
}

/** The key in whose order objects are listed. */
const pathOf = ({ metadata }: KubernetesObject): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

/** Items of built-in lists carry no kind and apiVersion of their own (spec/kubectl.md section 8.1). */
export function listBody({ resource }: Target, page: Page): JsonObject {
  const { continue: next, remainingItemCount } = page;
  return {
    kind: `${resource.storage.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata: {
      resourceVersion: resourceVersionOf(page.revision),
      ...(next === undefined ? {} : { continue: next }),
      ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
    },
    items: page.items.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item),
  };
}
