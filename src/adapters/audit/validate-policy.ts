import { fieldErrorText, invalidValue, notSupported, required } from '../../machinery/meta/field-error.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';
import { dns1123Subdomain } from '../../machinery/meta/names.ts';
import { levels, stages } from './policy.ts';
import type { GroupResources } from './policy.ts';

/** A rule as the file has it: level and stages may be any text. */
export interface DecodedRule {
  readonly level: string;
  readonly nonResourceURLs: readonly string[];
  readonly namespaces: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly omitStages: readonly string[];
}

/** What is wrong with the rules, in one text; '' when nothing is. Follows apiserver pkg/apis/audit/validation/validation.go. */
export function ruleProblems(rules: readonly DecodedRule[]): string {
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
