import type { PreviewOutcome, PreviewStep } from '../../apiserver/admission/chain/preview-chain.ts';
import { asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import {
  failurePolicyOf,
  reinvocationPolicyOf,
  timeoutSecondsOf,
  type WebhookEntry,
} from '../../machinery/meta/webhook-fields.ts';
import { badRequest, type Status } from '../../machinery/meta/status.ts';
import type { PreviewOf } from '../compose/chain-preview.ts';
import { requestJson } from '../../adapters/http/breakpoints.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { ChainDocument, ChainStep } from '../../explain/trace/chain-document.ts';
import { skipSentence } from '../../explain/trace/sentences.ts';
import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';
import { withManifest } from './chain-question.ts';
import { type BackendPorts, healthOf, inGroups } from './serve-backends.ts';

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
  const read = requestJson(request);
  if (read.outcome === 'unreadable') return refusal(badRequest(read.problem));
  const completed = await withManifest(asObject(read.value), ports.catalogue());
  if (!completed.ok) return refusal(completed.status);
  const question = completed.value;
  const previewed = await preview(question);
  if (!previewed.ok) return refusal(previewed.status);
  const steps = await inGroups(previewed.value, (step) => chainStep(step, question, ports));
  const document: ChainDocument = { chainVersion: 1, steps };
  return { type: 'document', code: 200, contentType: 'application/json', body: `${JSON.stringify(document)}\n` };
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
    ...(outcome.outcome !== 'skipped' && isJsonObject(clientConfig) && (await healthOf(step, clientConfig, ports))),
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

const refusal = (status: Status): ApiResponse => ({ type: 'status', status, warnings: [] });
