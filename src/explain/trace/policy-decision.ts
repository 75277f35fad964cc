import type { Evaluated, PolicyOutcome, PolicyRecord } from '../../apiserver/admission/chain/outcome.ts';
import { patchBetween } from './object-states.ts';
import type { TracedPolicy } from './trace.ts';

export function tracedPolicyOf(record: PolicyRecord): TracedPolicy {
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
    ...detailsOf(outcome),
    ...(missingParams === undefined ? {} : { missingParams }),
    ...(typeWarnings.length === 0 ? {} : { typeWarnings }),
    ...(conditions === undefined || conditions.length === 0 ? {} : { conditions }),
    ...(variables.length === 0 ? {} : { variables }),
  };
}

type Details = Pick<TracedPolicy, 'outcome' | 'reason' | 'error' | 'status'> & Partial<TracedPolicy>;

function detailsOf(outcome: PolicyOutcome): Details {
  switch (outcome.outcome) {
    case 'skipped':
      return { outcome: 'skipped', reason: outcome.reason };
    case 'allowed':
      return { outcome: 'evaluated', ...evaluatedOf(outcome) };
    case 'denied':
      return { outcome: 'denied', ...evaluatedOf(outcome), status: outcome.status };
    case 'failed-open':
      return { outcome: 'failed-open', ...evaluatedOf(outcome), error: outcome.error };
    case 'failed-closed':
      return { outcome: 'failed-closed', ...evaluatedOf(outcome), error: outcome.error, status: outcome.status };
  }
}

const evaluatedOf = ({
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
