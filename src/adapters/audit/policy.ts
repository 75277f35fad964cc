import { trimRight } from '../../machinery/go/strings.ts';
import {
  configurationKind,
  decodeConfiguration,
  typedDocument,
} from '../../apiserver/admission/configuration/configuration-document.ts';
import type { UserInfo } from '../../apiserver/auth/user.ts';
import type { RequestInfo, ResourceRequest } from '../../apiserver/request/request-info.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { type JsonDocument } from '../../machinery/json/json.ts';
import {
  anyField,
  objectsField,
  type Struct,
  stringField,
  stringsField,
  boolField,
} from '../../machinery/meta/decode-fields.ts';
import {
  type FieldError,
  fieldErrorText,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/meta/field-error.ts';
import { dns1123Subdomain } from '../../machinery/meta/names.ts';

/** Least first. */
const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type Level = (typeof levels)[number];

const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof stages)[number];

/** Follows apiserver pkg/apis/audit/v1/types.go. An empty list matches everything. */
export interface AuditPolicy {
  readonly rules: readonly AuditPolicyRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

export interface AuditPolicyRule {
  readonly level: Level;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  /** '' matches cluster-scoped objects. */
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  /** undefined: the policy's default. */
  readonly omitManagedFields: boolean | undefined;
}

interface GroupResources {
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

export interface AuditScope {
  readonly level: Level;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** `user` is undefined when authentication failed. */
interface AuditQuestion {
  readonly info: RequestInfo;
  readonly requester: UserInfo | undefined;
}

export const isAtLeast = (level: Level, min: Level): boolean => levels.indexOf(level) >= levels.indexOf(min);

/** The first matching rule decides; no rule means no event. Follows apiserver pkg/audit/policy/checker.go. */
export function createScopeOf(policy: AuditPolicy): (question: AuditQuestion) => AuditScope {
  const scopes = policy.rules.map((rule): AuditScope => ({
    level: rule.level,
    omitStages: new Set([...policy.omitStages, ...rule.omitStages]),
    omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields,
  }));
  return (question) => scopes[policy.rules.findIndex((rule) => ruleMatches(rule, question))] ?? nothing;
}

const nothing: AuditScope = { level: 'None', omitStages: new Set(), omitManagedFields: false };

function ruleMatches(rule: AuditPolicyRule, { info, requester }: AuditQuestion): boolean {
  if (!matchesUser(rule, requester)) return false;
  if (rule.verbs.length > 0 && !rule.verbs.includes(info.verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) {
    return info.type === 'resource' && matchesResource(rule, info);
  }
  return rule.nonResourceURLs.length === 0 || (info.type === 'path' && matchesPath(rule.nonResourceURLs, info.path));
}

function matchesUser({ users, userGroups }: AuditPolicyRule, requester: UserInfo | undefined): boolean {
  if (users.length > 0 && !(requester && users.includes(requester.username))) return false;
  return userGroups.length === 0 || requester?.groups.some((group) => userGroups.includes(group)) === true;
}

const matchesPath = (urls: readonly string[], path: string): boolean =>
  urls.some((url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(trimRight(url, '*'))));

function matchesResource({ namespaces, resources }: AuditPolicyRule, info: ResourceRequest): boolean {
  if (namespaces.length > 0 && !namespaces.includes(info.namespace)) return false;
  return resources.length === 0 || resources.some((wanted) => isAmong(wanted, info));
}

function isAmong({ group, resources, resourceNames }: GroupResources, info: ResourceRequest): boolean {
  if (group !== info.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(info.name)) return false;
  const { resource, subresource } = info;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (wanted) =>
      wanted === whole ||
      wanted === '*' ||
      wanted === `${resource}/*` ||
      (subresource !== '' && wanted === `*/${subresource}`),
  );
}

type PolicyReading =
  /** `strict`: the error of strict decoding; '' for none. */
  | { readonly outcome: 'read'; readonly policy: AuditPolicy; readonly strict: string }
  /** kube-apiserver's text, without the file name. */
  | { readonly outcome: 'unreadable'; readonly error: string };

/** Reads a Policy of audit.k8s.io/v1. Follows apiserver pkg/audit/policy/reader.go. */
export function readPolicy(document: JsonDocument): PolicyReading {
  const typed = typedDocument({ value: document, duplicates: [] }, writeJson(document));
  const decoded = typed.ok ? decodeConfiguration(typed.value, policyKind) : typed;
  if (!decoded.ok) return unreadable(`failed decoding: ${decoded.error}`);
  const { value: policy, unknown } = decoded.value;
  const problems = ruleProblems(policy.rules);
  if (problems !== '') return unreadable(problems);
  if (policy.rules.length === 0) return unreadable('loaded illegal policy with 0 rules');
  const strict = unknown.length === 0 ? '' : `strict decoding error: ${unknown.join(', ')}`;
  const rules = policy.rules.map((rule): AuditPolicyRule => ({
    ...rule,
    level: toLevel(rule),
    omitStages: known(rule.omitStages),
  }));
  const { omitStages, omitManagedFields = false } = policy;
  return { outcome: 'read', policy: { rules, omitStages: known(omitStages), omitManagedFields }, strict };
}

const unreadable = (error: string): PolicyReading => ({ outcome: 'unreadable', error });

const resources: Struct<GroupResources> = {
  type: 'v1.GroupResources',
  fields: { group: stringField(), resources: stringsField(), resourceNames: stringsField() },
};
const rule: Struct<DecodedRule & Omit<AuditPolicyRule, 'level' | 'omitStages'>> = {
  type: 'v1.PolicyRule',
  fields: {
    level: stringField('v1.Level'),
    users: stringsField(),
    userGroups: stringsField(),
    verbs: stringsField(),
    resources: objectsField(resources),
    namespaces: stringsField(),
    nonResourceURLs: stringsField(),
    omitStages: stringsField('v1.Stage'),
    omitManagedFields: boolField,
  },
};
const policyKind = configurationKind({
  names: [['audit.k8s.io/v1', 'Policy']],
  scheme: 'k8s.io/apiserver/pkg/audit/scheme.go:30',
  struct: {
    type: 'Policy',
    fields: {
      metadata: anyField,
      rules: objectsField(rule),
      omitStages: stringsField('v1.Stage'),
      omitManagedFields: boolField,
    },
  },
});

const toLevel = (rule: DecodedRule): Level => levels.find((level) => level === rule.level) ?? 'None';

/** Upstream does not validate the stages of a whole policy: unknown ones omit nothing. */
const known = (names: readonly string[]): readonly AuditStage[] => stages.filter((stage) => names.includes(stage));

/** Before validation: level and stages may be any text. */
interface DecodedRule {
  readonly level: string;
  readonly nonResourceURLs: readonly string[];
  readonly namespaces: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly omitStages: readonly string[];
}

/** The errors of the rules in one text; '' for none. Follows apiserver pkg/apis/audit/validation/validation.go. */
function ruleProblems(rules: readonly DecodedRule[]): string {
  const texts = [...new Set(rules.flatMap((rule, index) => validateRule(rule, `rules[${index}]`)).map(fieldErrorText))];
  return texts.length > 1 ? `[${texts.join(', ')}]` : (texts[0] ?? '');
}

function validateRule(rule: DecodedRule, path: string): readonly FieldError[] {
  const { nonResourceURLs, resources, namespaces } = rule;
  const urls = `${path}.nonResourceURLs`;
  const isMixed = nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0);
  return [
    ...levelProblems(rule.level, `${path}.level`),
    ...nonResourceURLs.flatMap((url, index) => urlProblems(url, `${urls}[${index}]`)),
    ...resources.flatMap((resource) => resourceProblems(resource, `${path}.resources`)),
    ...rule.omitStages.flatMap((stage, index) => stageProblems(stage, `${path}.omitStages[${index}]`)),
    ...(isMixed ? [invalidValue(urls, nonResourceURLs, bothKinds)] : []),
  ];
}

const bothKinds = 'rules cannot apply to both regular resources and non-resource URLs';

function levelProblems(level: string, path: string): readonly FieldError[] {
  if (level === '') return [required(path, '')];
  return levels.some((known) => known === level) ? [] : [notSupported(path, level, levels)];
}

function urlProblems(url: string, path: string): readonly FieldError[] {
  if (url === '*') return [];
  const problems = [
    ...(url.startsWith('/') ? [] : ["non-resource URL rules must begin with a '/' character"]),
    ...(url.slice(0, -1).includes('*')
      ? ["non-resource URL wildcards '*' must be the final character of the rule"]
      : []),
  ];
  return problems.map((problem) => invalidValue(path, url, problem));
}

function resourceProblems({ group, resources, resourceNames }: GroupResources, path: string): readonly FieldError[] {
  const names = group === '' ? [] : dns1123Subdomain(group);
  return [
    ...(names.length === 0 ? [] : [invalidValue(`${path}.group`, group, names.join(','))]),
    ...(resourceNames.length > 0 && resources.length === 0
      ? [invalidValue(`${path}.resourceNames`, resourceNames, 'using resourceNames requires at least one resource')]
      : []),
  ];
}

const stageProblems = (stage: string, path: string): readonly FieldError[] =>
  stages.some((known) => known === stage) ? [] : [invalidValue(path, stage, `allowed stages are ${stages.join(',')}`)];
