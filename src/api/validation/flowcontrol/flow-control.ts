import {
  validateRequiredText,
  validateUnique,
  validateText,
  each,
  eachOf,
  noErrors,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type * as flowcontrol from '../../types/generated/flowcontrol-v1.ts';

/** The file follows kubernetes pkg/apis/flowcontrol/validation/validation.go. */
export function validateFlowSchema(schema: flowcontrol.FlowSchema): FieldErrors {
  const spec = asObject(schema.spec);
  const precedence = Number(spec.matchingPrecedence ?? 0);
  const wrong = (text: string): FieldErrors => [invalidValue('spec.matchingPrecedence', precedence, text)];
  const method = asObject(spec.distinguisherMethod).type;
  return [
    ...(precedence <= 0 ? wrong('must be a positive value') : []),
    ...(precedence > 10_000 ? wrong('must not be greater than 10000') : []),
    ...(precedence === 1 && metadataOf(schema).name !== 'exempt'
      ? wrong("only the schema named 'exempt' may have matchingPrecedence 1")
      : []),
    ...errorIf(spec.distinguisherMethod !== undefined && !methods.includes(asString(method)), () =>
      notSupported('spec.distinguisherMethod.type', { Type: asString(method) }, methods),
    ),
    ...validateRequiredText(
      dns1123Subdomain,
      'spec.priorityLevelConfiguration.name',
      asObject(spec.priorityLevelConfiguration).name,
      'must reference a priority level',
    ),
    ...each(spec.rules, 'spec.rules', validateFlowSchemaRule),
    ...validateFlowControlConditions(schema),
  ];
}

const methods = ['ByNamespace', 'ByUser'];

/** Condition types are required and unique. */
export function validateFlowControlConditions(
  object: flowcontrol.FlowSchema | flowcontrol.PriorityLevelConfiguration,
): FieldErrors {
  const seen = new Set<string>();
  return each(asObject(object.status).conditions, 'status.conditions', (condition, at) => {
    const type = asString(condition.type);
    return [...validateUnique(seen, `${at}.type`, type), ...errorIf(type === '', () => required(`${at}.type`, ''))];
  });
}

function validateFlowSchemaRule(rule: flowcontrol.PolicyRulesWithSubjects, path: string): FieldErrors {
  const { subjects, resourceRules, nonResourceRules } = rule;
  const nothing = 'at least one of resourceRules and nonResourceRules has to be non-empty';
  return [
    ...errorIf(asList(subjects).length === 0, () =>
      required(`${path}.subjects`, 'subjects must contain at least one value'),
    ),
    ...each(subjects, `${path}.subjects`, validateFlowSchemaSubject),
    ...errorIf(asList(resourceRules).length + asList(nonResourceRules).length === 0, () => required(path, nothing)),
    ...each(resourceRules, `${path}.resourceRules`, validateFlowSchemaResourcePolicyRule),
    ...each(nonResourceRules, `${path}.nonResourceRules`, (one, at) => [
      ...validateVerbs(one, at),
      ...validateWildcardList(one.nonResourceURLs, `${at}.nonResourceURLs`, {
        missing: 'nonResourceURLs must contain at least one value',
        mixed: "if '*' is present, must not specify other non-resource URLs",
        each: validateNonResourceUrl,
      }),
    ]),
  ];
}

const subjectFields = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;
const subjectKinds = ['Group', 'ServiceAccount', 'User'] as const;

function validateFlowSchemaSubject(subject: flowcontrol.Subject, path: string): FieldErrors {
  const kind = subjectKinds.find((one) => one === subject.kind);
  if (kind === undefined) return [notSupported(`${path}.kind`, asString(subject.kind), subjectKinds)];
  const field = subjectFields[kind];
  const others = (['ServiceAccount', 'User', 'Group'] as const).filter((one) => one !== kind);
  return [
    ...(subject[field] === undefined
      ? [required(`${path}.${field}`, `${field} is required when subject kind is '${kind}'`)]
      : validateSubjectName(asObject(subject[field]), `${path}.${field}`, kind === 'ServiceAccount')),
    ...others.flatMap((other) =>
      errorIf(subject[subjectFields[other]] !== undefined, () => {
        const name = subjectFields[other];
        return forbiddenField(`${path}.${name}`, `${name} is forbidden when subject kind is not '${other}'`);
      }),
    ),
  ];
}

function validateSubjectName(
  subject: Partial<flowcontrol.ServiceAccountSubject>,
  path: string,
  isAccount: boolean,
): FieldErrors {
  const [name, namespace] = [asString(subject.name), asString(subject.namespace)];
  const named = errorIf(name === '', () => required(`${path}.name`, ''));
  if (!isAccount) return named;
  return [
    ...named,
    ...(name === '' || name === '*' ? [] : validateText(dns1123Subdomain, `${path}.name`, name)),
    ...validateRequiredText(dns1123Label, `${path}.namespace`, namespace, 'must specify namespace for service account'),
  ];
}

function validateFlowSchemaResourcePolicyRule(rule: flowcontrol.ResourcePolicyRule, path: string): FieldErrors {
  const { namespaces, clusterScope } = rule;
  const list = (field: 'apiGroups' | 'resources', what: string): FieldErrors =>
    validateWildcardList(rule[field], `${path}.${field}`, {
      missing: `resource rules must supply at least one ${what}`,
      mixed: `if '*' is present, must not specify other ${what}s`,
    });
  const namespaceRules = {
    missing: 'resource rules that are not cluster scoped must supply at least one namespace',
    mixed: "if '*' is present, must not specify other namespaces",
    each: (name: string, at: string) =>
      dns1123Label(name).map((text) =>
        invalidValue(at, name, `each member of this list must be '*' or a DNS-1123 label; ${text}`),
      ),
  };
  const isClusterScoped = asList(namespaces).length === 0 && clusterScope === true;
  return [
    ...validateVerbs(rule, path),
    ...list('apiGroups', 'api group'),
    ...list('resources', 'resource'),
    ...(isClusterScoped ? [] : validateWildcardList(namespaces, `${path}.namespaces`, namespaceRules)),
  ];
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function validateVerbs({ verbs: given }: Pick<flowcontrol.NonResourcePolicyRule, 'verbs'>, path: string): FieldErrors {
  const all = asList(given).map(asString);
  const wild = validateWildcardList(given, `${path}.verbs`, {
    missing: 'verbs must contain at least one value',
    mixed: "if '*' is present, must not specify other verbs",
  });
  const isUnknown = !all.includes('*') && all.some((verb) => !verbs.includes(verb));
  return [...wild, ...errorIf(isUnknown, () => notSupported(`${path}.verbs`, all, verbs))];
}

interface WildcardRules {
  readonly missing: string;
  readonly mixed: string;
  readonly each?: (text: string, path: string) => FieldErrors;
}

/** A list is not empty, and `*` must be its only item. */
function validateWildcardList(list: JsonValue | undefined, path: string, rules: WildcardRules): FieldErrors {
  const all = asList(list).map(asString);
  if (all.length === 0) return [required(path, rules.missing)];
  if (all.includes('*')) return errorIf(all.length > 1, () => invalidValue(path, all, rules.mixed));
  const { each: check } = rules;
  return check === undefined ? noErrors : eachOf(all, (text, index) => check(text, `${path}[${index}]`));
}

function validateNonResourceUrl(url: string, path: string): FieldErrors {
  const stars = url.split('*').length - 1;
  const problems: readonly (readonly [boolean, string])[] = [
    [url === '', 'must not be empty'],
    [!url.startsWith('/'), 'must start with slash'],
    [url.includes(' '), 'must not contain white-space'],
    [url.includes('//'), 'must not contain double slash'],
    [stars > 1 || (stars === 1 && !url.endsWith('/*')), 'wildcard can only do suffix matching'],
  ];
  const problem = problems.find(([isSo]) => isSo);
  return problem ? [invalidValue(path, url, problem[1])] : [];
}
