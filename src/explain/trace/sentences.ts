import type {
  ConditionRecord,
  ExpressionValue,
  LookedAt,
  RuleMismatch,
  SkipReason,
} from '../../apiserver/admission/chain/skip-reason.ts';
import { isReview } from '../../machinery/meta/hidden-reviews.ts';
import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import type { TracedRequest, TracedWebhook } from './trace.ts';
import type { Hold } from '../../apiserver/admission/webhooks/call.ts';

type RequestedResource = Pick<TracedRequest, 'group' | 'resource' | 'subresource' | 'version'>;

/** The clause that skipped a webhook, as a sentence without its full stop. */
export function skipSentence(
  reason: SkipReason,
  request: RequestedResource,
  { definition }: Pick<TracedWebhook, 'definition'> = {},
): string {
  switch (reason.because) {
    case 'no-rule-matched':
      return ruleSentence(reason.nearest, request, definition);
    case 'namespaceSelector':
      return `namespaceSelector requires ${reason.wants}; namespace ${reason.namespace} has ${labelsText(reason.labels)}${rulesHint(reason)}`;
    case 'objectSelector':
      return `objectSelector requires ${reason.wants}; ${lookedText(reason.looked)}${rulesHint(reason)}`;
    case 'matchCondition':
      return `matchCondition ${reason.condition} is false: ${reason.expression}${valuesText(reason.values)}`;
    case 'matchCondition-error':
      return `a matchCondition failed and failurePolicy is Ignore: ${reason.error}`;
    case 'not-reinvoked':
      return notReinvoked[reason.detail];
    case 'not-bound':
      return 'no binding names it: a policy without one is never evaluated';
    case 'excluded':
      return `excludeResourceRules[${reason.rule}] matches`;
    case 'no-params':
      return `there is no ${reason.wants}, and parameterNotFoundAction is Allow`;
    case 'exempt':
      return `kube-apiserver calls no webhook for a ${reason.kind}${sinceWhen(request)}`;
  }
}

const sinceWhen = (request: RequestedResource): string => (isReview(request) ? ' since 1.37' : '');

/** Traces of earlier versions may not say. */
const rulesHint = ({ rulesMatch }: { readonly rulesMatch?: boolean }): string =>
  rulesMatch === false ? ' (its rules do not match either)' : '';

const notReinvoked = {
  'reinvocationPolicy-Never': 'no second call: its reinvocationPolicy is Never',
  'not-called-in-round-0': 'no second call: it was not called in the first round',
  'nothing-changed-since': 'no second call: nothing changed after its call',
} as const;

type Part = RuleMismatch['parts'][number];

/** `rules[0] matches but for the operation: requires CREATE, and this is UPDATE`. */
function ruleSentence(
  nearest: RuleMismatch | null,
  request: RequestedResource,
  definition: JsonObject | undefined,
): string {
  if (!nearest) return 'it has no rules';
  const { rule, parts } = nearest;
  const [only] = parts;
  if (parts.length === 1 && only) {
    const wanted = asList(asObject(asList(definition?.['rules'])[rule])['resources']).map(asString);
    return `rules[${rule}] matches but for the ${partName(only)}: ${partText(only, request, wanted)}`;
  }
  const others = parts.map((part) => `${partName(part)} ${joinOr(part.wants)} (this is ${quoteEmpty(part.has)})`);
  return `no rule matches: the nearest, rules[${rule}], requires ${others.join(', ')}`;
}

const partName = ({ part }: Part): string => (part === 'apiGroup' ? 'group' : part === 'apiVersion' ? 'version' : part);

function partText({ part, wants, has }: Part, request: RequestedResource, resources: readonly string[]): string {
  const { resource, subresource, version } = request;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  if (part === 'apiGroup') {
    return `requires ${joinOr(resources)} in ${groups(wants)}, and this is ${full} in ${groups([has])}`;
  }
  if (part === 'resource' || part === 'apiVersion') return `requires ${joinOr(wants)}, and this is ${has || version}`;
  return `requires ${joinOr(wants)}, and this is ${has}`;
}

const groups = (names: readonly string[]): string =>
  names.length === 1 && names[0] === '' ? 'the core group ""' : `group ${joinOr(names)}`;

/** `a`, `a or b`. */
const joinOr = (texts: readonly string[]): string => texts.map(quoteEmpty).join(' or ');

const quoteEmpty = (text: string): string => (text === '' ? '""' : text);

/** `team=blue, env=test`, or `no labels`. */
export function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? 'no labels' : pairs.join(', ');
}

function lookedText(looked: readonly LookedAt[]): string {
  if (looked.length === 0) return 'there is no object to look at';
  return looked
    .map(({ which, kind, name, labels }) => {
      const what = `the ${which === 'oldObject' ? 'old ' : ''}${kind}${name === '' ? '' : ` ${name}`}`;
      return labels === null ? `${what} has no metadata to look at` : `${what} has ${labelsText(labels)}`;
    })
    .join('; ');
}

/** `matchCondition is-create is true`. */
export function conditionSentence(record: ConditionRecord): string {
  const about = `matchCondition ${record.condition}`;
  if (record.result === 'true') return `${about} is true`;
  if (record.result === 'false') return `${about} is false${valuesText(record.values)}`;
  const { error, values } = record;
  const place = values.find(({ value }) => value === error);
  const others = values.filter((one) => one !== place);
  return `${about} failed${place ? ` at ${place.expression}` : ''}: ${error}${valuesText(others)}`;
}

/** ` (object.kind was "Pod")`, or nothing. */
export const valuesText = (values: readonly ExpressionValue[]): string =>
  values.length === 0 ? '' : ` (${values.map(({ expression, value }) => `${expression} was ${value}`).join('; ')})`;

/** `12.3 ms`, `4.0 s`. */
export const durationText = (milliseconds: number): string =>
  milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${milliseconds.toFixed(1)} ms`;

/** The duration of a call without the time at breakpoints, in milliseconds. */
export const ownMilliseconds = ({
  milliseconds: all,
  holds = [],
}: Pick<TracedWebhook, 'milliseconds' | 'holds'>): number =>
  holds.reduce((left, hold) => left - hold.milliseconds, all);

/** The time of a request at breakpoints. Validating webhooks may be held at the same time. */
export function heldMilliseconds(holds: readonly Pick<Hold, 'startedAt' | 'milliseconds'>[]): number {
  let [held, until] = [0, 0];
  for (const { startedAt, milliseconds } of holds.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const end = startedAt + milliseconds;
    held += Math.max(0, end - Math.max(startedAt, until));
    until = Math.max(until, end);
  }
  return held;
}

/** `; held 2.5 s before the call, continued by alice`; empty when it was not held. */
export const holdText = ({ holds = [] }: Pick<TracedWebhook, 'holds'>): string => holds.map(describeHold).join('');

const describeHold = ({ moment, milliseconds: held, ended, by }: Hold): string =>
  `; held ${durationText(held)} ${moment} the call, ${endings[ended]}${by === '' ? '' : ` by ${by}`}`;

const endings = {
  continued: 'continued',
  answered: 'answered',
  canceled: 'until the client went away',
  closed: 'until the server was stopped',
} as const;
