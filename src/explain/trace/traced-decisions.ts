import type {
  Evaluated,
  PolicyOutcome,
  PolicyRecord,
  WebhookOutcome,
  WebhookRecord,
} from '../../apiserver/admission/chain/outcome.ts';
import { withoutBundle } from './conversions.ts';
import { patchBetween } from './object-states.ts';
import type { TracedPolicy, TracedWebhook } from './trace.ts';

export function tracedWebhook(record: WebhookRecord): TracedWebhook {
  const { configuration, webhook: name, phase, round, index, startedAt, outcome, conditions } = record;
  const milliseconds = record.finishedAt - startedAt;
  const definition = withoutBundle(record.definition);
  const about = { type: 'webhook', configuration, name, phase, round, index, definition } as const;
  return {
    ...about,
    startedAt,
    milliseconds,
    ...webhookDetails(outcome),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

type WebhookDetails = Omit<
  TracedWebhook,
  'type' | 'configuration' | 'name' | 'phase' | 'round' | 'index' | 'definition' | 'startedAt' | 'milliseconds'
>;

function webhookDetails(outcome: WebhookOutcome): WebhookDetails {
  switch (outcome.outcome) {
    case 'skipped':
      return { outcome: 'skipped', reason: outcome.reason };
    case 'refused':
      return { outcome: 'refused', status: outcome.status };
    case 'allowed': {
      const { changed, hasEffect } = outcome;
      const patch = outcome.patch === null ? {} : { patch: outcome.patch, changed };
      return { outcome: 'called', ...callDetails(outcome), ...patch, ...(changed && !hasEffect ? { hasEffect } : {}) };
    }
    case 'denied':
      return { outcome: 'denied', ...callDetails(outcome), status: outcome.status };
    case 'failed-open':
      return { outcome: 'failed-open', ...callDetails(outcome), ...failureDetails(outcome) };
    case 'failed-closed':
      return { outcome: 'failed-closed', ...callDetails(outcome), ...failureDetails(outcome), status: outcome.status };
  }
}

type FailedOutcome = Extract<WebhookOutcome, { readonly outcome: 'failed-open' | 'failed-closed' }>;

const failureDetails = ({
  phase,
  error,
  detail,
  cause,
  certificate,
}: FailedOutcome): Omit<WebhookDetails, 'outcome'> => ({
  failurePhase: phase,
  error,
  failureDetail: detail,
  ...(cause ? { failureCause: cause } : {}),
  ...(certificate ? { certificate } : {}),
});

type CalledOutcome = Exclude<WebhookOutcome, { readonly outcome: 'skipped' | 'refused' }>;

function callDetails(outcome: CalledOutcome): Omit<WebhookDetails, 'outcome'> {
  const { matched, request, response, warnings, auditAnnotations, timeoutMs } = outcome;
  const { url, program, trustedAsMapped, exchanges, holds, assumed } = outcome;
  return {
    matched: { kind: { ...matched.kind }, resource: { ...matched.resource }, rule: matched.rule },
    ...(timeoutMs === undefined ? {} : { timeoutMilliseconds: timeoutMs }),
    ...(url === undefined ? {} : { url }),
    ...(program === undefined ? {} : { program }),
    ...(trustedAsMapped === undefined ? {} : { trustedAsMapped }),
    ...(exchanges === undefined ? {} : { exchanges }),
    ...(holds === undefined ? {} : { holds }),
    ...(assumed === undefined ? {} : { assumed }),
    review: request,
    ...(response === undefined ? {} : { answer: response }),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(Object.keys(auditAnnotations).length > 0 ? { auditAnnotations } : {}),
  };
}

export function tracedPolicy(record: PolicyRecord): TracedPolicy {
  const { policy: name, binding, params, phase, round, definition, bound, outcome, conditions, startedAt } = record;
  const { variables = [], missingParams, typeWarnings = [] } = record;
  return {
    type: 'policy',
    name,
    ...(binding === null ? {} : { binding }),
    ...(params === null ? {} : { params }),
    phase,
    round,
    definition,
    ...(bound === null ? {} : { bound }),
    startedAt,
    milliseconds: record.finishedAt - startedAt,
    ...policyDetails(outcome),
    ...(missingParams === undefined ? {} : { missingParams }),
    ...(typeWarnings.length === 0 ? {} : { typeWarnings }),
    ...(conditions === undefined || conditions.length === 0 ? {} : { conditions }),
    ...(variables.length === 0 ? {} : { variables }),
  };
}

type PolicyDetails = Pick<TracedPolicy, 'outcome' | 'reason' | 'error' | 'status'> & Partial<TracedPolicy>;

function policyDetails(outcome: PolicyOutcome): PolicyDetails {
  switch (outcome.outcome) {
    case 'skipped':
      return { outcome: 'skipped', reason: outcome.reason };
    case 'allowed':
      return { outcome: 'evaluated', ...evaluationDetails(outcome) };
    case 'denied':
      return { outcome: 'denied', ...evaluationDetails(outcome), status: outcome.status };
    case 'failed-open':
      return { outcome: 'failed-open', ...evaluationDetails(outcome), error: outcome.error };
    case 'failed-closed':
      return { outcome: 'failed-closed', ...evaluationDetails(outcome), error: outcome.error, status: outcome.status };
  }
}

const evaluationDetails = ({
  matched,
  validations,
  mutations = [],
  before,
  after,
  warnings,
  auditAnnotations,
}: Evaluated): Partial<TracedPolicy> => ({
  ...(mutations.length === 0 ? {} : { mutations }),
  ...(before && after && before !== after ? { patch: patchBetween(before, after) } : {}),
  ...(matched ? { matched: { kind: { ...matched.kind }, resource: { ...matched.resource } } } : {}),
  ...(validations.length === 0 ? {} : { validations }),
  ...(warnings.length === 0 ? {} : { warnings }),
  ...(Object.keys(auditAnnotations).length === 0 ? {} : { auditAnnotations }),
});
