import { nearestMismatch } from '../matching/match-rules.ts';
import type { PolicyRecord, SkipReason, UnaskedPolicies } from '../outcome.ts';

/** A record for each of the policies that had no turn. */
export const unaskedPolicies = (record: UnaskedPolicies): readonly PolicyRecord[] =>
  record.hooks.map((hook) => ({
    type: 'policy',
    phase: record.phase,
    round: record.round,
    policy: hook.policy.name,
    binding: null,
    params: null,
    definition: hook.policy.definition,
    bound: null,
    outcome: { outcome: 'skipped', reason: reasonOf(hook, record) },
    startedAt: record.at,
    finishedAt: record.at,
  }));

function reasonOf({ policy, bindings }: UnaskedPolicies['hooks'][number], record: UnaskedPolicies): SkipReason {
  const { request, isExempt } = record;
  if (isExempt) return { because: 'exempt', kind: request.kind.kind };
  if (bindings.length === 0) return { because: 'not-bound' };
  return { because: 'no-rule-matched', nearest: nearestMismatch(policy.match.resourceRules, request) };
}
