import type { PreviewOutcome, PreviewStep } from '../../apiserver/admission/chain/preview-chain.ts';
import { asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import {
  failurePolicyOf,
  reinvocationPolicyOf,
  timeoutSecondsOf,
  type WebhookEntry,
} from '../../machinery/meta/webhook-fields.ts';
import { badRequest } from '../../machinery/meta/status.ts';
import type { PreviewOf } from '../compose/create-chain.ts';
import { jsonResponse, readJsonBody, statusResponse } from '../../adapters/http/json-body.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { ChainDocument, ChainStep, ChainChoices } from '../../explain/trace/chain-document.ts';
import { skipSentence } from '../../explain/trace/sentences.ts';
import type { Catalogue, ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import { type BackendPorts, probeHealth, mapInBatches } from './serve-backends.ts';
import { parseApiVersion } from '../../machinery/meta/gvk.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { readYamlBody } from '../../adapters/http/body-formats.ts';

export interface ChainEndpointPorts extends BackendPorts {
  readonly preview: PreviewOf;
  readonly catalogue: () => Pick<Catalogue, 'all' | 'forKind'>;
}

type ChainRequest = Pick<ApiRequest, 'method' | 'path' | 'body'>;

/** `POST /kadmit/v1/chain`: the admission chain of a request and its backends. undefined for any other path. */
export const serveChain =
  (ports: ChainEndpointPorts) =>
  (request: ChainRequest): Promise<ApiResponse> | undefined =>
    request.method === 'POST' && request.path === '/kadmit/v1/chain' ? answer(request, ports) : undefined;

async function answer(request: ChainRequest, { preview, ...ports }: ChainEndpointPorts): Promise<ApiResponse> {
  const read = readJsonBody(request);
  if (read.outcome === 'unreadable') return statusResponse(badRequest(read.problem));
  const completed = await withManifest(asObject(read.value), ports.catalogue());
  if (!completed.ok) return statusResponse(completed.status);
  const question = completed.value;
  const previewed = await preview(question);
  if (!previewed.ok) return statusResponse(previewed.status);
  const steps = await mapInBatches(previewed.value, (step) => chainStep(step, question, ports));
  const document: ChainDocument = { chainVersion: 1, steps };
  return jsonResponse(document);
}

async function chainStep(step: PreviewStep, question: JsonObject, ports: BackendPorts): Promise<ChainStep> {
  const { phase, type, name, within, definition, outcome } = step;
  const clientConfig = definition?.['clientConfig'];
  return {
    phase,
    type,
    name,
    within,
    outcome: outcome.outcome,
    because: clausesOf(outcome, question, definition ?? {}),
    ...(definition ? termsOf(step, definition) : {}),
    ...serviceOf(asObject(clientConfig)),
    ...(outcome.outcome !== 'skipped' && isJsonObject(clientConfig) && (await probeHealth(step, clientConfig, ports))),
  };
}

const serviceOf = ({ service }: JsonObject): Pick<ChainStep, 'service'> =>
  isJsonObject(service) ? { service: `${asString(service['namespace'])}/${asString(service['name'])}` } : {};

const termsOf = ({ phase, type }: PreviewStep, definition: WebhookEntry): Partial<ChainStep> => ({
  failurePolicy: failurePolicyOf(definition),
  ...(phase === 'mutating' ? { reinvocationPolicy: reinvocationPolicyOf(definition) } : {}),
  ...(type === 'webhook' ? { timeoutSeconds: timeoutSecondsOf(definition) } : {}),
});

function clausesOf(outcome: PreviewOutcome, question: JsonObject, definition: JsonObject): readonly string[] {
  switch (outcome.outcome) {
    case 'called':
      return [];
    case 'depends':
      return outcome.on;
    case 'refuses':
      return [outcome.error];
    case 'skipped': {
      const { group, resource, subresource, version } = question;
      const target = {
        group: asString(group),
        resource: asString(resource),
        subresource: asString(subresource),
        version: asString(version),
      };
      return [skipSentence(outcome.reason, target, { definition })];
    }
  }
}

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
  return jsonResponse(document);
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
