import type { Codec } from '../../../api/codec/codec.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { internalError, type Status, timeoutError } from '../../../machinery/meta/status.ts';
import { emptyList } from '../../../machinery/lists.ts';
import type { AdmissionAttributes, AdmissionPhase, Operation, TrialOrder } from '../chain/attributes.ts';
import type { CallLimits, ChainPlugin } from '../chain/create-chain.ts';
import { type Exemption, webhookExemption } from '../chain/exempt.ts';
import type { AdmissionResult, EmptyConfigurations, WebhookOutcome, WebhookRecord } from '../chain/outcome.ts';
import { createPassLog, type PassLog } from '../chain/pass-log.ts';
import { createReinvocation } from '../chain/reinvocation.ts';
import type { ConditionRecord } from '../chain/skip-reason.ts';
import type { StaticManifests } from '../configuration/manifests/static-manifests.ts';
import type { MatchedAs } from '../matching/match-rules.ts';
import { withRequestContext } from '../matching/request-context.ts';
import { createImmutableViews } from '../matching/versions.ts';
import { type WebhookCallPorts, callAndDecode } from './call-and-decode.ts';
import { failedOpenAnnotation, ownAnnotations } from './audit-annotations.ts';
import { type AdmissionWebhook, collectWebhooks } from './read-webhooks.ts';
import { applyFailurePolicy, dryRunRefusal } from './failure-policy.ts';
import { type MatchPorts, matchWebhook } from './match.ts';
import { type MutatePorts, mutateWithWebhooks } from './mutate.ts';
import { denialStatus, unpatched } from './verdict.ts';

export interface WebhookPluginPorts extends MutatePorts, TrialOrder {
  /** Read once per pass (rule ORD-9). */
  readonly mutatingConfigurations: () => readonly KubernetesObject[];
  readonly validatingConfigurations: () => readonly KubernetesObject[];
  /** From files; these run first. */
  readonly staticManifests: Pick<StaticManifests, 'configurations'>;
  /** Webhooks see no reviews: feature gate ExcludeAdmissionWebhookVirtualResources. */
  readonly excludesReviews: boolean;
}

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Follows apiserver pkg/admission/plugin/webhook/mutating/plugin.go. */
export const mutatingWebhookPlugin = (ports: WebhookPluginPorts): ChainPlugin => ({
  name: 'MutatingAdmissionWebhook',
  operations,
  callsOut: true,
  createMutation: () => {
    const reinvocation = createReinvocation();
    return async (request, limits, round) => {
      const fixed = ports.staticManifests.configurations('MutatingAdmissionWebhook');
      const exemption = webhookExemption(request, ports.excludesReviews);
      const { webhooks: all, exempt } = splitByExemption(fixed, ports.mutatingConfigurations(), exemption);
      const webhooks = inTrialOrder(all, ports.mutatingOrder?.());
      const passStart = { phase: 'mutating', round, first: webhooks.length, at: ports.clock.now() } as const;
      const exempted = exemptRecords(exempt, request, passStart);
      if (webhooks.length === 0)
        return withRecords(exempted, emptyConfigurations(ports.mutatingConfigurations(), exempt, passStart));
      const pass = { request, limits, round, reinvocation };
      const result = await mutateWithWebhooks(webhooks, pass, withRequestContext(ports, limits));
      return { ...withRecords(result, exempted.records), wantsReinvocation: result.records.some(isChange) };
    };
  },
});

function inTrialOrder(
  all: readonly AdmissionWebhook[],
  order: readonly string[] | undefined,
): readonly AdmissionWebhook[] {
  if (order === undefined) return all;
  const byName = new Map(all.map((webhook) => [`${webhook.configuration}/${webhook.name}`, webhook]));
  return order.flatMap((name) => byName.get(name) ?? []);
}

export const validatingWebhookPlugin = (ports: WebhookPluginPorts): ChainPlugin => ({
  name: 'ValidatingAdmissionWebhook',
  operations,
  callsOut: true,
  validate: async (request, limits) => {
    const fixed = ports.staticManifests.configurations('ValidatingAdmissionWebhook');
    const exemption = webhookExemption(request, ports.excludesReviews);
    const { webhooks, exempt } = splitByExemption(fixed, ports.validatingConfigurations(), exemption);
    const passStart = { phase: 'validating', round: 0, first: webhooks.length, at: ports.clock.now() } as const;
    const exempted = exemptRecords(exempt, request, passStart);
    if (webhooks.length === 0)
      return withRecords(exempted, emptyConfigurations(ports.validatingConfigurations(), exempt, passStart));
    const result = await validateWithWebhooks(webhooks, request, limits, withRequestContext(ports, limits));
    return withRecords(result, exempted.records);
  },
});

/** Splits webhooks by exemption. Follows apiserver webhook/generic/webhook.go Dispatch (rule STA-7). */
function splitByExemption(
  fixed: readonly KubernetesObject[],
  stored: readonly KubernetesObject[],
  exemption: Exemption,
): { readonly webhooks: readonly AdmissionWebhook[]; readonly exempt: readonly AdmissionWebhook[] } {
  const [first, others] = [collectWebhooks(fixed), collectWebhooks(stored)];
  if (exemption === 'from-api') return { webhooks: first, exempt: others };
  const all = first.length === 0 ? others : [...first, ...others];
  return exemption === 'none' ? { webhooks: all, exempt: emptyList } : { webhooks: emptyList, exempt: all };
}

const emptyConfigurations = (
  stored: readonly KubernetesObject[],
  exempt: readonly AdmissionWebhook[],
  { phase, round }: PassStart,
): readonly EmptyConfigurations[] =>
  stored.length === 0 || exempt.length > 0
    ? emptyList
    : [{ type: 'empty-configurations', phase, round, names: stored.map((one) => metadataOf(one).name ?? '') }];

const withRecords = (result: AdmissionResult, more: AdmissionResult['records']): AdmissionResult =>
  more.length === 0 ? result : { ...result, records: [...result.records, ...more] };

const isChange = (record: AdmissionResult['records'][number]): boolean =>
  record.type === 'webhook' && record.outcome.outcome === 'allowed' && record.outcome.changed;

interface PassStart {
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
  readonly first: number;
  readonly at: number;
}

const exemptRecords = (
  webhooks: readonly AdmissionWebhook[],
  { object, kind }: AdmissionAttributes,
  { phase, round, first, at }: PassStart,
): AdmissionResult => ({
  verdict: { outcome: 'admitted', object },
  records:
    webhooks.length === 0
      ? emptyList
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
  warnings: emptyList,
  annotations: emptyList,
});

interface ValidatePorts extends MatchPorts, WebhookCallPorts {
  readonly codec: Codec;
}

interface Selected {
  readonly webhook: AdmissionWebhook;
  readonly index: number;
  readonly as: MatchedAs;
  readonly view: AdmissionAttributes;
  readonly conditions: readonly ConditionRecord[] | undefined;
}

interface FinishedCall {
  readonly selected: Selected;
  readonly outcome: WebhookOutcome;
  readonly startedAt: number;
  readonly finishedAt: number;
}

/**
 * Selects, then calls all selected webhooks concurrently; the first to finish with a refusal decides. Follows
 * apiserver pkg/admission/plugin/webhook/validating/dispatcher.go (rules VAL-1 to VAL-8).
 */
async function validateWithWebhooks(
  webhooks: readonly AdmissionWebhook[],
  request: AdmissionAttributes,
  limits: CallLimits,
  ports: ValidatePorts,
): Promise<AdmissionResult> {
  const log = createPassLog();
  const selection = await select(webhooks, request, ports, log);
  if (!Array.isArray(selection)) return log.result(selection, request.object);
  if (selection.length === 0) return log.result(undefined, request.object);
  if (limits.signal?.().aborted === true || ports.clock.now() >= limits.deadline.at()) {
    return log.result(timeoutError('request did not complete within requested timeout'), request.object);
  }
  const finished: FinishedCall[] = [];
  await Promise.all(
    selection.map(async (selected) => {
      finished.push(await callSelected(selected, limits, ports));
    }),
  );
  for (const call of finished) recordCall(log, call);
  const refusals = finished.map(({ outcome }) => ('status' in outcome ? outcome.status : undefined));
  return log.result(
    refusals.find((status) => status !== undefined),
    request.object,
  );
}

/** The webhooks to call, or the refusal of a failed selection; records the others. */
async function select(
  webhooks: readonly AdmissionWebhook[],
  request: AdmissionAttributes,
  ports: ValidatePorts,
  log: PassLog,
): Promise<Selected[] | Status> {
  const selected: Selected[] = [];
  const viewAs = createImmutableViews(request, ports.codec);
  for (const webhook of webhooks) {
    await ports.yieldIfLong();
    const startedAt = ports.clock.now();
    const index = selected.length;
    const outcome = await matchWebhook(webhook, request, viewAs, ports);
    const { conditions } = outcome;
    if (outcome.outcome === 'matched') {
      const viewed = await viewAs(outcome.as.kind);
      if (viewed.outcome === 'inconvertible') return internalError(viewed.error);
      selected.push({ webhook, index, as: outcome.as, view: viewed.view, conditions });
    } else {
      log.record({ ...recordOf(webhook, index), outcome, conditions, startedAt, finishedAt: ports.clock.now() });
      if (outcome.outcome === 'refused') return outcome.status;
    }
  }
  return selected;
}

const recordOf = ({ configuration, name, definition }: AdmissionWebhook, index: number) =>
  ({ type: 'webhook', phase: 'validating', round: 0, index, configuration, webhook: name, definition }) as const;

async function callSelected(selected: Selected, limits: CallLimits, ports: ValidatePorts): Promise<FinishedCall> {
  const startedAt = ports.clock.now();
  const outcome = await outcomeOf(selected, limits, ports);
  return { selected, outcome, startedAt, finishedAt: ports.clock.now() };
}

async function outcomeOf(
  { webhook, as, view }: Selected,
  limits: CallLimits,
  ports: ValidatePorts,
): Promise<WebhookOutcome> {
  const answer = await callAndDecode({ webhook, view, as, phase: 'validating', limits }, ports);
  const { called } = answer;
  switch (answer.outcome) {
    case 'failed':
      return applyFailurePolicy(webhook, answer.failure, called);
    case 'refused':
      return dryRunRefusal(called, answer.status);
    case 'answered': {
      const { verdict } = answer;
      if (!verdict.allowed) return { ...called, outcome: 'denied', status: denialStatus(webhook.name, verdict.status) };
      return { ...called, ...unpatched, outcome: 'allowed', after: view.object };
    }
  }
}

/** In order of completion (rule VAL-6). */
function recordCall(log: PassLog, { selected, outcome, startedAt, finishedAt }: FinishedCall): void {
  const { webhook, index, conditions } = selected;
  log.record({ ...recordOf(webhook, index), outcome, conditions, startedAt, finishedAt });
  if (outcome.outcome === 'skipped' || outcome.outcome === 'refused') return;
  log.warn(outcome.warnings);
  log.annotate(ownAnnotations(webhook, outcome.auditAnnotations));
  if (outcome.outcome === 'failed-open' && outcome.phase !== 'canceled') {
    log.annotate([failedOpenAnnotation({ webhook, round: 0, index }, 'validating')]);
  }
}
