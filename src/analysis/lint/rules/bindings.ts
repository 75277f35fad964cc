import { asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import { type LintBinding, type LintPolicy, type LintSet, effectiveNamespace } from '../model/lint-set.ts';
import type { LintCheck, UnplacedFinding } from '../finding.ts';
import { isOwnGroup } from '../model/served-rows.ts';

const policyKind = ({ at }: LintBinding): string => at.kind.replace(/Binding$/, '');

const findPolicy = ({ policies }: LintSet, one: LintBinding): LintPolicy | undefined =>
  policies.find(({ at }) => at.kind === policyKind(one) && at.name === one.binding.policyName);

/** A policy without a binding has no effect. */
export const withoutBinding: LintCheck = (set) =>
  set.policies
    .filter(({ at }) => !set.bindings.some((one) => policyKind(one) === at.kind && one.binding.policyName === at.name))
    .map(({ at }) => ({
      at,
      path: ['metadata', 'name'],
      rule: 'without-binding',
      severity: set.isWhole || set.bindings.length > 0 ? 'warning' : 'note',
      title: `${at.title} has no binding${set.isWhole ? '' : ' among these files'}`,
      harm: 'the API server stores it and never evaluates it',
      remedy: `add a ${at.kind}Binding with spec.policyName: ${at.name}`,
    }));

/** A binding of a missing policy. */
export const withoutPolicy: LintCheck = (set) =>
  set.bindings
    .filter((one) => findPolicy(set, one) === undefined)
    .map((one) => ({
      at: one.at,
      path: ['spec', 'policyName'],
      rule: 'without-policy',
      severity: set.isWhole || set.policies.length > 0 ? 'warning' : 'note',
      title: `${one.at.title} binds ${one.binding.policyName}, which does not exist${suggestion(
        one.binding.policyName,
        set.policies.map(({ at }) => at.name),
      )}`,
      harm: 'nothing is validated, and no error is reported',
      remedy: 'correct spec.policyName, or add the policy',
    }));

/** Missing params: with Deny every request is denied, with Allow none is validated. */
export const withoutParams: LintCheck = (set) => [...unservedParamKinds(set), ...missingParamObjects(set)];

/**
 * A kind of params that its Kubernetes group does not have. Follows apiserver
 * pkg/admission/plugin/policy/generic/policy_source.go (failed to find resource referenced by paramKind).
 */
const unservedParamKinds: LintCheck = ({ policies, rows }) =>
  policies.flatMap(({ at, policy: { paramKind } }): readonly UnplacedFinding[] => {
    if (paramKind === undefined) return [];
    const [version = '', group = ''] = paramKind.apiVersion.split('/').toReversed();
    const served = rows.filter((row) => row.group === group && row.version === version).map(({ kind }) => kind);
    if (!isOwnGroup(group) || served.includes(paramKind.kind)) return [];
    return [
      {
        at,
        path: ['spec', 'paramKind'],
        rule: 'without-params',
        severity: 'error',
        title: `${at.title} has params of kind ${paramKind.kind}, which ${paramKind.apiVersion} does not have${suggestion(paramKind.kind, [...new Set(served)])}`,
        harm: 'it can never be evaluated: failurePolicy applies to every request that it matches',
        remedy: 'correct spec.paramKind',
      },
    ];
  });

const missingParamObjects: LintCheck = (set) =>
  set.bindings.flatMap((one): readonly UnplacedFinding[] => {
    const policy = findPolicy(set, one);
    const paramKind = policy?.policy.paramKind;
    const ref = valueAt(one.at.object, 'spec', 'paramRef');
    if (policy === undefined) return [];
    if (paramKind !== undefined && ref === undefined)
      return [
        paramsFinding(
          one,
          ['spec', 'policyName'],
          `binds a policy with params (${paramKind.kind}) without a paramRef`,
          'params is null: expressions that read it fail',
        ),
      ];
    if (paramKind === undefined) return [];
    const { name, namespace, selector, parameterNotFoundAction } = asObject(ref);
    const candidates = set.objects.filter(
      ({ kind, object }) => kind === paramKind.kind && object['apiVersion'] === paramKind.apiVersion,
    );
    const found = candidates.filter((object) => {
      const isNamed =
        typeof name !== 'string' ||
        (object.name === name && (typeof namespace !== 'string' || effectiveNamespace(object) === namespace));
      const labels = asObject(valueAt(object.object, 'metadata', 'labels'));
      const isSelected = Object.entries(asObject(asObject(selector)['matchLabels'])).every(
        ([key, value]) => labels[key] === value,
      );
      return isNamed && isSelected;
    });
    if (found.length > 0 || (!set.isWhole && candidates.length === 0)) return [];
    const what = typeof name === 'string' ? `${paramKind.kind} ${name}` : `a ${paramKind.kind} with these labels`;
    return [
      paramsFinding(
        one,
        ['spec', 'paramRef'],
        `refers to ${what}, which does not exist`,
        asString(parameterNotFoundAction) === 'Deny'
          ? 'every request that it matches is refused (parameterNotFoundAction Deny)'
          : 'nothing is validated (parameterNotFoundAction Allow)',
      ),
    ];
  });

const paramsFinding = ({ at }: LintBinding, path: readonly string[], title: string, harm: string): UnplacedFinding => ({
  at,
  path,
  harm,
  rule: 'without-params',
  severity: 'warning',
  title: `${at.title} ${title}`,
  remedy: 'add the object, or correct paramRef',
});
