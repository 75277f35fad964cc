import type { Check } from './model/report.ts';
import { absentName } from './rules/absent-name.ts';
import { withoutBinding, withoutParams, withoutPolicy } from './rules/bindings.ts';
import { caBundle, serverCertificate } from './rules/certificates.ts';
import { conditionConstant, conditionFails, namespaceObject } from './rules/conditions.ts';
import { deadRule, deadSelector } from './rules/dead.ts';
import { guardsEachOther, guardsItself, guardsKubeSystem, guardsNodes, slowLeases } from './rules/deadlocks.ts';
import { goneVersion, reviewVersions, sameName } from './rules/declared.ts';
import { againWithSideEffects, calledTooEarly } from './rules/mutators.ts';
import { refused } from './rules/refused.ts';
import { unexpectedSubresources, versionBypass, wildcardFail } from './rules/scope.ts';
import { networkBlocked } from './rules/network.ts';
import { noEndpoints, noService } from './rules/services.ts';
import { slowToFailOpen, timeBudget } from './rules/time.ts';
import type { LintRule } from './rule-table.ts';

export const checks: Readonly<Record<LintRule, Check>> = {
  refused,
  'guards-itself': guardsItself,
  'guards-each-other': guardsEachOther,
  'guards-nodes': guardsNodes,
  'guards-kube-system': guardsKubeSystem,
  'wildcard-fail': wildcardFail,
  'slow-leases': slowLeases,
  'gone-version': goneVersion,
  'review-versions': reviewVersions,
  'dead-rule': deadRule,
  'dead-selector': deadSelector,
  'unexpected-subresources': unexpectedSubresources,
  'version-bypass': versionBypass,
  'condition-constant': conditionConstant,
  'condition-fails': conditionFails,
  'absent-name': absentName,
  'namespace-object': namespaceObject,
  'time-budget': timeBudget,
  'slow-to-fail-open': slowToFailOpen,
  'ca-bundle': caBundle,
  'server-certificate': serverCertificate,
  'no-service': noService,
  'no-endpoints': noEndpoints,
  'network-blocked': networkBlocked,
  'called-too-early': calledTooEarly,
  'again-with-side-effects': againWithSideEffects,
  'same-name': sameName,
  'without-binding': withoutBinding,
  'without-policy': withoutPolicy,
  'without-params': withoutParams,
};
