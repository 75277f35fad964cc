import { setTimeout as sleep } from 'node:timers/promises';
import { callServer, messageIn, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { type DiscoveredResource, fetchResources } from '../../../adapters/config/kubeconfig/discovery.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { apiVersionOf, collectionPath } from '../../../machinery/meta/gvk.ts';
import { withoutServerMetadata } from '../../../machinery/meta/object.ts';
import type { LoadedManifest } from '../../../testing/scenario/format.ts';
import { placeText } from '../../../testing/scenario/read/problems.ts';
import { isDefinedIn, manifestTitle } from '../../../testing/scenario/store-manifests.ts';
import { requestMap } from '../map/map.ts';
import type { Backend } from './program.ts';
import { isLocalOrigin, listOrigins, readDevManifests, listServices, withServiceCa } from './manifests.ts';
import type { IssuedCertificate, ServingFiles } from './serving-files.ts';
import { countText } from '../../../machinery/lists.ts';

/** The manifests of `-f`, whose Services are routed to the command. */
export interface DevConfigurations {
  readonly manifests: () => readonly LoadedManifest[];
  /** After the command listens: routes the Services to it, and applies the manifests if they or the protocol changed. */
  readonly connect: (backend: Backend) => Promise<void>;
  /** The serving certificate of the command (PEM). */
  readonly certificate: () => string;
  /** After a file changed: applies the manifests. True if the command needs a certificate with other names first. */
  readonly reload: () => Promise<boolean>;
}

interface ConfigurationParts {
  readonly paths: readonly string[];
  readonly access: ServerAccess;
  readonly files: ServingFiles;
  /** Services and hosts with a mapping of `--map`. */
  readonly mapped: readonly string[];
  /** Of the command. */
  readonly name: string;
  readonly print: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** Issues the certificate. Rejects with ConfigError for bad manifests. */
export async function openConfigurations(parts: ConfigurationParts): Promise<DevConfigurations> {
  const { paths, access, files, mapped, name, print, warn } = parts;
  let manifests = readDevManifests(paths);
  let issued: IssuedCertificate = await files.issue(listServices(manifests));
  let protocol: Backend['protocol'] | undefined;
  let isApplied = false;

  const apply = async (): Promise<void> => {
    const ca = protocol === 'given certificate' ? issued.ca : '';
    const ready = manifests.map(({ object, place }) => ({ object: withServiceCa(object, ca), place }));
    const failures = await applyManifests(ready, access);
    isApplied = true;
    failures.forEach(warn);
    if (ready.length > 0) print(`applied ${ready.length - failures.length} of ${countText(ready.length, 'object')}`);
  };

  return {
    manifests: () => manifests,
    certificate: () => issued.certificate,
    connect: async ({ host, port, ...backend }) => {
      const before = protocol;
      protocol = backend.protocol;
      const services = listServices(manifests);
      const origins = listOrigins(manifests);
      const local = origins.filter(isLocalOrigin);
      const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
      const scheme = protocol === 'plain HTTP' ? 'http' : 'https';
      const url = `${scheme}://${address}`;
      const routed = services.length + local.length > 0 ? [...services, ...local] : ['*'];
      for (const from of routed) await requestMap(access, { set: `${from}=${url}`, program: name });
      print(`${name} ${protocolText[protocol]} on port ${port}; ${routeText(services, local)} to it`);
      for (const origin of origins.filter((one) => !isLocalOrigin(one) && !mapped.includes(one)))
        warn(
          `${origin} is not this machine: its webhooks are called there; --map ${origin}=${scheme}://localhost:{PORT} routes them to ${name}`,
        );
      if (!isApplied || protocol !== before) await apply();
    },
    reload: async () => {
      const known = listServices(manifests);
      manifests = readDevManifests(paths);
      isApplied = false;
      const services = listServices(manifests);
      const isNew = services.some((service) => !known.includes(service));
      if (isNew) issued = await files.issue(services);
      else if (protocol !== undefined) await apply();
      return isNew;
    },
  };
}

const protocolText: Readonly<Record<Backend['protocol'], string>> = {
  'given certificate': 'serves the certificate of kadmit',
  'own certificate': 'serves a certificate of its own, which is not verified unless a caBundle is set,',
  'plain HTTP': 'serves plain HTTP (a cluster requires TLS)',
};

function routeText(services: readonly string[], origins: readonly string[]): string {
  const all = [...services, ...origins];
  if (all.length === 0) return 'every Service is routed';
  const noun = services.length === 0 ? '' : `${services.length === 1 ? 'Service' : 'Services'} `;
  return `${noun}${all.join(', ')} ${all.length === 1 ? 'is' : 'are'} routed`;
}

/** A definition is served a moment after it was written. */
const maxTries = 20;
const retryDelayMs = 100;

/**
 * Applies the objects in this order, as `kubectl apply --server-side --force-conflicts` does, and continues after a failure.
 * Resolves with a line for each failure. Rejects with ConfigError when the server cannot be reached.
 */
async function applyManifests(manifests: readonly LoadedManifest[], access: ServerAccess): Promise<readonly string[]> {
  const failures: string[] = [];
  let resources = await fetchResources(access);
  for (const { object, place } of manifests) {
    for (
      let tries = 0;
      tries < maxTries && !findResource(object, resources) && isDefinedIn(object, manifests);
      tries += 1
    ) {
      await sleep(retryDelayMs);
      resources = await fetchResources(access);
    }
    const failure = await applyObject(object, findResource(object, resources), access);
    if (failure !== '') failures.push(`${placeText(place)}: ${manifestTitle(object)}: ${failure}`);
  }
  return failures;
}

/** '' or why it failed. */
async function applyObject(
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
    path: `${collectionPath(resource, namespace || 'default')}/${encodeURIComponent(name)}?fieldManager=kadmit-dev&force=true&fieldValidation=Strict`,
    contentType: 'application/apply-patch+yaml',
    body: writeJson(object),
  });
  return code < 400 ? '' : messageIn(text).trim();
}

const findResource = (
  { apiVersion, kind }: JsonObject,
  resources: readonly DiscoveredResource[],
): DiscoveredResource | undefined => resources.find((one) => apiVersionOf(one) === apiVersion && one.kind === kind);
