import { internalError, timeoutError } from '../../../machinery/meta/status.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { Codec } from '../../../api/codec/codec.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { CallLimits } from '../chain/chain.ts';
import type { AdmissionResult, WebhookOutcome } from '../chain/outcome.ts';
import type { ConditionRecord } from '../chain/skip-reason.ts';
import { createPassLog } from '../chain/pass-log.ts';
import type { PassLog } from '../chain/pass-log.ts';
import { askWebhook } from './ask.ts';
import type { AskPorts } from './ask.ts';
import { failedOpenAnnotation, ownAnnotations } from './audit-annotations.ts';
import type { Webhook } from './configuration.ts';
import { applyFailurePolicy, dryRunRefusal } from './failure-policy.ts';
import type { MatchedAs } from '../matching/match-equivalent.ts';
import { matchWebhook } from './match.ts';
import type { MatchPorts } from './match.ts';
import { denialStatus, unpatched } from './verdict.ts';
import { immutableViews } from '../matching/versions.ts';

export interface ValidatePorts extends MatchPorts, AskPorts {
  readonly codec: Codec;
}

/** A webhook that will be called. `index` counts the selected ones only (rule FAIL-11). */
interface Selected {
  readonly webhook: Webhook;
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
 * Selects, then calls all selected webhooks at once and waits for all; the first to finish with a refusal decides.
 * Follows apiserver pkg/admission/plugin/webhook/validating/dispatcher.go (rules VAL-1 to VAL-8).
 */
export async function validateWithWebhooks(
  webhooks: readonly Webhook[],
  request: AdmissionAttributes,
  limits: CallLimits,
  ports: ValidatePorts,
): Promise<AdmissionResult> {
  const log = createPassLog();
  const selection = await select(webhooks, request, ports, log);
  if (!Array.isArray(selection)) return log.result(selection, request.object);
  if (selection.length === 0) return log.result(undefined, request.object);
  if (limits.signal?.aborted === true || ports.clock.now() >= limits.deadline.at()) {
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

/** Those to call, in order; or the refusal of a selection that failed. The others are recorded with their reasons. */
async function select(
  webhooks: readonly Webhook[],
  request: AdmissionAttributes,
  ports: ValidatePorts,
  log: PassLog,
): Promise<Selected[] | Status> {
  const selected: Selected[] = [];
  const viewAs = immutableViews(request, ports.codec);
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

const recordOf = ({ configuration, name, definition }: Webhook, index: number) =>
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
  const answer = await askWebhook({ webhook, view, as, phase: 'validating', limits }, ports);
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
