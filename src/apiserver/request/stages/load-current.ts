import type { Converted } from '../../../api/codec/codec.ts';
import type { ResourceInfo } from '../../../api/types/catalogue/catalogue.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import type { GroupVersionKind } from '../../../machinery/meta/gvk.ts';
import { pathSegmentName } from '../../../machinery/meta/names.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest, internalError, notFound, plainError, type Status } from '../../../machinery/meta/status.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import type { StoreKey } from '../../storage/storage.ts';
import { corruptObjectText } from '../storage-error.ts';
import { withResponse, withParts, type Current, type Exchange, requirePart, type RequestTarget } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { freshnessRefusal } from './await-revision.ts';

/** 404 when nothing is stored, unless the write may create it. */
export const loadCurrent = (deps: HandlerDeps, mayCreate: (exchange: Exchange) => boolean): Stage => ({
  name: 'load-current',
  run: async (exchange) => {
    const target = requirePart(exchange.target, 'target');
    const current = await readCurrent(deps, target);
    if (!current.ok) return current;
    if (current.value === null && !mayCreate(exchange)) {
      return refuse(notFound(target.resource, target.info.name));
    }
    return ok(withParts(exchange, { current: current.value }));
  },
});

/** `by` decides how a failed conversion is reported. */
export async function readCurrent(
  deps: HandlerDeps,
  target: RequestTarget,
  by: StoredAccess = 'write',
): Promise<Result<Current | null>> {
  const { name } = target.info;
  const refusal = keyRefusal(name);
  if (refusal) return refuse(refusal);
  const stored = await deps.storage.read(storeKeyOf(target, name));
  if (!stored) return ok(null);
  const view = await decodeStored(deps, target, stored.object, by);
  return view.ok ? ok({ ...stored, view: view.value }) : view;
}

type StoredAccess = 'read' | 'write';

/** An object from the storage in the version of the request, with the error of its decoder. */
export async function decodeStored(
  { release }: Pick<HandlerDeps, 'release'>,
  { codec, resource }: Pick<RequestTarget, 'codec' | 'resource'>,
  object: KubernetesObject,
  by: StoredAccess,
): Promise<Result<KubernetesObject>> {
  const converted = await codec.fromStorage(object, viewKindOf(resource));
  if (converted.outcome === 'converted' || !release.isOn(unsafeDeletion)) return toResult(converted);
  const { key, error } = describeCorruption(object, resource, converted.error);
  if (by === 'write') return refuse(plainError(error));
  return refuse(internalError(corruptObjectText(key, isCustomRow(resource), error)));
}

/** The key of an object and the error of its decoder. */
export function describeCorruption(
  object: KubernetesObject,
  { storage }: ResourceInfo,
  error: string,
): { readonly key: StoreKey; readonly error: string } {
  const { namespace = '', name = '', resourceVersion = '0' } = metadataOf(object);
  const key = { resource: storage, namespace, name };
  return { key, error: `object not decodable revision=${resourceVersion}: ${error}` };
}

/** The gate that makes upstream report objects that cannot be decoded. */
export const unsafeDeletion = 'AllowUnsafeMalformedObjectDeletion';

/** Upstream's key error for a name. Follows apiserver pkg/registry/generic/registry/store.go NamespaceKeyFunc. */
export function keyRefusal(name: string): Status | undefined {
  if (name === '') return badRequest('Name parameter required.');
  const errors = pathSegmentName(name);
  return errors.length > 0 ? badRequest(`Name parameter invalid: ${goQuote(name)}: ${errors.join(';')}`) : undefined;
}

export const storeKeyOf = ({ resource, info }: RequestTarget, name: string): StoreKey => ({
  resource: resource.storage,
  namespace: resource.namespaced ? info.namespace : '',
  name,
});

/** The main resource's kind in the request's version. */
export function viewKindOf(resource: ResourceInfo): GroupVersionKind {
  const { group, version, storage } = resource;
  return { group, version, kind: storage.kind };
}

export const convertStored = async (
  { codec, resource }: Pick<RequestTarget, 'codec' | 'resource'>,
  object: KubernetesObject,
): Promise<Result<KubernetesObject>> => toResult(await codec.fromStorage(object, viewKindOf(resource)));

export const convertToVersion = async (
  { codec }: Pick<RequestTarget, 'codec'>,
  object: KubernetesObject,
  kind: GroupVersionKind,
): Promise<Result<KubernetesObject>> => toResult(await codec.convert(object, kind));

export const toResult = (converted: Converted): Result<KubernetesObject> =>
  converted.outcome === 'converted' ? ok(converted.object) : refuse(inconvertibleStatus(converted));

export const inconvertibleStatus = ({ error, isBare }: Extract<Converted, { outcome: 'inconvertible' }>): Status =>
  isBare ? plainError(error) : internalError(error);

export const readObject = (deps: HandlerDeps): Stage => ({
  name: 'read-object',
  run: async (exchange) => {
    const target = requirePart(exchange.target, 'target');
    const refusal = await freshnessRefusal(deps, exchange.request);
    if (refusal) return refuse(refusal);
    const current = await readCurrent(deps, target, 'read');
    if (!current.ok) return current;
    if (current.value === null) return refuse(notFound(target.resource, target.info.name));
    return ok(withResponse(exchange, 200, current.value.view));
  },
});
