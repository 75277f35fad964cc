import { invalidValue } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject } from '../../../machinery/json/json.ts';
import { internalForm } from '../../types/internal-form.ts';
import type { Affinity, NodeSelectorTerm, PodSpec } from '../../types/generated/core-v1.ts';
import { when } from '../field-rules.ts';
import type { Complaints } from '../field-rules.ts';

/** Where a pod that waits at a gate may be told to go: further node selectors. Follows kubernetes pkg/apis/core/validation ValidatePodUpdate. */
export function gatedErrors(spec: PodSpec, old: PodSpec): Complaints {
  const [now, before] = [asObject(spec.nodeSelector), asObject(old.nodeSelector)];
  const isChanged = Object.keys(before).some((key) => now[key] !== before[key]);
  return [
    ...when(isChanged, () =>
      invalidValue(
        'spec.nodeSelector',
        now,
        'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ),
    ),
    ...termErrors(spec.affinity, old.affinity),
  ];
}

/** It keeps as many terms as it has, and what they ask for. Follows kubernetes pkg/apis/core/validation validateNodeAffinityMutation. */
function termErrors(affinity: Affinity | undefined, old: Affinity | undefined): Complaints {
  const rules = 'requiredDuringSchedulingIgnoredDuringExecution';
  const terms = (value: Affinity | undefined): readonly NodeSelectorTerm[] | null | undefined =>
    asObject(asObject(asObject(value).nodeAffinity)[rules]).nodeSelectorTerms;
  const [now, before] = [terms(affinity), asList(terms(old))];
  const path = `spec.affinity.nodeAffinity.${rules}.nodeSelectorTerms`;
  if (before.length > 0 && before.length !== asList(now).length) {
    return [invalidValue(path, now ?? null, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return before.flatMap((term, index) => {
    const next = asObject(asList(now)[index]);
    return when(!hasOnlyMore(next, asObject(term)), () =>
      invalidValue(
        `${path}[${index}]`,
        internalForm('core.NodeSelectorTerm', next) ?? null,
        'only additions are allowed (no mutations or deletions)',
      ),
    );
  });
}

const termFields = ['matchExpressions', 'matchFields'] as const;

const hasOnlyMore = (now: NodeSelectorTerm, before: NodeSelectorTerm): boolean => {
  const isEmpty = termFields.every((field) => asList(before[field]).length === 0);
  if (isEmpty) return termFields.every((field) => asList(now[field]).length === 0);
  return termFields.every((field) =>
    asList(before[field]).every((requirement, index) => sameJson(requirement, asList(now[field])[index])),
  );
};
