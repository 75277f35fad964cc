import { trimRight } from '../../../machinery/go/trim.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonDocument, JsonObject } from '../../../machinery/json/json.ts';
import { decodePatch } from '../../../machinery/patch/json-patch-decode.ts';
import { applyJsonPatch } from '../../../machinery/patch/json-patch.ts';
import { applyMergePatch } from '../../../machinery/patch/merge-patch.ts';
import type { StubServer } from '../../stubs/stub-server.ts';
import type { Switchboard } from '../../stubs/switchboard.ts';
import type { WebhookSpec } from '../../stubs/webhook-spec.ts';
import { isConfiguration, nameOf } from '../known-webhooks.ts';
import type { World, WorldAnswer, WorldRequest } from '../world.ts';

/** The webhook configurations that a scenario has written to a server, and the addresses in them. */
export interface StubConfigurations {
  /** The request with the addresses of the stubs, if it writes a configuration. */
  readonly rewritten: (request: WorldRequest) => Promise<WorldRequest>;
  /** Remembers what was written, by the path of the object, as the server answered it. */
  readonly written: (path: string, request: WorldRequest, answer: WorldAnswer) => void;
  readonly forget: (path: string) => void;
  /** Writes the addresses anew where faults that decide about them have changed. Says whether there were any. */
  readonly refresh: (send: World['send']) => Promise<boolean>;
}

export function createStubConfigurations(
  switchboard: Switchboard,
  stubs: Pick<StubServer, 'addressOf'>,
): StubConfigurations {
  /** As the scenario knows them. */
  const stored = new Map<string, JsonObject>();
  const state = (): string => JSON.stringify(switchboard.specs().map(({ name, faults, to }) => [name, faults, to]));
  let seen = state();
  const writtenBy = (request: WorldRequest, path = request.path): JsonObject | undefined => {
    const current = stored.get(path);
    const isPatch = current !== undefined && request.method === 'PATCH';
    return (isPatch ? patchedConfiguration(current, request) : undefined) ?? configurationIn(request);
  };
  return {
    rewritten: async (request) => {
      const configuration = writtenBy(request);
      if (!configuration) return request;
      const body = await withStubAddresses(configuration, switchboard, stubs);
      if (configuration === configurationIn(request)) return { ...request, body };
      return { ...request, body: mergePatchTo(body), contentType: mergePatch };
    },
    written: (path, request, { body }) => {
      const configuration = writtenBy(request, path);
      if (configuration && isConfiguration(body)) stored.set(path, withAddressesOf(body, configuration));
    },
    forget: (path) => void stored.delete(path),
    refresh: async (send) => {
      const now = state();
      if (now === seen) return false;
      seen = now;
      for (const [path, configuration] of stored) {
        const { webhooks } = await withStubAddresses(configuration, switchboard, stubs);
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

/** What the server has stored, with its defaults, and the addresses that the scenario wrote. */
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

/** A patch that leads to this configuration: its webhooks as a whole, and its labels and annotations. */
function mergePatchTo({ webhooks, metadata }: JsonObject): JsonObject {
  const { labels, annotations } = asObject(metadata);
  return { metadata: { labels: labels ?? null, annotations: annotations ?? null }, webhooks: webhooks ?? null };
}

const configurationIn = ({ body, method }: WorldRequest): JsonObject | undefined =>
  method !== 'DELETE' && isJsonObject(body) && isConfiguration(body) && nameOf(body) !== '' ? body : undefined;

/**
 * What a patch makes of a webhook configuration, as the scenario knows it: on the server its addresses are those of
 * stubs. Undefined for another kind of patch, or one that does not apply: the server will say so itself.
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

/** Through text: a patch may hold numbers in a spelling of their own. */
function asConfiguration(document: JsonDocument | undefined): JsonObject | undefined {
  if (document === undefined) return undefined;
  const value: unknown = JSON.parse(writeJson(document));
  return isJsonObject(value) && isConfiguration(value) ? value : undefined;
}

/**
 * A webhook configuration for a server elsewhere: the webhooks of the scenario get the address and the authority of their
 * stubs, or of the process that `to` names; others are left as they are.
 */
async function withStubAddresses(
  configuration: JsonObject,
  switchboard: Switchboard,
  stubs: Pick<StubServer, 'addressOf'>,
): Promise<JsonObject> {
  const name = nameOf(configuration);
  const webhooks = await Promise.all(
    asList(configuration['webhooks']).map(async (entry) => {
      const webhook = asObject(entry);
      const spec = switchboard.find(asString(webhook['name']), name);
      if (!spec) return webhook;
      if (spec.to !== undefined)
        return { ...webhook, clientConfig: processAddress(asObject(webhook['clientConfig']), spec) };
      return { ...webhook, clientConfig: { ...(await stubs.addressOf(name, spec.name)) } };
    }),
  );
  return { ...configuration, webhooks };
}

/** A process that speaks TLS under the authority that the configuration trusts anyway. */
function processAddress(clientConfig: JsonObject, { to = '' }: WebhookSpec): JsonObject {
  const { url, service, caBundle } = clientConfig;
  const path = asString(asObject(service)['path']) || pathOf(asString(url));
  const address = `${trimRight(to, '/')}${path}`;
  return { url: address, ...(caBundle === undefined ? {} : { caBundle }) };
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '');
