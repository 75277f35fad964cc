import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import { ensureNamespace } from '../../../api/strategy/before-update.ts';
import { held, withObject } from '../exchange.ts';
import type { Exchange, Target } from '../exchange.ts';
import type { Stage } from '../stage.ts';
import { objectOf } from './decode-body.ts';

/** The namespace must be that of the URL. Follows apiserver pkg/registry/rest/meta.go (rule PATH-6). */
export const placeNewObject: Stage = {
  name: 'place-new-object',
  run: async (exchange) => placed(exchange, objectOf(exchange)),
};

/** Name and namespace must be those of the URL; a missing name is 400. */
export const checkIdentity: Stage = {
  name: 'check-identity',
  run: async (exchange) => {
    const target = held(exchange.target, 'target');
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
    return placed(exchange, object);
  },
};

/** Follows apiserver pkg/endpoints/handlers/rest.go checkName. */
export const undeterminableName = (inUrl: string): string =>
  `the name of the object (${inUrl} based on URL) was undeterminable: name must be provided`;

function placed(exchange: Exchange, object: KubernetesObject): Result<Exchange> {
  const namespace = namespaceOf(held(exchange.target, 'target'));
  const inPlace = ensureNamespace(object, namespace);
  return inPlace.ok ? ok(withObject(exchange, inPlace.value)) : inPlace;
}

/** '' for a cluster-scoped resource. */
export const namespaceOf = ({ resource, info }: Target): string => (resource.namespaced ? info.namespace : '');

/** The body's version must be that of the URL (rule PATH-5). */
export const checkVersion: Stage = {
  name: 'check-version',
  run: async (exchange) => {
    const expected = apiVersionOf(held(exchange.target, 'target').resource.kind);
    const { apiVersion } = objectOf(exchange);
    if (apiVersion === expected) return ok(exchange);
    return refuse(
      badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected})`),
    );
  },
};
