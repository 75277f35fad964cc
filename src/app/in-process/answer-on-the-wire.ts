import { assuming } from '../../apiserver/admission/webhooks/assumption.ts';
import { createDetours, detourTo } from '../../testing/stubs/detours.ts';
import type { StubCertificates } from '../../testing/stubs/stub-certificates.ts';
import { startStubServer } from '../../testing/stubs/stub-server.ts';
import type { Switchboard } from '../../testing/stubs/switchboard.ts';
import { createWireCaller } from '../../testing/stubs/wire-caller.ts';
import { createMappings } from '../../adapters/webhook-client/mappings.ts';
import { createWebhookClient } from '../../adapters/webhook-client/webhook-client.ts';
import type { CallAnswerer, CallPorts } from './answer-in-process.ts';

/** Calls everybody over the network, the stubs of the switchboard too: they listen on loopback, behind TLS of their own. */
export function answerOverTheWire(
  switchboard: Switchboard,
  certificates: StubCertificates,
  { clock, hold, cluster, mappings, assume = [] }: CallPorts,
): CallAnswerer {
  const { detour, send } = createDetours();
  const client = createWebhookClient({ cluster, mappings: createMappings(mappings), detour });
  const server = startStubServer({ switchboard, certificates, clock });
  const call = createWireCaller({
    switchboard,
    clock,
    hold,
    server,
    sendTo: (asked, address) => send(client.call, asked, address),
    callProcess: (asked, to) => send(client.call, asked, detourTo(to)),
    otherwise: assuming(assume)(client.call),
  });
  const close = async (): Promise<void> => {
    await client.close();
    await server.close();
  };
  return { call, close };
}
