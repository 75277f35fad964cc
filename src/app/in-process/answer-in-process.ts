import { withAssumedResponses, type AssumedResponse } from '../../apiserver/admission/webhooks/assumption.ts';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { createStubDialing, addressOfTo } from '../../testing/stubs/create-stub-registry.ts';
import { createStubCaller, type StubCallerPorts } from '../../testing/stubs/stub-caller.ts';
import type { Mapping } from '../../adapters/config/mapping.ts';
import { createMappings } from '../../adapters/webhook-client/mappings.ts';
import { createWebhookClient } from '../../adapters/webhook-client/webhook-client.ts';
import type { Time } from './time.ts';

/** Answers a world's calls to webhooks. */
export interface CallAnswerer {
  readonly call: CallWebhook;
  readonly close: () => Promise<void>;
}

export interface CallPorts extends Pick<Time, 'clock' | 'hold'> {
  /** Where Services and their endpoints are read. */
  readonly cluster: ClusterView;
  /** Where Services really listen. */
  readonly mappings: readonly Mapping[];
  /** What to take for the answers of those that nobody runs. */
  readonly assume?: readonly AssumedResponse[] | undefined;
}

/** The stubs of the registry answer in process; everybody else is called over the network. */
export function answerCalls(
  stubRegistry: StubCallerPorts['stubRegistry'],
  { clock, hold, cluster, mappings, assume = [] }: CallPorts,
): CallAnswerer {
  const detours = createStubDialing();
  const client = createWebhookClient({ cluster, mappings: createMappings(mappings), detour: detours.detour });
  const call = createStubCaller({
    stubRegistry,
    clock,
    hold,
    callProcess: (asked, to) => detours.send(client.call, asked, addressOfTo(to)),
    otherwise: withAssumedResponses(assume)(client.call),
  });
  return { call, close: client.close };
}
