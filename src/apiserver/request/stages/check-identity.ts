import { ensureNamespace } from '../../../api/strategy/strategy.ts';
import { parseUint64 } from '../../../machinery/go/strconv.ts';
import { invalidValue } from '../../../machinery/meta/field-error.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest, conflict, invalid, plainError } from '../../../machinery/meta/status.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import { withParts, type Exchange, requirePart, type RequestTarget, withObject } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { storagePreconditionFailure } from '../storage-error.ts';
import { isDryRun } from '../write-options.ts';
import { objectOf } from './decode-body.ts';

/** The namespace must be that of the URL. Follows apiserver pkg/registry/rest/meta.go (rule PATH-6). */
export const placeNewObject: Stage = {
  name: 'place-new-object',
  run: async (exchange) => setNamespace(exchange, objectOf(exchange)),
};

/** Name and namespace must be those of the URL; a missing name is 400. */
export const checkIdentity: Stage = {
  name: 'check-identity',
  run: async (exchange) => {
    const target = requirePart(exchange.target, 'target');
    const object = objectOf(exchange);
    const { name } = metadataOf(object);
    if (name !== undefined && name !== target.info.name) {
      return refuse(
        badRequest(`the name of the object (${name}) does not match the name on the URL (${target.info.name})`),
      );
    }
    if (name === undefined) {
      return refuse(badRequest(undeterminableName(target.info.name)));
    }
    return setNamespace(exchange, object);
  },
};

/** Follows apiserver pkg/endpoints/handlers/rest.go checkName. */
export const undeterminableName = (inUrl: string): string =>
  `the name of the object (${inUrl} based on URL) was undeterminable: name must be provided`;

function setNamespace(exchange: Exchange, object: KubernetesObject): Result<Exchange> {
  const namespace = targetNamespace(requirePart(exchange.target, 'target'));
  const inPlace = ensureNamespace(object, namespace);
  return inPlace.ok ? ok(withObject(exchange, inPlace.value)) : inPlace;
}

/** '' for a cluster-scoped resource. */
export const targetNamespace = ({ resource, info }: RequestTarget): string =>
  resource.namespaced ? info.namespace : '';

/** The body's version must be that of the URL (rule PATH-5). */
export const checkVersion: Stage = {
  name: 'check-version',
  run: async (exchange) => {
    const expected = apiVersionOf(requirePart(exchange.target, 'target').resource.kind);
    const { apiVersion } = objectOf(exchange);
    if (apiVersion === expected) return ok(exchange);
    return refuse(
      badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected})`),
    );
  },
};

/**
 * A revision in the body must be current; some resources require one (rules PATH-20, PATH-22). Follows apiserver
 * pkg/registry/generic/registry/store.go.
 */
export const checkResourceVersion = ({ release }: Pick<HandlerDeps, 'release'>): Stage => ({
  name: 'check-resource-version',
  run: async (exchange) => {
    const { resource, info, strategy } = requirePart(exchange.target, 'target');
    const object = objectOf(exchange);
    const sent = metadataOf(object).resourceVersion ?? '';
    const revision = sent === '' ? undefined : parseUint64(sent);
    if (revision?.outcome === 'unparsable') return refuse(plainError(revision.error));
    if (!exchange.current) return ok(exchange);
    if (!revision || revision.value === 0) {
      if (strategy.allowUnconditionalUpdate) return ok(setCurrentVersion(exchange));
      const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
      const errors = release.formatErrors([error], { ...resource, isCustom: isCustomRow(resource) });
      return refuse(invalid({ group: resource.group, kind: resource.resource }, info.name, errors));
    }
    if (revision.value === exchange.current.revision) return ok(exchange);
    return refuse(
      conflict(
        resource,
        info.name,
        'the object has been modified; please apply your changes to the latest version and try again',
      ),
    );
  },
});

/** Runs before admission. */
export const checkUid: Stage = {
  name: 'check-uid',
  run: async (exchange) => {
    const { uid = '' } = metadataOf(objectOf(exchange));
    if (uid === '') return ok(exchange);
    const target = requirePart(exchange.target, 'target');
    const stored = exchange.current?.object.metadata ?? {};
    const write = { name: target.info.name, dryRun: isDryRun(exchange.options) };
    const refusal = storagePreconditionFailure(target, stored, { uid }, write);
    return refusal ? refuse(refusal) : ok(exchange);
  },
};

/** Without a revision the update applies to any. */
function setCurrentVersion(exchange: Exchange): Exchange {
  const { resourceVersion } = metadataOf(requirePart(exchange.current, 'current object').object);
  return withParts(exchange, { object: withMetadata(objectOf(exchange), { resourceVersion }) });
}
