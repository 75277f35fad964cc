import { validateRequiredText, validateText, each, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue, notSupportedText, required } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1123Subdomain, pathSegmentName } from '../../../machinery/meta/names.ts';
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  RoleBinding,
  RoleRef,
  Subject,
} from '../../types/generated/rbac-v1.ts';
import { validateLabelSelector } from '../meta/labels.ts';

const rbac = 'rbac.authorization.k8s.io';

/** The file follows kubernetes pkg/apis/rbac/validation/validation.go. */
export function validateRole(role: ClusterRole): FieldErrors {
  const isNamespaced = role.kind === 'Role';
  const selectors = asObject(role.aggregationRule).clusterRoleSelectors;
  return [
    ...each(role.rules, 'rules', (rule, at) => validatePolicyRule(rule, at, isNamespaced)),
    ...errorIf(role.aggregationRule !== undefined && asList(selectors).length === 0, () =>
      required(
        'aggregationRule.clusterRoleSelectors',
        'at least one clusterRoleSelector required if aggregationRule is non-nil',
      ),
    ),
    ...each(selectors, 'aggregationRule.clusterRoleSelectors', (selector, at) => {
      const errors = validateLabelSelector(selector, at);
      return errors.length === 0 ? [] : [...errors, invalidValue(at, null, 'invalid label selector.')];
    }),
  ];
}

function validatePolicyRule(rule: PolicyRule, path: string, isNamespaced: boolean): FieldErrors {
  const [verbs, urls] = [asList(rule.verbs), asList(rule.nonResourceURLs)];
  const [groups, resources, names] = [asList(rule.apiGroups), asList(rule.resources), asList(rule.resourceNames)];
  const noVerbs = errorIf(verbs.length === 0, () => required(`${path}.verbs`, 'verbs must contain at least one value'));
  if (urls.length > 0) {
    const isMixed = groups.length > 0 || resources.length > 0 || names.length > 0;
    return [
      ...noVerbs,
      ...errorIf(isNamespaced, () =>
        invalidValue(`${path}.nonResourceURLs`, urls, 'namespaced rules cannot apply to non-resource URLs'),
      ),
      ...errorIf(isMixed, () =>
        invalidValue(
          `${path}.nonResourceURLs`,
          urls,
          'rules cannot apply to both regular resources and non-resource URLs',
        ),
      ),
    ];
  }
  return [
    ...noVerbs,
    ...errorIf(groups.length === 0, () =>
      required(`${path}.apiGroups`, 'resource rules must supply at least one api group'),
    ),
    ...errorIf(resources.length === 0, () =>
      required(`${path}.resources`, 'resource rules must supply at least one resource'),
    ),
  ];
}

export function validateRoleBinding(binding: RoleBinding | ClusterRoleBinding): FieldErrors {
  const { apiGroup, kind, name } = asObject(binding.roleRef);
  const isNamespaced = binding.kind === 'RoleBinding';
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const text = (value: JsonValue | undefined): string => asString(value);
  return [
    ...errorIf(text(apiGroup) !== rbac, () => notSupportedText('roleRef.apiGroup', text(apiGroup), [rbac])),
    ...errorIf(!kinds.includes(text(kind)), () => notSupportedText('roleRef.kind', text(kind), kinds)),
    ...validateRequiredText(pathSegmentName, 'roleRef.name', text(name)),
    ...each(binding.subjects, 'subjects', (subject, at) => validateRoleBindingSubject(subject, at, isNamespaced)),
  ];
}

function validateRoleBindingSubject(subject: Subject, path: string, isNamespaced: boolean): FieldErrors {
  const text = (field: keyof Subject): string => asString(subject[field]);
  const [name, apiGroup] = [text('name'), text('apiGroup')];
  const noName = errorIf(name === '', () => required(`${path}.name`, ''));
  const group = (wanted: string): FieldErrors =>
    errorIf(apiGroup !== wanted, () => notSupportedText(`${path}.apiGroup`, apiGroup, [wanted]));
  switch (text('kind')) {
    case 'ServiceAccount':
      return [
        ...noName,
        ...(name ? validateText(dns1123Subdomain, `${path}.name`, name) : []),
        ...group(''),
        ...errorIf(!isNamespaced && text('namespace') === '', () => required(`${path}.namespace`, '')),
      ];
    case 'User':
    case 'Group':
      return [...noName, ...group(rbac)];
    default:
      return [...noName, notSupportedText(`${path}.kind`, text('kind'), ['ServiceAccount', 'User', 'Group'])];
  }
}

export const validateRoleBindingUpdate = (
  binding: RoleBinding | ClusterRoleBinding,
  old: RoleBinding | ClusterRoleBinding,
): FieldErrors =>
  errorIf(!sameJson(binding.roleRef, old.roleRef), () =>
    invalidValue('roleRef', formatReference(asObject(binding.roleRef)), 'field is immutable'),
  );

/** Upstream prints the internal struct, without JSON names. */
const formatReference = ({ apiGroup = '', kind = '', name = '' }: RoleRef): JsonObject => ({
  APIGroup: apiGroup,
  Kind: kind,
  Name: name,
});
