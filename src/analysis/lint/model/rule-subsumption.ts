import type { Operation } from '../../../apiserver/admission/chain/attributes.ts';
import type { AdmissionWebhook } from '../../../apiserver/admission/webhooks/read-webhooks.ts';
import { parseExpression } from '../../../cel/index.ts';
import type { Labels, Requirement } from '../../../machinery/selectors/label-requirement.ts';
import type { SelectorReading } from '../../../machinery/selectors/label-selector.ts';
import { evaluateTruth } from './expression-truth.ts';
import type { LintHook } from './lint-set.ts';
import { requestFacts } from './request-facts.ts';
import type { MatchedRequest, ServedRow } from './served-rows.ts';

/** A write, as far as it is known in advance. */
export interface PossibleWrite {
  /** `create a Pod`. */
  readonly title: string;
  readonly operation: Operation;
  readonly row: ServedRow;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly namespaceLabels: KnownLabels;
  readonly labels: KnownLabels;
}

export interface KnownLabels {
  readonly labels: Labels;
  /** False: there may be further labels. */
  readonly isWhole: boolean;
}

/** `perhaps`: an unknown label or a match condition may exclude it. */
type WriteMatch =
  | { readonly outcome: 'no' }
  | { readonly outcome: 'yes' }
  | { readonly outcome: 'perhaps'; readonly unless: string };

const noMatch: WriteMatch = { outcome: 'no' };
const certainMatch: WriteMatch = { outcome: 'yes' };

export const matchesRules = ({ seen }: Pick<LintHook, 'seen'>, { row, operation }: PossibleWrite): boolean =>
  operationsByRow(seen).get(row)?.has(operation) === true;

/** Whether the webhook would be called for this write. */
export function matchesWrite(hook: LintHook, write: PossibleWrite): WriteMatch {
  const { webhook } = hook;
  const { namespaceSelector, objectSelector } = webhook;
  if (!matchesRules(hook, write)) return noMatch;
  const byNamespace =
    write.namespace === '' ? undefined : selectorOutcome(namespaceSelector, write.namespaceLabels, 'its namespace has');
  if (byNamespace === 'no') return noMatch;
  const byObject = selectorOutcome(objectSelector, write.labels, 'the object has');
  if (byObject === 'no') return noMatch;
  const byConditions = conditionsOutcome(webhook, write);
  if (byConditions === 'no') return noMatch;
  if (byNamespace === undefined && byObject === undefined && byConditions === undefined) return certainMatch;
  const unless = [byNamespace, byObject, byConditions].filter((one) => one !== undefined);
  return { outcome: 'perhaps', unless: unless.join(', or ') };
}

/** undefined: it matches. Otherwise that it does not match, or what may exclude it. */
function selectorOutcome(
  reading: SelectorReading,
  { labels, isWhole }: KnownLabels,
  whose: string,
): string | undefined {
  if (reading.outcome === 'unparsable') return 'no';
  const { selector } = reading;
  if (!selector.matches(labels)) return 'no';
  if (isWhole) return undefined;
  const open = selector.requirements.find(
    ({ key, operator }) => labels[key] === undefined && (operator === 'notin' || operator === '!'),
  );
  if (open === undefined) return undefined;
  const value = open.values[0];
  return `${whose} the label ${open.key}${value === undefined ? '' : `=${value}`}`;
}

/** A failing condition skips the webhook with failurePolicy Ignore; with Fail the write is denied anyway. */
function conditionsOutcome(
  { matchConditions, failurePolicy }: AdmissionWebhook,
  write: PossibleWrite,
): string | undefined {
  if (matchConditions.length === 0) return undefined;
  const facts = writeFacts(write);
  let open: string | undefined;
  for (const condition of matchConditions) {
    const tree = parseExpression(condition.expression);
    const truth = tree === undefined ? undefined : evaluateTruth(tree, facts);
    if (truth?.outcome === 'value' && truth.value === false) return 'no';
    if (truth?.outcome === 'error' && failurePolicy === 'Ignore') return 'no';
    if (truth === undefined || truth.outcome === 'unknown') open = `match condition ${condition.name} says no`;
  }
  return open;
}

/** Every webhook is compared with every write: facts are computed once per write. */
const writeFacts = once(({ operation, row, namespace }: PossibleWrite) => ({
  values: requestFacts(operation, row, { namespace }),
  variables: new Map(),
}));
const operationsByRow = once((seen: readonly MatchedRequest[]) => {
  const byRow = new Map<ServedRow, Set<Operation>>();
  for (const { row, operation } of seen) byRow.set(row, (byRow.get(row) ?? new Set()).add(operation));
  return byRow;
});

/** Rules compare each webhook with each write: `kadmit lint` of hundreds of webhooks would take minutes. */
function once<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found) return found.value;
    const value = make(key);
    known.set(key, { value });
    return value;
  };
}

export function findContradiction(requirements: readonly Requirement[]): string | undefined {
  for (const [index, one] of requirements.entries()) {
    for (const other of requirements.slice(index + 1)) {
      if (one.key === other.key && excludes(one, other))
        return `${one.key} ${requirementText(one)} and ${requirementText(other)}`;
    }
  }
  return undefined;
}

/** `contradicts`: whether one of these cannot be added. */
interface Requirements {
  readonly contradicts: (more: readonly Requirement[]) => boolean;
  readonly add: (more: readonly Requirement[]) => void;
}

export function createRequirements(): Requirements {
  const byKey = new Map<string, Requirement[]>();
  const sameKey = ({ key }: Requirement): Requirement[] => {
    const known = byKey.get(key) ?? [];
    byKey.set(key, known);
    return known;
  };
  return {
    contradicts: (more) =>
      findContradiction(more) !== undefined || more.some((one) => sameKey(one).some((other) => excludes(one, other))),
    add: (more) => {
      for (const one of more) sameKey(one).push(one);
    },
  };
}

const isPositive = ({ operator }: Requirement): boolean => operator === 'in' || operator === '=' || operator === '==';
const isPresent = (one: Requirement): boolean => isPositive(one) || hasOperator(one, 'exists');
const hasOperator = ({ operator }: Requirement, wanted: Requirement['operator']): boolean => operator === wanted;

function excludes(one: Requirement, other: Requirement): boolean {
  const [first, second] = isPositive(one) ? [one, other] : [other, one];
  if (isPositive(first) && isPositive(second)) return !first.values.some((value) => second.values.includes(value));
  if (isPositive(first) && hasOperator(second, 'notin'))
    return first.values.every((value) => second.values.includes(value));
  return (isPresent(one) && hasOperator(other, '!')) || (isPresent(other) && hasOperator(one, '!'));
}

const operatorNames: Readonly<Partial<Record<Requirement['operator'], string>>> = {
  in: 'In',
  '=': 'is',
  '==': 'is',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

const requirementText = ({ operator, values }: Requirement): string =>
  `${operatorNames[operator] ?? operator}${values.length === 0 ? '' : ` ${operator === 'in' || operator === 'notin' ? `[${values.join(', ')}]` : values.join(', ')}`}`;
