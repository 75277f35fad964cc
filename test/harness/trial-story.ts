import { asObject, type JsonObject } from '../../src/machinery/json/json.ts';
import { rememberFactory, type ReviewFunction, type WebhookSpec } from '../../src/testing/stubs/webhook-spec.ts';
import type { Scenario } from '../../src/testing/scenario/format.ts';
import type { ReviewRequest, Respond } from './admission.ts';
import { configuration, manifest, scenarioOf, step } from './scenario.ts';

/** A mutating webhook for Pods: configuration, name, responses, fields of its entry. */
export type TrialHook = readonly [configuration: string, name: string, respond: Respond, fields?: JsonObject];

const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];

export const somePod = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', ...metadata },
  spec: { containers: [{ name: 'web', image: 'web:1' }], ...spec },
});

/** A scenario that creates Pods with these webhooks. */
export const trialStory = (
  hooks: readonly TrialHook[],
  pods: readonly JsonObject[] = [somePod()],
  more: Partial<Scenario> = {},
): Scenario =>
  scenarioOf({
    authorizationMode: 'AlwaysAllow',
    load: hooks.map(([name, webhook, , fields = {}]) =>
      manifest(configuration('Mutating', name, [{ name: webhook, rules, ...fields }])),
    ),
    webhooks: hooks.map(([name, webhook, respond]): WebhookSpec => ({
      name: webhook,
      configuration: name,
      does: [{ type: 'script', run: countCalls(respond) }],
      faults: [],
    })),
    steps: pods.map((object) =>
      step(
        { type: 'create', object },
        {},
        { name: `create ${String(asObject(object['metadata'])['name'] as string)}` },
      ),
    ),
    ...more,
  });

/** A script that counts its calls; every new one starts at 1. */
function countCalls(respond: Respond): ReviewFunction {
  let round = 0;
  const run: ReviewFunction = async (review) => {
    round += 1;
    return { allowed: true, ...(await respond(asObject(review['request']) as ReviewRequest, round, 10_000)) };
  };
  return rememberFactory(run, () => countCalls(respond));
}
