import { asString, type JsonValue } from '../../src/machinery/json/json.ts';
import { type Claim, contradictionIn, didProblem, skipProblem, unless } from './claims.ts';
import { at, callsOf, changes, type WebhookCall, hasEffect, policyNamed, type Truth, webhookNamed } from './truth.ts';
import { parsePaths } from './parse-sentence.ts';

const messageOf = ({ played }: Truth): string => asString(played.body['message']);

/** The calls for the object that the webhook was called for last, in order. */
export function lastCalls(truth: Truth, name: string): readonly WebhookCall[] {
  const all = callsOf(truth, name);
  const last = all.at(-1);
  return all.filter((one) => one.object === last?.object);
}

/** `mutating webhook a (conf) …` and `policy p (binding b) …`, then each part by itself. */
export const headlineClaims: readonly Claim[] = [
  [
    /^(?:mutating|validating) webhook (?<name>\S+) \((?<conf>[\w-]+)(?<anywhere>, all namespaces)?\) (?<words>[^]*)$/,
    ({ name = '', conf, anywhere, words = '' }, truth) => {
      const own = webhookNamed(truth, name);
      if (own === undefined || own.configuration !== conf) return 'it is in another configuration';
      if (anywhere !== '' && own.entry['namespaceSelector'] !== undefined) return 'it has a namespaceSelector';
      return checkParts(words, (part) => contradictionIn(part, webhookClaims(name), truth));
    },
  ],
  [
    /^policy (?<name>\S+)(?: \(binding (?<binding>\S+)\))? (?<words>[^]*)$/,
    ({ name = '', binding = '', words = '' }, truth) => {
      if (binding !== '' && !policyNamed(truth, name)?.bindings.includes(binding)) return 'it has no such binding';
      return checkParts(words, (part) => contradictionIn(part, policyClaims(name), truth));
    },
  ],
  [
    /^no webhook was called: none of the (?<count>\d+) webhooks matches /,
    ({ count }, truth) =>
      unless(truth.done.length === 0 && truth.chain.webhooks.length === Number(count), 'some were called'),
  ],
  [
    /^no webhook was called: the only webhook does not match /,
    (_words, truth) => unless(truth.done.length === 0 && truth.chain.webhooks.length === 1, 'some were called'),
  ],
  [
    /^no webhook was called: no webhook configuration is stored on this server$/,
    (_words, truth) => unless(truth.chain.webhooks.length === 0, 'there are configurations'),
  ],
  [
    /^no webhook was called: admission was not reached$/,
    (_words, truth) => unless(truth.done.length === 0, 'some were called'),
  ],
  [
    /^no webhook was (?:considered|called) before the refusal$/,
    (_words, truth) => unless(truth.done.length === 0, 'some were called'),
  ],
  [
    /^refused by the API server itself, (?<place>before admission|after the mutating webhooks|after admission): (?<message>[^]*)$/,
    ({ place, message }, truth) => {
      if (truth.isAdmitted || message !== messageOf(truth)) return 'the client received something else';
      if (truth.done.some(({ outcome }) => outcome === 'denied')) return 'a webhook denied it';
      if (place === 'before admission' && truth.done.length > 0) return 'webhooks were called';
      return unless(
        place === 'after admission' || !truth.done.some(({ phase }) => phase === 'Validating'),
        'validating webhooks were called',
      );
    },
  ],
  [
    /^(?:mutating|validating) plugin \S+ denied: (?<message>[^]*)$/,
    ({ message }, truth) => unless(message === messageOf(truth), 'the client received something else'),
  ],
];

/** `check received the Pod after side (sidecars) added container late and tag (tags) added label t: …` */
export const denialHints: readonly Claim[] = [
  [
    /^(?<name>\S+) received the (?:ConfigMap|Pod|Eviction|DeleteOptions) after (?<what>.*?)(?:, and \d+ more| and \d+ more)?: [^:]*$/,
    ({ name = '', what = '' }, truth) => {
      const denial = callsOf(truth, name).find(({ outcome }) => outcome === 'denied');
      if (truth.isAdmitted) return 'it was admitted';
      if (webhookNamed(truth, name) !== undefined && denial === undefined) return 'it did not deny it';
      return what
        .split(/(?:, | and )(?=(?:policy )?[\w.-]+(?: \([\w-]+\))? (?:added|changed|removed) )/)
        .map((part) => changedBeforeProblem(part, denial, truth))
        .find((problem) => problem !== undefined);
    },
  ],
];

function changedBeforeProblem(words: string, denial: WebhookCall | undefined, truth: Truth): string | undefined {
  const [, policy, by = '', did = ''] =
    /^(policy )?([\w.-]+)(?: \([\w-]+\))? ((?:added|changed|removed) .*)$/.exec(words) ?? [];
  if (by === '') return `cannot read ${words}`;
  if (policy !== undefined) return unless(policyNamed(truth, by) !== undefined, 'there is no such policy');
  const calls = callsOf(truth, by).filter((one) => denial === undefined || one.at < denial.at);
  return calls.some((call) => didProblem(did, call) === undefined) ? undefined : `${by} did not do this: ${did}`;
}

const partings = /; (?=changes made later |called again|evaluated again|not called |not evaluated )/;

function checkParts(words: string, problemOf: (part: string) => string | undefined): string | undefined {
  return words
    .split(partings)
    .map(problemOf)
    .find((problem) => problem !== undefined);
}

const failurePolicyOf = (truth: Truth, name: string): string =>
  asString(webhookNamed(truth, name)?.entry['failurePolicy'] ?? policyNamed(truth, name)?.spec['failurePolicy']);

const webhookClaims = (name: string): readonly Claim[] => [
  [
    /^was not called: (?<why>[^]*)$/,
    ({ why = '' }, truth) => (callsOf(truth, name).length > 0 ? 'it was called' : skipProblem(why, name, truth)),
  ],
  [/^was called and allowed it$/, (_words, truth) => unless(hasAllowed(truth, name), 'it did not allow it')],
  [
    /^was called and changed nothing both times$/,
    (_words, truth) => {
      const calls = lastCalls(truth, name);
      return unless(calls.length === 2 && !calls.some(hasEffect), 'it did something else');
    },
  ],
  [
    /^was called and (?<did>[^]*)$/,
    ({ did = '' }, truth) => {
      const calls = lastCalls(truth, name);
      // Whether it is complete: a second call has its own part.
      return didProblem(did, calls[0]);
    },
  ],
  [
    /^called again in the second round and (?<did>[^]*)$/,
    ({ did = '' }, truth) => didProblem(did, secondCall(truth, name)),
  ],
  [
    /^not called again in the second round: (?<why>[^]*)$/,
    ({ why = '' }, truth) => {
      if (lastCalls(truth, name).length === 0) return 'it was not called at all';
      if (secondCall(truth, name) !== undefined) return 'it was called again';
      return skipProblem(why, name, truth);
    },
  ],
  [
    /^not called for (?<object>\S+): (?<why>[^]*)$/,
    ({ object, why = '' }, truth) =>
      callsOf(truth, name).some((one) => one.object === object)
        ? 'it was called for that'
        : skipProblem(why, name, truth),
  ],
  [
    /^not called again when the request was admitted again[^:]*: (?:what was marked as being deleted is removed\)(?:, in the second round)?: )?(?<why>[^]*)$/,
    ({ why = '' }, truth) =>
      callsOf(truth, name).length === 0 ? 'it was not called at all' : skipProblem(why, name, truth),
  ],
  [
    /^changes made later by (?:policy )?(?<by>\S+)(?: \([\w-]+\))?(?<others> and others)? were not seen \((?<what>.*)\)(?:: (?<why>.*))?$/,
    ({ what = '', by = '', others }, truth) => unseenProblem({ name, what, by, isAlone: others === '' }, truth),
  ],
  [
    /^denied(?<second> in the second round)?(?:: (?<message>[^]*)| without explanation)$/,
    ({ second, message }, truth) => {
      const denial = callsOf(truth, name).find(({ outcome }) => outcome === 'denied');
      if (denial === undefined) return 'it did not deny it';
      if (denial.message !== message) return `it said ${denial.message}`;
      return unless((second !== '') === (denial.round === 1) && !truth.isAdmitted, 'it was in another round');
    },
  ],
  [
    /^failed [^]*; (?<end>failurePolicy Ignore let the request pass|failurePolicy Fail refused the request|that refuses the request)$/,
    ({ end }, truth) => {
      if (!callsOf(truth, name).some(({ outcome }) => outcome === 'failed')) return 'no call failed';
      if (end === 'that refuses the request') return unless(!truth.isAdmitted, 'it was admitted');
      const isOpen = end === 'failurePolicy Ignore let the request pass';
      if (isOpen !== (failurePolicyOf(truth, name) === 'Ignore')) return 'it has another failurePolicy';
      return unless(isOpen || !truth.isAdmitted, 'it was admitted');
    },
  ],
  [
    /^refused the request before the call, since a matchCondition failed and failurePolicy is Fail: (?<message>[^]*)$/,
    (_words, truth) => unless(failurePolicyOf(truth, name) === 'Fail' && !truth.isAdmitted, 'it was admitted'),
  ],
];

const hasAllowed = (truth: Truth, name: string): boolean =>
  callsOf(truth, name).some(({ outcome }) => outcome === 'allowed');

const secondCall = (truth: Truth, name: string): WebhookCall | undefined =>
  lastCalls(truth, name).find(({ round }) => round === 1);

interface Unseen {
  readonly name: string;
  readonly what: string;
  readonly by: string;
  readonly isAlone: boolean;
}

/** Whether the other one changed it after the last call. A policy's change is visible in a stored or received object. */
export function unseenProblem({ name, what, by, isAlone }: Unseen, truth: Truth): string | undefined {
  const paths = parsePaths(what);
  if (paths === undefined) return `cannot read ${what}`;
  const last = lastCalls(truth, name).at(-1);
  const later = truth.done.filter((one) => last === undefined || one.at > last.at);
  if (policyNamed(truth, by) === undefined && !later.some((one) => one.webhook === by && hasEffect(one)))
    return `${by} changed nothing later`;
  if (policyNamed(truth, by) !== undefined || !isAlone) return undefined;
  const own = later.filter((one) => one.webhook === by);
  return unless(
    paths.every((path) => own.some((one) => changes(one, path))),
    `${by} did not change all of it`,
  );
}

/** Each mutating policy of a chain sets its own annotation on every evaluation without an error. */
export const hasMark = (truth: Truth, name: string): boolean => truth.states.some((state) => hasMarkIn(state, name));

export const hasMarkIn = (object: JsonValue | undefined, name: string): boolean =>
  at(object, ['metadata', 'annotations', `policy/${name}`]) !== undefined;

const isInMessage = (truth: Truth, name: string): boolean => messageOf(truth).includes(`'${name}'`);

export const policyClaims = (name: string): readonly Claim[] => [
  [
    /^(?:was )?not evaluated(?: again in the second round| for \S+| again when the request was admitted again \([^)]*\)(?:, in the second round)?)?: (?<why>[^]*)$/,
    ({ why = '' }, truth) => skipProblem(why, name, truth),
  ],
  [
    /^changed the object in [\d.]+ ms$/,
    (_words, truth) => unless(hasMark(truth, name) || !truth.isAdmitted, 'nothing has its mark'),
  ],
  [/^(?:evaluated again in the second round and )?changed (?:nothing|the object) in [\d.]+ ms$/, () => undefined],
  [/^evaluated again in the second round and /, () => undefined],
  [/^changed nothing both times$/, () => undefined],
  [
    /^denied in [\d.]+ ms: [^]*$/,
    (_words, truth) => unless(isInMessage(truth, name) || !truth.isAdmitted, 'the client received something else'),
  ],
  [/^allowed in [\d.]+ ms: \d+ validations? true$/, (_words, truth) => unless(!isInMessage(truth, name), 'it denied')],
  [
    /^failed: [^]*; failurePolicy (?<policy>Ignore let the request pass|Fail refused the request)$/,
    ({ policy = '' }, truth) => {
      if (!policy.startsWith(failurePolicyOf(truth, name))) return 'it has another failurePolicy';
      return unless(policy.startsWith('Ignore') || !truth.isAdmitted, 'it was admitted');
    },
  ],
];

export const webhookSentences = webhookClaims;
