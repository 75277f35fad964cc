import { existsSync } from 'node:fs';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../../machinery/json/json.ts';
import type { LoadedManifest } from '../../../testing/scenario/format.ts';
import { documentsOf, manifestFiles } from '../../../testing/scenario/read/files.ts';
import { inLoadingOrder } from '../../../testing/scenario/loading-order.ts';
import { objectsIn } from '../../../testing/scenario/read/manifests.ts';
import { createProblems, problemLines } from '../../../testing/scenario/read/problems.ts';

/** The objects of these files and folders, in loading order. Throws ConfigError with a line for each problem. */
export function readDevManifests(paths: readonly string[]): readonly LoadedManifest[] {
  const problems = createProblems();
  const ports = { problems, uses: () => {} };
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new ConfigError(`-f ${missing}: there is no such file or folder`);
  const manifests = paths
    .flatMap(manifestFiles)
    .flatMap((file) => documentsOf(file, ports))
    .flatMap((document) => objectsIn(document, problems));
  const lines = problemLines(problems.all());
  if (lines.length > 0) throw new ConfigError(lines.join('\n'));
  return inLoadingOrder(manifests);
}

/** `NAMESPACE/NAME` of the Services that webhooks and converters of these objects name, each once. */
export const listServices = (manifests: readonly LoadedManifest[]): readonly string[] =>
  collectFromClientConfigs(manifests, qualifiedService);

/** `https://HOST[:PORT]` of the webhooks with a url, each once. */
export const listOrigins = (manifests: readonly LoadedManifest[]): readonly string[] =>
  collectFromClientConfigs(manifests, ({ url }) => urlOrigin(url));

/** Those of this machine are routed to the command. */
export const isLocalOrigin = (origin: string): boolean =>
  /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|host\.docker\.internal)$/.test(new URL(origin).hostname);

function collectFromClientConfigs(
  manifests: readonly LoadedManifest[],
  nameOf: (clientConfig: JsonObject) => string,
): readonly string[] {
  const names: string[] = [];
  for (const { object } of manifests) {
    mapClientConfigs(object, (clientConfig) => {
      names.push(nameOf(clientConfig));
      return clientConfig;
    });
  }
  return [...new Set(names)].filter((name) => name !== '');
}

const urlOrigin = (url: JsonValue | undefined): string =>
  typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : '';

/** '' for a webhook with a url. */
function qualifiedService({ service }: JsonObject): string {
  const { namespace, name } = asObject(service);
  return typeof namespace === 'string' && typeof name === 'string' ? `${namespace}/${name}` : '';
}

const isRouted = (clientConfig: JsonObject): boolean => {
  const origin = urlOrigin(clientConfig['url']);
  return qualifiedService(clientConfig) !== '' || (origin !== '' && isLocalOrigin(origin));
};

/** A write that the first webhook with a rule matches. */
export function commandToTry(manifests: readonly LoadedManifest[]): string {
  const webhooks = manifests.flatMap(({ object }) => asList(object['webhooks'])).map(asObject);
  const [resource = 'pods'] = webhooks
    .flatMap(({ rules }) => asList(rules).map(asObject))
    .flatMap(({ resources }) => asList(resources).map(asString));
  return ['pods', '*', '*/*'].includes(resource)
    ? 'kubectl run web --image=nginx'
    : `kubectl apply -f your-${resource.replace(/\W/g, '-')}.yaml`;
}

/** Sets the caBundle of webhooks and converters that are routed; '' removes one that is no certificate. */
export const withServiceCa = (object: JsonObject, caPem: string): JsonObject =>
  mapClientConfigs(object, (clientConfig) => {
    if (!isRouted(clientConfig)) return clientConfig;
    if (caPem !== '') return { ...clientConfig, caBundle: Buffer.from(caPem).toString('base64') };
    const { caBundle, ...rest } = clientConfig;
    return isCertificate(caBundle) ? clientConfig : rest;
  });

/** Not a placeholder such as `Cg==`. */
const isCertificate = (caBundle: JsonValue | undefined): boolean =>
  Buffer.from(asString(caBundle), 'base64').toString().includes('-----BEGIN CERTIFICATE-----');

type MapClientConfig = (clientConfig: JsonObject) => JsonObject;

function mapClientConfigs(object: JsonObject, map: MapClientConfig): JsonObject {
  const group = asString(object['apiVersion']).split('/')[0];
  if (group === 'admissionregistration.k8s.io' && Array.isArray(object['webhooks'])) {
    return { ...object, webhooks: asList(object['webhooks']).map((one) => withClientConfig(asObject(one), map)) };
  }
  const webhook = valueAt(object, 'spec', 'conversion', 'webhook');
  if (group !== 'apiextensions.k8s.io' || !isJsonObject(webhook)) return object;
  const spec = asObject(object['spec']);
  const conversion = { ...asObject(spec['conversion']), webhook: withClientConfig(webhook, map) };
  return { ...object, spec: { ...spec, conversion } };
}

const withClientConfig = (webhook: JsonObject, map: MapClientConfig): JsonObject =>
  isJsonObject(webhook['clientConfig']) ? { ...webhook, clientConfig: map(webhook['clientConfig']) } : webhook;
