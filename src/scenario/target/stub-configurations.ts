import { asList, asObject, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import type { StubServer } from '../../faults/stub-server.ts';
import type { Switchboard } from '../../faults/switchboard.ts';
import { isConfiguration, nameOf } from '../known-webhooks.ts';
import type { World, WorldRequest } from '../world.ts';
import { withStubAddresses } from './stub-addresses.ts';

/** The webhook configurations that a scenario has written to a server, and the addresses in them. */
export interface StubConfigurations {
  /** The request with the addresses of the stubs, if it writes a configuration. */
  readonly rewritten: (request: WorldRequest) => Promise<WorldRequest>;
  /** Remembers what was written, by the path of the object. */
  readonly written: (path: string, request: WorldRequest) => void;
  readonly forget: (path: string) => void;
  /** Writes the addresses anew where faults that decide about them have changed. Says whether there were any. */
  readonly refresh: (send: World['send']) => Promise<boolean>;
}

export function createStubConfigurations(
  switchboard: Switchboard,
  stubs: Pick<StubServer, 'addressOf'>,
): StubConfigurations {
  const stored = new Map<string, JsonObject>();
  const state = (): string => JSON.stringify(switchboard.specs().map(({ name, faults, to }) => [name, faults, to]));
  let seen = state();
  return {
    rewritten: async (request) => {
      const body = configurationIn(request);
      return body ? { ...request, body: await withStubAddresses(body, switchboard, stubs) } : request;
    },
    written: (path, request) => {
      const body = configurationIn(request);
      if (body) stored.set(path, body);
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

const configurationIn = ({ body, method }: WorldRequest): JsonObject | undefined =>
  method !== 'DELETE' && isJsonObject(body) && isConfiguration(body) && nameOf(body) !== '' ? body : undefined;
