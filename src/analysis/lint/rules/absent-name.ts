import { deciders, isReached, truthFor } from '../model/deciders.ts';
import type { Decider } from '../model/deciders.ts';
import type { Missing } from '../model/expression-truth.ts';
import type { LintSet } from '../model/lint-set.ts';
import type { Check, Found } from '../model/report.ts';
import { namelessRequest } from '../model/request-facts.ts';
import type { NamelessRequest } from '../model/request-facts.ts';
import type { SeenRequest } from '../model/seen-requests.ts';
import { patchOf, remedyFor, resourceNames } from './conditions.ts';

/** An expression that fails without a name: generateName and deletecollection. */
export const absentName: Check = (set) =>
  deciders(set).flatMap((decider) => {
    const failures = decider.seen.flatMap((seen) => failureFor(decider, seen, set));
    return whens.flatMap((when) => {
      const [first, ...others] = failures.filter((one) => one.when === when);
      return first === undefined ? [] : [found(decider, [first, ...others])];
    });
  });

const whens = ['is created with generateName', 'is deleted with its collection'] as const;

interface NamelessFailure extends Pick<NamelessRequest, 'when'> {
  readonly seen: SeenRequest;
  readonly missing: Missing;
}

/** Expressions that fail for every request have a finding of their own. */
function failureFor(decider: Decider, seen: SeenRequest, set: LintSet): readonly NamelessFailure[] {
  const request = namelessRequest(seen.operation, seen.row, decider.phase);
  if (request === undefined || truthFor(decider, seen).outcome === 'error' || !isReached(decider, seen, set)) return [];
  const truth = truthFor(decider, seen, request.facts);
  return truth.outcome === 'error' ? [{ seen, when: request.when, missing: truth.missing }] : [];
}

function found(decider: Decider, failures: readonly [NamelessFailure, ...NamelessFailure[]]): Found {
  const { at, path, what, failurePolicy, owner } = decider;
  const [{ missing, when }] = failures;
  const seen = failures.map((one) => one.seen);
  return {
    at,
    path,
    rule: 'absent-name',
    severity: failures.some(isCommon) ? 'error' : 'warning',
    title: `${what} fails for every object of ${resourceNames(seen)} that ${when}: ${missing.name} is absent there`,
    harm:
      failurePolicy === 'Fail'
        ? `every such request is refused (failurePolicy Fail)${failures.some(isCommon) ? common[when] : ''}`
        : `the ${owner} decides about no such request (failurePolicy Ignore)`,
    remedy: remedyFor(missing),
    ...patchOf(decider, missing, seen),
  };
}

const common: Readonly<Record<NamelessRequest['when'], string>> = {
  'is created with generateName': ', as are all Pods that controllers create',
  'is deleted with its collection': ': namespaces hang in Terminating',
};

/** Workload controllers use generateName, and namespace deletion uses deletecollection. */
const isCommon = ({ when, seen: { row } }: NamelessFailure): boolean =>
  when === 'is deleted with its collection' ? row.namespaced : row.group === '' && row.resource === 'pods';
