import { trimRight } from '../../machinery/go/strings.ts';
import type { UserInfo } from '../../apiserver/auth/user.ts';
import type { RequestInfo, ResourceRequest } from '../../apiserver/request/request-info.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { isJsonObject, type JsonDocument } from '../../machinery/json/json.ts';
import { createFieldReader, type FieldReader, type Fields } from '../../machinery/meta/decode-fields.ts';
import {
  type FieldError,
  fieldErrorText,
  goQuote,
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
  if (!isJsonObject(document)) return unreadable(`failed decoding: ${noObject(document)}`);
  const fields: Fields = document;
  const typed = typeProblem(fields);
  if (typed !== undefined) return unreadable(typed);
  const reader = createFieldReader();
  const decoded = decode(fields, reader);
  const fatal = reader.fatal();
  if (fatal !== undefined) return unreadable(`failed decoding: ${fatal}`);
  const problems = ruleProblems(decoded.rules);
  if (problems !== '') return unreadable(problems);
  if (decoded.rules.length === 0) return unreadable('loaded illegal policy with 0 rules');
  const unknown = reader.unknown();
  const strict = unknown.length === 0 ? '' : `strict decoding error: ${unknown.join(', ')}`;
  const rules = decoded.rules.map((rule): AuditPolicyRule => ({
    ...rule,
    level: levelOf(rule),
    omitStages: known(rule.omitStages),
  }));
  return { outcome: 'read', policy: { ...decoded, rules, omitStages: known(decoded.omitStages) }, strict };
}

const unreadable = (error: string): PolicyReading => ({ outcome: 'unreadable', error });

const noObject = (document: JsonDocument): string =>
  document === null
    ? "Object 'Kind' is missing in 'null'"
    : `couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(document) ? 'array' : typeof document} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;

function typeProblem(fields: Fields): string | undefined {
  const { apiVersion, kind } = fields;
  if (kind === 'Policy' && apiVersion === 'audit.k8s.io/v1') return undefined;
  if (kind === undefined || kind === '') return `failed decoding: Object 'Kind' is missing in '${writeJson(fields)}'`;
  if (apiVersion === undefined || apiVersion === '') {
    return `failed decoding: Object 'apiVersion' is missing in '${writeJson(fields)}'`;
  }
  const named = `no kind ${goQuote(textOf(kind))} is registered for version ${goQuote(textOf(apiVersion))}`;
  return `failed decoding: ${named} in scheme "k8s.io/apiserver/pkg/audit/scheme.go:30"`;
}

const textOf = (value: Fields[string]): string => (typeof value === 'string' ? value : writeJson(value ?? null));

interface DecodedPolicy {
  readonly rules: readonly (DecodedRule & Omit<AuditPolicyRule, 'level' | 'omitStages'>)[];
  readonly omitStages: readonly string[];
  readonly omitManagedFields: boolean;
}

const root = { struct: 'Policy', path: '' };
const inRule = { struct: 'PolicyRule', path: 'rules' };
const inResources = { struct: 'GroupResources', path: 'rules.resources' };

function decode(fields: Fields, reader: FieldReader): DecodedPolicy {
  reader.only(fields, ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields'], '');
  return {
    rules: reader.objects(fields, 'rules', root, 'v1.PolicyRule').map((rule, index) => decodeRule(rule, index, reader)),
    omitStages: reader.texts(fields, 'omitStages', root, 'v1.Stage'),
    omitManagedFields: reader.truth(fields, 'omitManagedFields', root) ?? false,
  };
}

const ruleFields = [
  'level',
  'users',
  'userGroups',
  'verbs',
  'resources',
  'namespaces',
  'nonResourceURLs',
  'omitStages',
  'omitManagedFields',
];

function decodeRule(rule: Fields, index: number, reader: FieldReader): DecodedPolicy['rules'][number] {
  reader.only(rule, ruleFields, `rules[${index}]`);
  const texts = (name: string): readonly string[] => reader.texts(rule, name, inRule);
  return {
    level: reader.text(rule, 'level', inRule, 'v1.Level'),
    users: texts('users'),
    userGroups: texts('userGroups'),
    verbs: texts('verbs'),
    resources: reader
      .objects(rule, 'resources', inRule, 'v1.GroupResources')
      .map((one, at) => decodeResources(one, `rules[${index}].resources[${at}]`, reader)),
    namespaces: texts('namespaces'),
    nonResourceURLs: texts('nonResourceURLs'),
    omitStages: reader.texts(rule, 'omitStages', inRule, 'v1.Stage'),
    omitManagedFields: reader.truth(rule, 'omitManagedFields', inRule),
  };
}

function decodeResources(fields: Fields, at: string, reader: FieldReader): GroupResources {
  reader.only(fields, ['group', 'resources', 'resourceNames'], at);
  return {
    group: reader.text(fields, 'group', inResources),
    resources: reader.texts(fields, 'resources', inResources),
    resourceNames: reader.texts(fields, 'resourceNames', inResources),
  };
}

const levelOf = (rule: DecodedRule): Level => levels.find((level) => level === rule.level) ?? 'None';

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
  const texts = [...new Set(rules.flatMap((rule, index) => problemsOf(rule, `rules[${index}]`)).map(fieldErrorText))];
  return texts.length > 1 ? `[${texts.join(', ')}]` : (texts[0] ?? '');
}

function problemsOf(rule: DecodedRule, path: string): readonly FieldError[] {
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
