import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { AdmissionAttributes, Operation } from '../attributes.ts';
import type { ChainPlugin } from '../chain-plugin.ts';
import { isExemptFromWebhooks } from '../exempt.ts';
import type { AdmissionPhase, AdmissionResult, WebhookRecord } from '../outcome.ts';
import { createReinvocation } from '../reinvocation.ts';
import { collectWebhooks } from './collect.ts';
import type { Webhook } from './configuration.ts';
import { mutateWithWebhooks } from './mutate.ts';
import type { MutatePorts } from './mutate.ts';
import { validateWithWebhooks } from './validate.ts';

export interface WebhookPorts extends MutatePorts {
  /** The stored configurations as they are now: asked once per pass (rule ORD-9). */
  readonly mutatingConfigurations: () => readonly KubernetesObject[];
  readonly validatingConfigurations: () => readonly KubernetesObject[];
}

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** MutatingAdmissionWebhook. Follows apiserver pkg/admission/plugin/webhook/mutating/plugin.go. */
export const mutatingWebhookPlugin = (ports: WebhookPorts): ChainPlugin => ({
  name: 'MutatingAdmissionWebhook',
  operations,
  asksOthers: true,
  openMutation: () => {
    const reinvocation = createReinvocation();
    return async (request, limits, round) => {
      const webhooks = collectWebhooks(ports.mutatingConfigurations());
      if (webhooks.length === 0 || isExemptFromWebhooks(request)) {
        return uncalled(webhooks, request, { phase: 'mutating', round, at: ports.clock.now() });
      }
      const result = await mutateWithWebhooks(webhooks, { request, limits, round, reinvocation }, ports);
      return { ...result, wantsReinvocation: result.records.some(isChange) };
    };
  },
});

/** ValidatingAdmissionWebhook. Follows apiserver pkg/admission/plugin/webhook/validating/plugin.go. */
export const validatingWebhookPlugin = (ports: WebhookPorts): ChainPlugin => ({
  name: 'ValidatingAdmissionWebhook',
  operations,
  asksOthers: true,
  validate: async (request, limits) => {
    const webhooks = collectWebhooks(ports.validatingConfigurations());
    if (webhooks.length === 0 || isExemptFromWebhooks(request)) {
      return uncalled(webhooks, request, { phase: 'validating', round: 0, at: ports.clock.now() });
    }
    return validateWithWebhooks(webhooks, request, limits, ports);
  },
});

const isChange = (record: AdmissionResult['records'][number]): boolean =>
  record.type === 'webhook' && record.outcome.outcome === 'allowed' && record.outcome.changed;

const uncalled = (
  webhooks: readonly Webhook[],
  { object, kind }: AdmissionAttributes,
  { phase, round, at }: { readonly phase: AdmissionPhase; readonly round: 0 | 1; readonly at: number },
): AdmissionResult => ({
  verdict: { outcome: 'admitted', object },
  records: webhooks.map(({ configuration, name, definition }, index): WebhookRecord => ({
    type: 'webhook',
    phase,
    round,
    index,
    configuration,
    webhook: name,
    definition,
    outcome: { outcome: 'skipped', reason: { because: 'exempt', kind: kind.kind } },
    startedAt: at,
    finishedAt: at,
  })),
  warnings: [],
  annotations: [],
});
