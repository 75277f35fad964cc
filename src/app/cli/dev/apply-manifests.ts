import { setTimeout as sleep } from 'node:timers/promises';
import { callServer, messageIn, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { type DiscoveredResource, fetchResources } from '../../../adapters/config/kubeconfig/named-resource.ts';
import { asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { withoutServerMetadata } from '../../../machinery/meta/object.ts';
import { collectionOf } from '../../../testing/record-replay/snapshot/write-object.ts';
import type { LoadedManifest } from '../../../testing/scenario/format.ts';
import { placeText } from '../../../testing/scenario/read/problems.ts';
import { isDefinedIn, titleOf } from '../../../testing/scenario/store-manifests.ts';

/** A definition is served a moment after it was written. */
const mostTries = 20;
const retryDelayMs = 100;

/**
 * Applies the objects in this order, as `kubectl apply --server-side --force-conflicts` does, and continues after a failure.
 * Resolves with a line for each failure. Rejects with ConfigError when the server cannot be reached.
 */
export async function applyManifests(
  manifests: readonly LoadedManifest[],
  access: ServerAccess,
): Promise<readonly string[]> {
  const failures: string[] = [];
  let resources = await fetchResources(access);
  for (const { object, place } of manifests) {
    for (
      let tries = 0;
      tries < mostTries && !resourceOf(object, resources) && isDefinedIn(object, manifests);
      tries += 1
    ) {
      await sleep(retryDelayMs);
      resources = await fetchResources(access);
    }
    const failure = await applyOne(object, resourceOf(object, resources), access);
    if (failure !== '') failures.push(`${placeText(place)}: ${titleOf(object)}: ${failure}`);
  }
  return failures;
}

/** '' or why it failed. */
async function applyOne(
  written: JsonObject,
  resource: DiscoveredResource | undefined,
  access: ServerAccess,
): Promise<string> {
  const object = withoutServerMetadata(written);
  const name = asString(valueAt(object, 'metadata', 'name'));
  const namespace = asString(valueAt(object, 'metadata', 'namespace'));
  if (!resource)
    return `no matches for kind "${asString(object['kind'])}" in version "${asString(object['apiVersion'])}"`;
  if (name === '') return 'metadata.name is required';
  const { code, text } = await callServer(access, {
    method: 'PATCH',
    path: `${collectionOf(resource, namespace || 'default')}/${encodeURIComponent(name)}?fieldManager=kadmit-dev&force=true&fieldValidation=Strict`,
    contentType: 'application/apply-patch+yaml',
    body: writeJson(object),
  });
  return code < 400 ? '' : messageIn(text).trim();
}

const resourceOf = (
  { apiVersion, kind }: JsonObject,
  resources: readonly DiscoveredResource[],
): DiscoveredResource | undefined => resources.find((one) => apiVersionOf(one) === apiVersion && one.kind === kind);
