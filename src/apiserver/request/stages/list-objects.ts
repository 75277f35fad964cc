import type { ResourceInfo } from '../../../api/types/catalogue/catalogue.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest, failure, type Status } from '../../../machinery/meta/status.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import { resourceVersionOf, type StoredList } from '../../storage/storage.ts';
import { continueAfter, readContinue } from '../continue-token.ts';
import { withResponse, requirePart, type RequestTarget, type Exchange } from '../exchange.ts';
import { type DecodedListOptions, readListOptions } from '../list-options.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { awaitRevision, revisionWaitMs, revisionTooLarge } from './await-revision.ts';
import { corruptItem, type CorruptItem, maxCorrupt, unreadableList } from '../storage-error.ts';
import { inconvertibleStatus, describeCorruption, unsafeDeletion, viewKindOf } from './load-current.ts';

function listItemOf(object: KubernetesObject): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
  return item;
}

export const listObjects = (deps: HandlerDeps): Stage => ({
  name: 'list-objects',
  run: async (exchange) => {
    const target = requirePart(exchange.target, 'target');
    const options = readListOptions(exchange.request.query, target.resource, false);
    if (!options.ok) return options;
    warnOfPending(deps, exchange);
    const moment = listPositionOf(options.value, prefixOf(target));
    if (!moment.ok) return moment;
    const { revision: wanted } = moment.value;
    if (wanted > deps.cluster.revision()) {
      const reached = await awaitRevision(deps, wanted, timeoutOf(options.value), exchange.request.signal());
      if (!reached) return refuse(revisionTooLarge(requestedText(options.value, wanted), deps.cluster.revision()));
    }
    const listed = await listAtRevision(deps, target, options.value, moment.value);
    if (!listed.ok) return listed;
    const page = slicePage(listed.value, dropLimitFromCache(options.value), {
      after: moment.value.after,
      prefix: prefixOf(target),
    });
    return ok(withResponse(exchange, 200, listBody(target, page)));
  },
});

/** A 64-bit revision in full; continue tokens have no parameter. */
const requestedText = (options: DecodedListOptions, wanted: number): string =>
  options.continue === '' ? (options.resourceVersion ?? '0') : String(wanted);

interface ListPosition {
  /** 0: any. */
  readonly revision: number;
  /** Not a newer state. */
  readonly isExact: boolean;
  /** '' for the first page. */
  readonly after: string;
}

/** Follows apiserver pkg/storage/cacher/delegator and pkg/storage/etcd3/store.go: a limit makes a revision exact. */
function listPositionOf(options: DecodedListOptions, prefix: string): Result<ListPosition> {
  const { resourceVersion = '0', resourceVersionMatch: match, limit } = options;
  if (options.continue !== '') {
    const token = readContinue(options.continue);
    if (token.outcome === 'invalid') return refuse(badRequest(`invalid continue token: ${token.error}`));
    const { revision, after } = token;
    return ok({ revision: Math.max(revision, 0), isExact: revision > 0, after: prefix + after });
  }
  const revision = Number(resourceVersion);
  const isExact = match === 'Exact' || (match === '' && limit > 0 && revision > 0);
  return ok({ revision, isExact, after: '' });
}

/** 410 when the state is forgotten. */
async function listAtRevision(
  deps: HandlerDeps,
  target: RequestTarget,
  options: DecodedListOptions,
  { revision, isExact, after }: ListPosition,
): Promise<Result<StoredList>> {
  const at = isExact ? revision : undefined;
  const read = await deps.storage.readAll(target.resource.storage, scopeOf(target), at);
  if (read.outcome === 'read') return select(deps, target, options, read);
  return refuse(after === '' ? tooOld : expiredContinue(after.slice(prefixOf(target).length)));
}

const tooOld = failure({
  code: 410,
  reason: 'Expired',
  message: 'The resourceVersion for the provided list is too old.',
});

/** The token continues in the current state. Follows apiserver pkg/storage/etcd3/errors.go. */
const expiredContinue = (after: string): Status => ({
  ...failure({
    code: 410,
    reason: 'Expired',
    message:
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  }),
  metadata: { continue: continueAfter(after, -1) },
});

/** How long a list waits for a future revision. */
const timeoutOf = ({ timeoutSeconds }: DecodedListOptions): number =>
  timeoutSeconds > 0 ? Math.min(timeoutSeconds * 1000, revisionWaitMs) : revisionWaitMs;

export async function readSelectedPage(
  deps: HandlerDeps,
  target: RequestTarget,
  options: DecodedListOptions,
): Promise<Result<Page>> {
  const moment = listPositionOf(options, prefixOf(target));
  if (!moment.ok) return moment;
  const listed = await listAtRevision(deps, target, options, moment.value);
  return listed.ok
    ? ok(slicePage(listed.value, options, { after: moment.value.after, prefix: prefixOf(target) }))
    : listed;
}

/** undefined: all namespaces. */
function scopeOf({ info, resource }: RequestTarget): string | undefined {
  if (!resource.namespaced) return '';
  return info.namespace === '' ? undefined : info.namespace;
}

async function select(
  deps: HandlerDeps,
  target: RequestTarget,
  options: DecodedListOptions,
  { items: all, revision }: StoredList,
): Promise<Result<StoredList>> {
  const items: KubernetesObject[] = [];
  const corrupt: CorruptItem[] = [];
  const collects = deps.release.isOn(unsafeDeletion);
  const { resource, codec } = target;
  for (const stored of all) {
    await deps.yieldIfLong();
    const converted = await codec.fromStorage(stored, viewKindOf(resource));
    if (converted.outcome === 'inconvertible') {
      if (!collects) return refuse(inconvertibleStatus(converted));
      const { key, error } = describeCorruption(stored, resource, converted.error);
      corrupt.push(corruptItem(key, isCustomRow(resource), error));
      if (corrupt.length === maxCorrupt) break;
    } else if (options.selects(converted.object)) items.push(converted.object);
  }
  return corrupt.length === 0 ? ok({ items, revision }) : refuse(unreadableList(resource, corrupt));
}

/** A list from the cache at any revision ignores limit. Follows apiserver pkg/storage/cacher/delegator/interface.go. */
const dropLimitFromCache = (options: DecodedListOptions): DecodedListOptions =>
  options.resourceVersion === '0' && options.resourceVersionMatch !== 'Exact' && options.continue === ''
    ? { ...options, limit: 0 }
    : options;

interface Page {
  readonly items: readonly KubernetesObject[];
  readonly revision: number;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

function slicePage({ items, revision }: StoredList, options: DecodedListOptions, { after, prefix }: PageStart): Page {
  const rest = after === '' ? items : items.filter((object) => pathOf(object) > after);
  const last = options.limit > 0 ? rest[options.limit - 1] : undefined;
  if (last === undefined || rest.length <= options.limit) return { items: rest, revision };
  return {
    items: rest.slice(0, options.limit),
    revision,
    continue: continueAfter(pathOf(last).slice(prefix.length), revision),
    ...(options.filtered ? {} : { remainingItemCount: rest.length - options.limit }),
  };
}

interface PageStart {
  readonly after: string;
  readonly prefix: string;
}

/** The etcd key of the collection, which tokens omit. */
const prefixOf = ({ resource, info }: RequestTarget): string => {
  if (!resource.namespaced) return '/';
  return info.namespace === '' ? '' : `${info.namespace}/`;
};

const pathOf = ({ metadata }: KubernetesObject): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

/** Items of built-in lists omit kind and apiVersion. */
export function listBody({ resource }: RequestTarget, page: Page): JsonObject {
  const { continue: next, remainingItemCount } = page;
  if (isCustomRow(resource)) return customListBody(resource, page);
  return {
    kind: `${resource.storage.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata: {
      resourceVersion: resourceVersionOf(page.revision),
      ...(next === undefined ? {} : { continue: next }),
      ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
    },
    items: page.items.map(listItemOf),
  };
}

/** Items of custom lists have a kind, and `continue` is always present. */
const customListBody = (row: ResourceInfo, { revision, items, ...page }: Page): JsonObject => ({
  apiVersion: apiVersionOf(row),
  items,
  kind: row.listKind,
  metadata: {
    continue: page.continue ?? '',
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
    resourceVersion: resourceVersionOf(revision),
  },
});

/** Warns who lists or watches one object by its name, as `kubectl rollout status` and `kubectl wait` do. */
export function warnOfPending(
  { pendingWarning }: Pick<HandlerDeps, 'pendingWarning'>,
  { target, request, journal }: Exchange,
): void {
  const [, name] = /^metadata\.name=([^,=]+)$/.exec(request.query.get('fieldSelector') ?? '') ?? [];
  if (!target || name === undefined) return;
  const warning = pendingWarning?.(target.resource, target.info.namespace, name);
  if (warning !== undefined) journal.warn(warning);
}
