import type { Mapping } from '../../adapters/config/mapping.ts';
import { createMappings } from '../../adapters/webhook-client/mappings.ts';
import { createWebhookClient } from '../../adapters/webhook-client/webhook-client.ts';
import { type AssumedResponse, withAssumedResponses } from '../../apiserver/admission/webhooks/assumption.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { createStubCaller, createStubDialing, type StubCallerPorts } from '../../testing/stubs/stub-caller.ts';
import type { CallAnswerer } from './open-world.ts';
import type { Time } from './time.ts';

export interface CallPorts extends Pick<Time, 'clock' | 'hold'> {
  readonly cluster: ClusterView;
  readonly mappings: readonly Mapping[];
  /** Assumed responses of webhooks that do not run. */
  readonly assume?: readonly AssumedResponse[] | undefined;
}

/** Stubs respond in process; other webhooks are called over the network. */
export function answerCalls(
  stubRegistry: StubCallerPorts['stubRegistry'],
  { clock, hold, cluster, mappings, assume = [] }: CallPorts,
): CallAnswerer {
  const dialOverrides = createStubDialing();
  const client = createWebhookClient({
    cluster,
    mappings: createMappings(mappings),
    dialOverride: dialOverrides.dialOverride,
  });
  const call = createStubCaller({
    stubRegistry,
    clock,
    hold,
    callProcess: (call, to) => dialOverrides.sendTo(client.call, call, to),
    otherwise: withAssumedResponses(assume)(client.call),
  });
  return { call, close: client.close };
}
