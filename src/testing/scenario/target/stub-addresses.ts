import { trimRight } from '../../../machinery/go/trim.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { StubServer } from '../../stubs/stub-server.ts';
import type { Switchboard } from '../../stubs/switchboard.ts';
import type { WebhookSpec } from '../../stubs/webhook-spec.ts';
import { nameOf } from '../known-webhooks.ts';

/**
 * A webhook configuration for a server elsewhere: the webhooks of the scenario get the address and the authority of their
 * stubs, or of the process that `to` names; others are left as they are.
 */
export async function withStubAddresses(
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
