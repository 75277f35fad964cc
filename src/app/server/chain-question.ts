import { parseApiVersion } from '../../machinery/meta/gvk.ts';
import { asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { badRequest } from '../../machinery/meta/status.ts';
import { readYamlBody } from '../../adapters/http/body-formats.ts';
import type { ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Catalogue, ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import type { ChainChoices } from '../../explain/trace/chain-document.ts';

/** Replaces `manifest`, YAML or JSON, with `object` and fills in its name, namespace and resource. */
export async function withManifest(
  question: JsonObject,
  catalogue: Pick<Catalogue, 'forKind'>,
): Promise<Result<JsonObject>> {
  if (Object.keys(question).length > 2_000) return refuse(badRequest('too many fields'));
  const { manifest, ...rest } = question;
  if (asString(manifest).trim() === '') return ok(rest);
  const reading = await readYamlBody(asString(manifest));
  if (reading.outcome === 'unreadable') return refuse(badRequest(`the manifest cannot be read: ${reading.error}`));
  const { value: object } = reading;
  if (!isJsonObject(object)) return refuse(badRequest('the manifest is not an object'));
  const { name, namespace } = asObject(object['metadata']);
  const about = {
    ...rest,
    object,
    name: asString(name),
    namespace: asString(namespace) || asString(rest['namespace']),
  };
  if (asString(rest['resource']) !== '') return ok(about);
  const { apiVersion, kind } = object;
  if (asString(apiVersion) === '' || asString(kind) === '')
    return refuse(badRequest('the manifest needs apiVersion and kind'));
  const row = catalogue.forKind({ ...parseApiVersion(asString(apiVersion)), kind: asString(kind) });
  if (!row) return refuse(badRequest(`this server has no kind ${asString(kind)} in ${asString(apiVersion)}`));
  const { group, version, resource } = row;
  return ok({ ...about, group, version, resource });
}

/** `GET /kadmit/v1/chain`, for the page: the resources to choose from. */
export function chainChoices({ all }: Pick<Catalogue, 'all'>): ApiResponse {
  const document: ChainChoices = { resources: all().filter(isWritten).map(choice) };
  return { type: 'document', code: 200, contentType: 'application/json', body: `${JSON.stringify(document)}\n` };
}

const writes = new Set(['create', 'update', 'patch', 'delete']);

const isWritten = ({ verbs }: ResourceInfo): boolean => verbs.some((verb) => writes.has(verb));

const choice = ({ group, version, resource, subresource, namespaced, shortNames }: ResourceInfo) => ({
  group,
  version,
  resource,
  subresource,
  namespaced,
  shortNames,
});
