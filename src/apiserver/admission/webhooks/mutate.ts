import type { GroupVersionKind } from '../../../machinery/meta/gvk.ts';
import { plainValue } from '../../../machinery/json/json-reader.ts';
import { asObject, type JsonDocument } from '../../../machinery/json/json.ts';
import { plainError, type Status, timeoutError } from '../../../machinery/meta/status.ts';
import { type AdmissionAttributes, isCustom } from '../chain/attributes.ts';
import type { YieldIfLong } from '../../../machinery/clock.ts';
import type { CallLimits } from '../chain/create-chain.ts';
import { createPassLog } from '../chain/pass-log.ts';
import type { AdmissionResult, AuditAnnotation, Called, WebhookOutcome } from '../chain/outcome.ts';
import type { ConditionRecord } from '../chain/skip-reason.ts';
import type { Reinvocation } from '../chain/reinvocation.ts';
import { applyWebhookPatch, type PatchPorts } from './apply-patch.ts';
import { type CallOutcome, type WebhookCallPorts, callAndDecode } from './call-and-decode.ts';
import { failedOpenAnnotation, mutationAnnotation, ownAnnotations, patchAnnotation } from './audit-annotations.ts';
import type { AdmissionWebhook } from './read-webhooks.ts';
import { convertCurrent, type CurrentObject, currentObjectOf, writeBack } from './current-object.ts';
import { applyFailurePolicy, dryRunRefusal, failedCalling } from './failure-policy.ts';
import { conversionFailure, type MatchPorts, matchWebhook } from './match.ts';
import { hasSubSecondManagedFieldsTime } from '../chain/managed-fields-times.ts';
import { denialStatus, unpatched, type WebhookVerdict } from './verdict.ts';
import { printView, type ViewOutcome } from '../matching/versions.ts';

export interface MutatePorts extends MatchPorts, PatchPorts, WebhookCallPorts {
  readonly yieldIfLong: YieldIfLong;
}

export interface MutatingRound {
  readonly request: AdmissionAttributes;
  readonly limits: CallLimits;
  readonly round: 0 | 1;
  readonly reinvocation: Reinvocation;
}

interface DispatchResult {
  readonly outcome: WebhookOutcome;
  readonly conditions?: readonly ConditionRecord[] | undefined;
  readonly current: CurrentObject;
  readonly operations?: readonly JsonDocument[];
}

/**
 * Each webhook sees the defaulted result of earlier ones; the first refusal ends the loop. Follows apiserver
 * pkg/admission/plugin/webhook/mutating/dispatcher.go (rules MUT-1 to MUT-5).
 */
export async function mutateWithWebhooks(
  webhooks: readonly AdmissionWebhook[],
  round: MutatingRound,
  ports: MutatePorts,
): Promise<AdmissionResult> {
  const log = createPassLog();
  let current = currentObjectOf(round.request);
  round.reinvocation.startRound(round.round, round.request.object);
  const finish = async (refusal: Status | undefined): Promise<AdmissionResult> => {
    const written = await writeBack(current, round.request, ports);
    const object = written.outcome === 'converted' ? written.base : null;
    round.reinvocation.finishRound(object);
    return log.result(refusal ?? (written.outcome === 'converted' ? undefined : plainError(written.error)), object);
  };
  for (const [index, webhook] of webhooks.entries()) {
    await ports.yieldIfLong();
    const startedAt = ports.clock.now();
    const result = await dispatchOne(webhook, current, round, ports);
    current = result.current;
    const invocation = { webhook, round: round.round, index, startedAt, finishedAt: ports.clock.now() };
    log.record(recordOf(result, invocation));
    const { outcome } = result;
    if (wasCalled(outcome)) {
      log.warn(outcome.warnings);
      log.annotate(annotationsOf(outcome, result.operations, invocation));
      round.reinvocation.afterCall(webhook, isChange(outcome));
    }
    const refusal = refusalOf(outcome) ?? deadlineRefusal(outcome, round.limits, ports);
    if (refusal) return finish(refusal);
  }
  return finish(undefined);
}

async function dispatchOne(
  webhook: AdmissionWebhook,
  current: CurrentObject,
  round: MutatingRound,
  ports: MutatePorts,
): Promise<DispatchResult> {
  // Matching converts the object as needed; the webhook continues with the converted one.
  let at = current;
  const viewAs = async (kind: GroupVersionKind): Promise<ViewOutcome> => {
    const { viewed, current: converted } = await convertCurrent(at, kind, round.request, ports);
    if (viewed.outcome === 'inconvertible') return viewed;
    at = converted;
    return { outcome: 'converted', view: printView(viewed.view, ports.codec) };
  };
  const match = await matchWebhook(webhook, current.view, viewAs, ports);
  const { conditions } = match;
  if (match.outcome !== 'matched') return { outcome: match, current: at, conditions };
  const detail = round.reinvocation.reasonNotToReinvoke(webhook);
  if (detail) {
    return { outcome: { outcome: 'skipped', reason: { because: 'not-reinvoked', detail } }, current: at, conditions };
  }
  const viewed = await viewAs(match.as.kind);
  if (viewed.outcome === 'inconvertible') {
    return { outcome: { outcome: 'refused', status: conversionFailure(viewed.error) }, current: at };
  }
  const call = { webhook, view: viewed.view, as: match.as, phase: 'mutating', limits: round.limits } as const;
  const answer = await callAndDecode(call, ports);
  return { ...applyOutcome(answer, webhook, at, { round, ports }), conditions };
}

function applyOutcome(
  answer: CallOutcome,
  webhook: AdmissionWebhook,
  current: CurrentObject,
  { round, ports }: { readonly round: MutatingRound; readonly ports: MutatePorts },
): DispatchResult {
  const { called } = answer;
  switch (answer.outcome) {
    case 'failed':
      return { outcome: applyFailurePolicy(webhook, answer.failure, called), current };
    case 'refused':
      return { outcome: dryRunRefusal(called, answer.status), current };
    case 'answered':
      if (answer.verdict.allowed) return applyPatch(webhook, current, answer, { round, ports });
      return {
        outcome: { ...called, outcome: 'denied', status: denialStatus(webhook.name, answer.verdict.status) },
        current,
      };
  }
}

function applyPatch(
  webhook: AdmissionWebhook,
  current: CurrentObject,
  { called, verdict }: { readonly called: Called; readonly verdict: WebhookVerdict },
  { round, ports }: { readonly round: MutatingRound; readonly ports: MutatePorts },
): DispatchResult {
  const { view, kind, patched } = current;
  const { codec = ports.codec } = view;
  const patchPorts = { catalogue: ports.catalogue, codec };
  const patchable = { view: printView(view, codec), kind };
  const result = applyWebhookPatch(webhook.name, verdict, patchable, patchPorts);
  switch (result.outcome) {
    case 'no-patch': {
      return { outcome: { ...called, ...unpatched, outcome: 'allowed', after: view.object }, current };
    }
    case 'failed':
      return { outcome: applyFailurePolicy(webhook, result.failure, called), current };
    case 'refused': {
      const { error: detail, cause, status } = result;
      const error = failedCalling(webhook.name, detail);
      const failure = { phase: 'patch', error, detail, cause, byPolicy: false, status } as const;
      return { outcome: { ...called, ...failure, outcome: 'failed-closed' }, current };
    }
    case 'patched': {
      const { object, operations } = result;
      // As upstream counts changes: the first patch of a built-in object may count without changing it.
      const isFirst = round.round === 0 && !patched && !isCustom(view);
      const changed = result.changed || (isFirst && hasSubSecondManagedFieldsTime(round.request));
      const patch = operations.map((one) => asObject(plainValue(one)));
      const next = { ...current, view: { ...view, object }, dirty: true, patched: true };
      const effect = { patch, changed, hasEffect: result.changed, after: object };
      return { outcome: { ...called, ...effect, outcome: 'allowed' }, current: next, operations };
    }
  }
}

type CalledOutcome = Extract<WebhookOutcome, Called>;

const wasCalled = (outcome: WebhookOutcome): outcome is CalledOutcome =>
  outcome.outcome !== 'skipped' && outcome.outcome !== 'refused';

const isChange = (outcome: WebhookOutcome): boolean => outcome.outcome === 'allowed' && outcome.changed;

const refusalOf = (outcome: WebhookOutcome): Status | undefined => ('status' in outcome ? outcome.status : undefined);

/** After an ignored failure the loop ends if the request's time is over (rule FAIL-13). */
function deadlineRefusal(
  { outcome }: WebhookOutcome,
  { deadline, signal }: CallLimits,
  { clock }: MutatePorts,
): Status | undefined {
  // Timers may fire up to a millisecond early.
  const isPastDeadline = signal?.().aborted === true || clock.now() >= deadline.at() - 1;
  return outcome === 'failed-open' && isPastDeadline
    ? timeoutError('request did not complete within requested timeout')
    : undefined;
}

interface Invocation {
  readonly webhook: AdmissionWebhook;
  readonly round: 0 | 1;
  readonly index: number;
  readonly startedAt: number;
  readonly finishedAt: number;
}

const recordOf = (
  { outcome, conditions }: DispatchResult,
  { webhook, round, index, startedAt, finishedAt }: Invocation,
) =>
  ({
    type: 'webhook',
    phase: 'mutating',
    round,
    index,
    configuration: webhook.configuration,
    webhook: webhook.name,
    definition: webhook.definition,
    outcome,
    conditions,
    startedAt,
    finishedAt,
  }) as const;

const annotationsOf = (
  outcome: CalledOutcome,
  operations: readonly JsonDocument[] | undefined,
  invocation: Invocation,
): readonly AuditAnnotation[] => [
  ...ownAnnotations(invocation.webhook, outcome.auditAnnotations),
  ...(operations ? [patchAnnotation(invocation, operations)] : []),
  mutationAnnotation(invocation, isChange(outcome)),
  ...(outcome.outcome === 'failed-open' && outcome.phase !== 'canceled'
    ? [failedOpenAnnotation(invocation, 'mutation')]
    : []),
];
