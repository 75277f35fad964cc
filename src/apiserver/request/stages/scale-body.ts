import { valueAt, withValue } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { refuse } from '../../../machinery/meta/result.ts';
import { badRequest, conflict, invalid, type Status } from '../../../machinery/meta/status.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import { type Current, type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { failedPreconditionText } from '../storage-error.ts';
import { isOwned } from '../scale-managers.ts';
import { scaleShapeOf } from '../scale.ts';
import type { Stage } from '../stage.ts';
import { checkVersion } from './check-identity.ts';
import { objectOf, decodeBody } from './decode-body.ts';
import { isApplyPatch } from './read-options.ts';

/** An apply without replicas keeps the current ones, unless it was their only owner. */
export function keepReplicas(exchange: Exchange, tracked: KubernetesObject, live: KubernetesObject): KubernetesObject {
  const scale = objectOf(exchange);
  const { resource } = requirePart(exchange.target, 'target');
  const { path } = scaleShapeOf(resource);
  const isSet = valueAt(exchange.sent ?? scale, 'spec', 'replicas') !== undefined;
  if (!isApplyPatch(exchange) || isSet || isCustomRow(resource)) return scale;
  const isGivenUp = isOwned(live, path) && !isOwned(tracked, path);
  return isGivenUp ? scale : withValue(scale, ['spec', 'replicas'], valueAt(live, ...path));
}

/** Name and namespace default to those of the path. */
export function fillScaleName(scale: KubernetesObject, current: KubernetesObject): KubernetesObject {
  const { namespace, name } = metadataOf(current);
  const sent = metadataOf(scale);
  return withMetadata(scale, { name: sent.name ?? name, namespace: sent.namespace ?? namespace });
}

/** Uid and time default to the stored object's; mutating webhooks see the Scale without them and its owners. */
export function withIdentityOf(scale: KubernetesObject, current: KubernetesObject): KubernetesObject {
  const { uid, creationTimestamp } = metadataOf(current);
  return withMetadata(scale, { uid: metadataOf(scale).uid ?? uid, creationTimestamp, managedFields: undefined });
}

export function scaleRefusal(exchange: Exchange, scale: KubernetesObject, current: Current): Status | undefined {
  const { resource, info, codec } = requirePart(exchange.target, 'target');
  const errors = scaleShapeOf(resource).errors(scale, codec.types.minor);
  if (errors.length > 0) return invalid(resource.kind, info.name, errors);
  const { resourceVersion = '', uid: expected = '' } = metadataOf(scale);
  const { uid: actual = '' } = metadataOf(current.object);
  if (expected !== '' && expected !== actual && !isCustomRow(resource)) {
    const scaled = { group: resource.group, resource: `${resource.resource}/scale` };
    return conflict(scaled, info.name, failedPreconditionText({ field: 'UID', expected, actual }));
  }
  if (resourceVersion === '' || resourceVersion === metadataOf(current.object).resourceVersion) return undefined;
  const text = 'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(resource, info.name, text);
}

/**
 * The body of PUT X/scale. For custom resources a scheme without Scale produces the errors. Follows
 * apiextensions-apiserver pkg/apiserver/customresource_handler.go and apiserver pkg/endpoints/handlers/rest.go
 * transformDecodeError.
 */
export const decodeScale = (deps: HandlerDeps): Stage => {
  const decode = decodeBody(deps);
  return {
    name: decode.name,
    run: async (exchange) => {
      const decoded = await decode.run(exchange);
      if (!isCustomRow(requirePart(exchange.target, 'target').resource)) return decoded;
      const checked = decoded.ok ? await checkVersion.run(decoded.value) : decoded;
      return checked.ok || checked.status.code !== 400 ? checked : refuse(badRequest(noScale));
    },
  };
};

const noScale =
  'no kind is registered for the type v1.Scale in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781"';
