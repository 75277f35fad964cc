import { writeJson } from '../../../machinery/json/json-writer.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonDocument,
  type JsonObject,
} from '../../../machinery/json/json.ts';
import { decodePatch } from '../../../machinery/patch/json-patch-decode.ts';
import { applyJsonPatch } from '../../../machinery/patch/json-patch.ts';
import { applyMergePatch } from '../../../machinery/patch/merge-patch.ts';
import { urlOfTo } from '../../stubs/stub-caller.ts';
import type { StubServer } from '../../stubs/stub-server.ts';
import type { StubRegistry } from '../../stubs/stub-registry.ts';
import type { WebhookSpec } from '../../stubs/webhook-spec.ts';
import { isConfiguration, nameOf } from '../known-webhooks.ts';
import type { ScenarioWorld, WorldAnswer, WorldRequest } from '../world.ts';

/** Webhook configurations that a scenario wrote to a server, with stub addresses. */
export interface StubConfigurations {
  /** Replaces addresses by those of the stubs if the request writes a configuration. */
  readonly rewrite: (request: WorldRequest) => Promise<WorldRequest>;
  /** Stores the server's response by path. */
  readonly recordWrite: (path: string, request: WorldRequest, answer: WorldAnswer) => void;
  readonly forget: (path: string) => void;
  /** Rewrites addresses after faults changed that affect them. true if there were any. */
  readonly refresh: (send: ScenarioWorld['send']) => Promise<boolean>;
}

export function createStubConfigurations(
  stubRegistry: StubRegistry,
  stubs: Pick<StubServer, 'addressOf'>,
): StubConfigurations {
  /** With the scenario's own addresses. */
  const stored = new Map<string, JsonObject>();
  const state = (): string => JSON.stringify(stubRegistry.specs().map(({ name, faults, to }) => [name, faults, to]));
  let lastState = state();
  const writtenBy = (request: WorldRequest, path = request.path): JsonObject | undefined => {
    const current = stored.get(path);
    const isPatch = current !== undefined && request.method === 'PATCH';
    return (isPatch ? patchedConfiguration(current, request) : undefined) ?? configurationIn(request);
  };
  return {
    rewrite: async (request) => {
      const configuration = writtenBy(request);
      if (!configuration) return request;
      const body = await withStubAddresses(configuration, stubRegistry, stubs);
      if (configuration === configurationIn(request)) return { ...request, body };
      return { ...request, body: mergePatchTo(body), contentType: mergePatch };
    },
    recordWrite: (path, request, { body }) => {
      const configuration = writtenBy(request, path);
      if (configuration && isConfiguration(body)) stored.set(path, withAddressesOf(body, configuration));
    },
    forget: (path) => void stored.delete(path),
    refresh: async (send) => {
      const now = state();
      if (now === lastState) return false;
      lastState = now;
      for (const [path, configuration] of stored) {
        const { webhooks } = await withStubAddresses(configuration, stubRegistry, stubs);
        const body = asList(webhooks).map((webhook, index) => ({
          op: 'replace',
          path: `/webhooks/${index}/clientConfig`,
          value: asObject(asObject(webhook)['clientConfig']),
        }));
        await send({ method: 'PATCH', path, body, contentType: 'application/json-patch+json' });
      }
      return stored.size > 0;
    },
  };
}

/** The stored object with its defaults, and the scenario's addresses. */
function withAddressesOf(answered: JsonObject, configuration: JsonObject): JsonObject {
  const own = asList(configuration['webhooks']).map(asObject);
  const webhooks = asList(answered['webhooks']).map((entry, index) => {
    const webhook = asObject(entry);
    const named =
      own[index]?.['name'] === webhook['name'] ? own[index] : own.find(({ name }) => name === webhook['name']);
    return named?.['clientConfig'] === undefined ? webhook : { ...webhook, clientConfig: named['clientConfig'] };
  });
  return { ...answered, webhooks };
}

const mergePatch = 'application/merge-patch+json';

/** Replaces webhooks, labels and annotations. */
function mergePatchTo({ webhooks, metadata }: JsonObject): JsonObject {
  const { labels, annotations } = asObject(metadata);
  return { metadata: { labels: labels ?? null, annotations: annotations ?? null }, webhooks: webhooks ?? null };
}

const configurationIn = ({ body, method }: WorldRequest): JsonObject | undefined =>
  method !== 'DELETE' && isJsonObject(body) && isConfiguration(body) && nameOf(body) !== '' ? body : undefined;

/**
 * Applies a patch to the scenario's configuration, since the server has stub addresses. undefined for other patch types or a patch that
 * does not apply: the server responds with the error.
 */
function patchedConfiguration(configuration: JsonObject, { body, contentType }: WorldRequest): JsonObject | undefined {
  if (body === undefined) return undefined;
  if (contentType === 'application/json-patch+json') return asConfiguration(withJsonPatch(configuration, body));
  if (contentType !== 'application/merge-patch+json' || !isJsonObject(body)) return undefined;
  return asConfiguration(applyMergePatch(configuration, body));
}

function withJsonPatch(configuration: JsonObject, body: NonNullable<WorldRequest['body']>): JsonDocument | undefined {
  const decoded = decodePatch(writeJson(body));
  if (decoded.outcome !== 'decoded') return undefined;
  const outcome = applyJsonPatch(configuration, decoded.patch);
  return outcome.outcome === 'patched' ? outcome.document : undefined;
}

/** Through text: patches may contain numbers in their original spelling. */
function asConfiguration(document: JsonDocument | undefined): JsonObject | undefined {
  if (document === undefined) return undefined;
  const value: unknown = JSON.parse(writeJson(document));
  return isJsonObject(value) && isConfiguration(value) ? value : undefined;
}

/** Sets address and authority of the stub, or of the process in `to`; other webhooks stay unchanged. */
async function withStubAddresses(
  configuration: JsonObject,
  stubRegistry: StubRegistry,
  stubs: Pick<StubServer, 'addressOf'>,
): Promise<JsonObject> {
  const name = nameOf(configuration);
  const webhooks = await Promise.all(
    asList(configuration['webhooks']).map(async (entry) => {
      const webhook = asObject(entry);
      const spec = stubRegistry.find(asString(webhook['name']), name);
      if (!spec) return webhook;
      if (spec.to !== undefined)
        return { ...webhook, clientConfig: processAddress(asObject(webhook['clientConfig']), spec) };
      return { ...webhook, clientConfig: { ...(await stubs.addressOf(name, spec.name)) } };
    }),
  );
  return { ...configuration, webhooks };
}

/** The process uses TLS with the authority that the configuration trusts. */
function processAddress(clientConfig: JsonObject, { to = '' }: WebhookSpec): JsonObject {
  const { url, service, caBundle } = clientConfig;
  const path = asString(asObject(service)['path']) || pathOf(asString(url));
  return { url: urlOfTo(to, path), ...(caBundle === undefined ? {} : { caBundle }) };
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '');
