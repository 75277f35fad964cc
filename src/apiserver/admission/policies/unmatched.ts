import { nearestMismatch } from '../matching/match-rules.ts';
import type { PolicyRecord, UnmatchedPolicies } from '../chain/outcome.ts';
import type { SkipReason } from '../chain/skip-reason.ts';

export const unmatchedPolicyRecords = (record: UnmatchedPolicies): readonly PolicyRecord[] =>
  [...record.hooks, ...record.exempt].map((hook, index) => ({
    type: 'policy',
    phase: record.phase,
    round: record.round,
    policy: hook.policy.name,
    binding: null,
    params: null,
    definition: hook.policy.definition,
    bound: null,
    outcome: { outcome: 'skipped', reason: index < record.hooks.length ? reasonOf(hook, record) : exemption(record) },
    startedAt: record.at,
    finishedAt: record.at,
  }));

const exemption = ({ request }: UnmatchedPolicies): SkipReason => ({ because: 'exempt', kind: request.kind.kind });

function reasonOf({ policy, bindings }: UnmatchedPolicies['hooks'][number], record: UnmatchedPolicies): SkipReason {
  if (bindings.length === 0) return { because: 'not-bound' };
  return { because: 'no-rule-matched', nearest: nearestMismatch(policy.match.resourceRules, record.request) };
}
