import { asList, asObject, asString, type JsonValue } from '../../src/machinery/json/json.ts';
import { at, callsOf, type WebhookCall, hasEffect, type Path, policyNamed, type Truth, webhookNamed } from './truth.ts';
import { parseChanges } from './parse-sentence.ts';

/** A form of sentence, and what contradicts it; undefined for nothing. */
export type Claim = readonly [
  form: RegExp,
  contradiction: (words: Readonly<Record<string, string>>, truth: Truth) => string | undefined,
];

export const unless = (isTrue: boolean, problem: string): string | undefined => (isTrue ? undefined : problem);

/** Checks a sentence with the first claim of its form. A sentence of an unknown form is an error of the test. */
export function contradictionIn(sentence: string, claims: readonly Claim[], truth: Truth): string | undefined {
  for (const [form, contradiction] of claims) {
    const found = form.exec(sentence);
    if (found === null) continue;
    const words = Object.fromEntries(Object.entries(found.groups ?? {}).map(([key, value]) => [key, value ?? '']));
    return contradiction(words, truth);
  }
  return 'a sentence of an unknown form';
}

/** Whether `added label team, changed data.k` describes this call. */
export function didProblem(words: string, done: WebhookCall | undefined): string | undefined {
  if (done === undefined) return 'there was no such call';
  const [, dropped] = /^changed nothing \((.*), which makes no difference to the API server\)$/.exec(words) ?? [];
  if (dropped !== undefined) return unless(done.hasPatch && !hasEffect(done), 'it changed something');
  const did = parseChanges(words);
  if (did === undefined) return `cannot read ${JSON.stringify(words)}`;
  if (did.length === 0) return unless(!hasEffect(done), 'it changed something');
  if (!hasEffect(done)) return 'it changed nothing';
  const wrong = did.flatMap(({ verb, paths }) =>
    paths.filter((path) => !isDone(verb, path, done)).map((path) => `${verb} ${path.join('.')}`),
  );
  return wrong.length === 0 ? undefined : `it did not do this: ${wrong.join(', ')}`;
}

function isDone(verb: 'added' | 'changed' | 'removed', path: Path, { before, after }: WebhookCall): boolean {
  const [old, now] = [at(before, path), at(after, path)];
  if (verb === 'added') return old === undefined && now !== undefined;
  if (verb === 'removed') return old !== undefined && now === undefined;
  return old !== undefined && now !== undefined && JSON.stringify(old) !== JSON.stringify(now);
}

/** The reasons of a skip; `name` is a webhook or policy. */
export function skipProblem(sentence: string, name: string, truth: Truth): string | undefined {
  const bare = sentence
    .replace(/; changes made later .*$/, '')
    .replace(/ \(its rules do not match either\)/, '')
    .replace(/^the binding's /, '');
  return contradictionIn(bare, skipClaims(name), truth);
}

const resourceOf = ({ played }: Truth): string => /\/(configmaps|pods)/.exec(played.request.target)?.[1] ?? '';

/** The configuration: rules, selectors, conditions. */
function findConfiguration(name: string, truth: Truth) {
  const { entry } = webhookNamed(truth, name) ?? {};
  if (entry) return { rules: asList(entry['rules']), own: entry, conditions: asList(entry['matchConditions']) };
  const { spec = {} } = policyNamed(truth, name) ?? {};
  const match = asObject(spec['matchConstraints']);
  return { rules: asList(match['resourceRules']), own: match, conditions: asList(spec['matchConditions']), spec };
}

const skipClaims = (name: string): readonly Claim[] => [
  [
    /^rules\[0\] matches but for the (?<part>operation|resource): requires (?<wants>.*), and this is (?<has>\S+)$/,
    ({ part = '', wants = '', has }, truth) => {
      const rule = asObject(findConfiguration(name, truth).rules[0]);
      const listed = asList(rule[`${part}s`]).map(String);
      const is = part === 'operation' ? truth.operation : resourceOf(truth);
      if (is !== has) return `this is ${is}`;
      return unless(
        listed.join(' or ') === wants && !listed.includes(is) && !listed.includes('*'),
        `it has ${listed.join()}`,
      );
    },
  ],
  [
    /^no rule matches: the nearest, rules\[0\], requires (?<wants>.*)$/,
    (_words, truth) => {
      const { operations, resources } = asObject(findConfiguration(name, truth).rules[0]);
      const has = (list: JsonValue | undefined, one: string): boolean =>
        asList(list).includes(one) || asList(list).includes('*');
      return unless(!has(operations, truth.operation) && !has(resources, resourceOf(truth)), 'a part of it matches');
    },
  ],
  [
    /^objectSelector requires (?<wants>[^;]*); (?<looked>.*)$/,
    ({ looked = '' }, truth) => {
      if (findConfiguration(name, truth).own['objectSelector'] === undefined) return 'it has no objectSelector';
      const wrong = looked.split('; ').filter((one) => !isLabelled(one, truth));
      return unless(wrong.length === 0, `no such object: ${wrong.join('; ')}`);
    },
  ],
  [
    /^namespaceSelector requires [^;]*; namespace default has kubernetes\.io\/metadata\.name=default$/,
    (_words, truth) =>
      unless(findConfiguration(name, truth).own['namespaceSelector'] !== undefined, 'it has no namespaceSelector'),
  ],
  [
    /^matchCondition when is false: (?<rest>[^]*)$/,
    ({ rest = '' }, truth) => {
      const { expression } = asObject(findConfiguration(name, truth).conditions[0]);
      return unless(typeof expression === 'string' && rest.startsWith(expression), 'it has no such condition');
    },
  ],
  [
    /^a matchCondition failed and failurePolicy is Ignore: /,
    (_words, truth) => {
      const { own, spec = own, conditions } = findConfiguration(name, truth);
      return unless(spec['failurePolicy'] === 'Ignore' && conditions.length > 0, 'it is not configured like this');
    },
  ],
  [
    /^no second call: its reinvocationPolicy is Never$/,
    (_words, truth) => {
      const { own, spec = own } = findConfiguration(name, truth);
      return unless(spec['reinvocationPolicy'] === 'Never', 'its reinvocationPolicy is IfNeeded');
    },
  ],
  [
    /^no second call: it was not called in the first round$/,
    (_words, truth) => unless(callsOf(truth, name).length === 0, 'it was called'),
  ],
  [
    /^no second call: nothing changed after its call$/,
    (_words, truth) => {
      const last = callsOf(truth, name).at(-1);
      const later = truth.done.filter(
        (one) => last && one.at > last.at && one.phase === 'Mutating' && one.object === last.object,
      );
      return unless(!later.some(hasEffect), 'something changed after its turn');
    },
  ],
  [
    /^no binding names it: a policy without one is never evaluated$/,
    (_words, truth) => unless(policyNamed(truth, name)?.bindings.length === 0, 'it has bindings'),
  ],
];

/** `the ConfigMap web has team=web`, `the old Pod web has no labels`: whether it had them in any state. */
function isLabelled(words: string, { states, chain }: Truth): boolean {
  if (words === 'there is no object to look at') return true;
  const [, name, labels = ''] = /^the (?:old )?(?:ConfigMap|Pod|DeleteOptions)(?: (\S+))? has (.*)$/.exec(words) ?? [];
  const claimed = labels === 'no labels' ? [] : labels.split(', ');
  const hasPolicies = chain.policies.some(({ phase }) => phase === 'Mutating');
  const known = (labels: readonly string[]): string =>
    (hasPolicies ? withoutPolicies(labels) : labels).toSorted().join();
  return states.some((state) => {
    const all = Object.entries(asObject(at(state, ['metadata', 'labels'])));
    const own = all.map(([key, value]) => `${key}=${asString(value)}`);
    const isIt = name === undefined || at(state, ['metadata', 'name']) === name;
    return isIt && known(own) === known(claimed);
  });
}

/** Changes of a policy are invisible to stubs when no webhook is called after it. */
const withoutPolicies = (labels: readonly string[]): readonly string[] =>
  labels.filter((label) => label !== 'policy=yes' && !label.startsWith('team='));
