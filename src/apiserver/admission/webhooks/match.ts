import { forbidden, internalError, type Status } from '../../../machinery/meta/status.ts';
import type { YieldIfLong } from '../../../machinery/clock.ts';
import type { Catalogue } from '../../../api/types/catalogue/catalogue.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { ConditionRecord, SkipReason } from '../chain/skip-reason.ts';
import type { Expressions } from '../matching/expressions.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import { evaluateMatchConditions } from '../matching/match-conditions.ts';
import { type MatchedAs, matchRules, nearestMismatch } from '../matching/match-rules.ts';
import {
  type GetNamespace,
  labelsOf,
  matchNamespaceSelector,
  matchObjectSelector,
  type SelectorSkip,
} from '../matching/match-selectors.ts';
import { requestVariable } from '../matching/request-variable.ts';
import type { ViewAs } from '../matching/versions.ts';
import type { AdmissionWebhook } from './read-webhooks.ts';

export type MatchOutcome = MatchDecision & { readonly conditions?: readonly ConditionRecord[] };

type MatchDecision =
  | { readonly outcome: 'matched'; readonly as: MatchedAs }
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
  | { readonly outcome: 'refused'; readonly status: Status };

export interface MatchPorts {
  readonly catalogue: Catalogue;
  readonly getNamespace: GetNamespace;
  readonly authorize: Authorize;
  /** Without an engine conditions cannot be evaluated. */
  readonly expressions?: Expressions;
  readonly yieldIfLong: YieldIfLong;
}

/**
 * Selectors first, then rules; selector errors count only if the rules match. Follows apiserver
 * pkg/admission/plugin/webhook/generic/webhook.go ShouldCallHook (rules SEL-10 to SEL-13).
 */
export async function matchWebhook(
  webhook: AdmissionWebhook,
  request: AdmissionAttributes,
  viewAs: ViewAs,
  ports: MatchPorts,
): Promise<MatchOutcome> {
  const byNamespace = matchNamespaceSelector(webhook.namespaceSelector, request, ports.getNamespace);
  if (byNamespace.outcome === 'skipped') return skipBySelector(byNamespace.reason, webhook, request, ports);
  const byObject = matchObjectSelector(webhook.objectSelector, request);
  if (byObject.outcome === 'skipped') return skipBySelector(byObject.reason, webhook, request, ports);
  const byRules = matchRules(webhook.rules, webhook.matchPolicy, request, ports.catalogue);
  if (byRules.outcome === 'unmatched') {
    return {
      outcome: 'skipped',
      reason: { because: 'no-rule-matched', nearest: nearestMismatch(webhook.rules, request) },
    };
  }
  if (byNamespace.outcome === 'failed') return { outcome: 'refused', status: byNamespace.status };
  if (byObject.outcome === 'failed') return { outcome: 'refused', status: byObject.status };
  if (webhook.matchConditions.length === 0) return byRules;
  return matchConditions(webhook, byRules.as, viewAs, ports);
}

/** For explanations: a selector matters only if the rules match. */
function skipBySelector(
  reason: SelectorSkip,
  { rules, matchPolicy }: AdmissionWebhook,
  request: AdmissionAttributes,
  { catalogue, getNamespace }: MatchPorts,
): MatchOutcome {
  const rulesMatch = matchRules(rules, matchPolicy, request, catalogue).outcome === 'matched';
  if (reason.because === 'namespaceSelector' || !rulesMatch || request.namespace === '') {
    return { outcome: 'skipped', reason: { ...reason, rulesMatch } };
  }
  const namespace = getNamespace(request.namespace);
  const namespaceLabels = namespace === undefined ? {} : { namespaceLabels: labelsOf(namespace) };
  return { outcome: 'skipped', reason: { ...reason, ...namespaceLabels, rulesMatch } };
}

const environment = { stored: true };
const isBool = ['bool'];

/** Conditions see the objects in the version for the webhook (rules SEL-60, SEL-62). */
async function matchConditions(
  webhook: AdmissionWebhook,
  as: MatchedAs,
  viewAs: ViewAs,
  ports: MatchPorts,
): Promise<MatchOutcome> {
  const { expressions, yieldIfLong, authorize } = ports;
  if (!expressions) {
    return { outcome: 'refused', status: internalError('matchConditions cannot be evaluated: CEL is not available') };
  }
  const viewed = await viewAs(as.kind);
  if (viewed.outcome === 'inconvertible') return { outcome: 'refused', status: conversionFailure(viewed.error) };
  const { view } = viewed;
  const { matchConditions: conditions, failurePolicy } = webhook;
  for (const { expression } of conditions) {
    expressions.compile(expression, environment, isBool);
    await yieldIfLong();
  }
  const evaluate = expressions.evaluator({
    object: view.object,
    oldObject: view.oldObject,
    request: () => requestVariable(view, { kind: as.kind, resource: view.resource }),
    namespaceObject: () => null,
    requester: { request: view, authorize },
  });
  const conditionOutcome = evaluateMatchConditions(conditions, failurePolicy, (text, budget) =>
    evaluate(expressions.compile(text, environment, isBool), budget),
  );
  const { conditions: judgements } = conditionOutcome;
  switch (conditionOutcome.outcome) {
    case 'matched':
      return { outcome: 'matched', as, conditions: judgements };
    case 'skipped':
      return conditionOutcome;
    case 'failed':
      return {
        outcome: 'refused',
        status: forbidden(view.resource, view.name, conditionOutcome.error),
        conditions: judgements,
      };
  }
}

/** Upstream wraps the conversion error twice (rule FAIL-24). */
export const conversionFailure = (error: string): Status => internalError(`Internal error occurred: ${error}`);
