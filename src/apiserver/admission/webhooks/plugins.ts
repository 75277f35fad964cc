import { metadataOf } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { nothing } from '../../../machinery/together.ts';
import type { AdmissionAttributes, Operation } from '../chain/attributes.ts';
import type { ChainPlugin } from '../chain/chain-plugin.ts';
import { isExemptFromWebhooks } from '../chain/exempt.ts';
import type { AdmissionResult, EmptyConfigurations, WebhookRecord } from '../chain/outcome.ts';
import type { AdmissionPhase } from '../chain/admission-phase.ts';
import type { StaticManifests } from '../configuration/manifests/static-manifests.ts';
import { untilOver } from '../matching/until-over.ts';
import { createReinvocation } from '../chain/reinvocation.ts';
import type { TrialTurns } from '../chain/trial-turns.ts';
import { collectWebhooks } from './collect.ts';
import type { Webhook } from './configuration.ts';
import { mutateWithWebhooks } from './mutate.ts';
import type { MutatePorts } from './mutate.ts';
import { validateWithWebhooks } from './validate.ts';

export interface WebhookPorts extends MutatePorts, TrialTurns {
  /** The stored configurations as they are now: asked once per pass (rule ORD-9). */
  readonly mutatingConfigurations: () => readonly KubernetesObject[];
  readonly validatingConfigurations: () => readonly KubernetesObject[];
  /** Those read from files, which come first. */
  readonly staticManifests: Pick<StaticManifests, 'configurations'>;
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
      const fixed = ports.staticManifests.configurations('MutatingAdmissionWebhook');
      const { asked: all, exempt } = share(fixed, ports.mutatingConfigurations(), request);
      const asked = inTrialOrder(all, ports.mutatingTurns?.());
      const place = { phase: 'mutating', round, first: asked.length, at: ports.clock.now() } as const;
      const unasked = uncalled(exempt, request, place);
      if (asked.length === 0) return withRecords(unasked, emptyOnes(ports.mutatingConfigurations(), exempt, place));
      const turn = { request, limits, round, reinvocation };
      const result = await mutateWithWebhooks(asked, turn, untilOver(ports, limits));
      return { ...withRecords(result, unasked.records), wantsReinvocation: result.records.some(isChange) };
    };
  },
});

function inTrialOrder(all: readonly Webhook[], turns: readonly string[] | undefined): readonly Webhook[] {
  if (turns === undefined) return all;
  const byName = new Map(all.map((webhook) => [`${webhook.configuration}/${webhook.name}`, webhook]));
  return turns.flatMap((name) => byName.get(name) ?? []);
}

/** ValidatingAdmissionWebhook. Follows apiserver pkg/admission/plugin/webhook/validating/plugin.go. */
export const validatingWebhookPlugin = (ports: WebhookPorts): ChainPlugin => ({
  name: 'ValidatingAdmissionWebhook',
  operations,
  asksOthers: true,
  validate: async (request, limits) => {
    const fixed = ports.staticManifests.configurations('ValidatingAdmissionWebhook');
    const { asked, exempt } = share(fixed, ports.validatingConfigurations(), request);
    const place = { phase: 'validating', round: 0, first: asked.length, at: ports.clock.now() } as const;
    const unasked = uncalled(exempt, request, place);
    if (asked.length === 0) return withRecords(unasked, emptyOnes(ports.validatingConfigurations(), exempt, place));
    const result = await validateWithWebhooks(asked, request, limits, untilOver(ports, limits));
    return withRecords(result, unasked.records);
  },
});

/** Who is asked about the request, and who must not be. Follows apiserver webhook/generic/webhook.go Dispatch (rule STA-7). */
function share(
  fixed: readonly KubernetesObject[],
  stored: readonly KubernetesObject[],
  request: AdmissionAttributes,
): { readonly asked: readonly Webhook[]; readonly exempt: readonly Webhook[] } {
  const [first, others] = [collectWebhooks(fixed), collectWebhooks(stored)];
  if (isExemptFromWebhooks(request)) return { asked: first, exempt: others };
  return { asked: first.length === 0 ? others : [...first, ...others], exempt: nothing };
}

/** The stored configurations, if none of them has a webhook. */
const emptyOnes = (
  stored: readonly KubernetesObject[],
  exempt: readonly Webhook[],
  { phase, round }: TurnStart,
): readonly EmptyConfigurations[] =>
  stored.length === 0 || exempt.length > 0
    ? nothing
    : [{ type: 'empty-configurations', phase, round, names: stored.map((one) => metadataOf(one).name ?? '') }];

const withRecords = (result: AdmissionResult, more: AdmissionResult['records']): AdmissionResult =>
  more.length === 0 ? result : { ...result, records: [...result.records, ...more] };

const isChange = (record: AdmissionResult['records'][number]): boolean =>
  record.type === 'webhook' && record.outcome.outcome === 'allowed' && record.outcome.changed;

interface TurnStart {
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  /** How many were there before them. */
  readonly first: number;
  readonly at: number;
}

const uncalled = (
  webhooks: readonly Webhook[],
  { object, kind }: AdmissionAttributes,
  { phase, round, first, at }: TurnStart,
): AdmissionResult => ({
  verdict: { outcome: 'admitted', object },
  records:
    webhooks.length === 0
      ? nothing
      : webhooks.map(({ configuration, name, definition }, index): WebhookRecord => ({
          type: 'webhook',
          phase,
          round,
          index: first + index,
          configuration,
          webhook: name,
          definition,
          outcome: { outcome: 'skipped', reason: { because: 'exempt', kind: kind.kind } },
          startedAt: at,
          finishedAt: at,
        })),
  warnings: nothing,
  annotations: nothing,
});
