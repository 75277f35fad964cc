import { type FieldPath, pathText, membersOf } from '../../trace/field-path.ts';
import { actorOf, actorText, type Evidence, type Finding, isSameActor } from '../finding.ts';
import { isCallee } from '../conflicts.ts';
import { describeChange, describeField } from '../describe-field.ts';
import { decisionCalled } from '../per-item-mutations.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';
import { asObject, asString, isJsonObject, isList, type JsonValue } from '../../../machinery/json/json.ts';
import type { Trace, TracedDecision } from '../../trace/trace.ts';
import { causePath, isSamePath, valueIn } from '../list-items.ts';

/** A webhook allows a request and denies it in the second round, after its own changes and those of others. */
export const refusedOwnWork = (view: TraceView): readonly Finding[] =>
  view.decisions.flatMap((again) => {
    if (again.record.phase !== 'mutating' || again.round === 0 || again.record.outcome !== 'denied') return [];
    const first = view.decisions.find((one) => decisionCalled(one) && one.round === 0 && one.callee === again.callee);
    return first === undefined ? [] : [ownWorkFinding(again, first, view)];
  });

function ownWorkFinding(again: ViewedDecision, first: ViewedDecision, { decisions }: TraceView): Finding {
  const between = decisions.filter((one) => one.at >= first.at && one.at < again.at && isCallee(one) && one.hasEffect);
  const isOwnWork = first.hasEffect;
  const others = between.filter((one) => one !== first).map((one) => one.actor);
  return {
    rule: 'refused-own-work',
    severity: 'error',
    title: `${actorText(again.actor)} denied in the second round what it had allowed in the first`,
    where: {
      actors: [again.actor, ...others],
      fields: between.flatMap(({ changes }) => changes.map(({ path }) => pathText(path))),
    },
    evidence: between.map(changedText),
    remedy: isOwnWork
      ? `${again.actor.name} is reinvoked after later changes and receives its own change too: allow that change, or deny in a validating webhook, which is called once`
      : `${again.actor.name} is reinvoked after later changes: deny in a validating webhook, which is called once with the final object`,
  };
}

const changedText = ({ changes, actor, at }: ViewedDecision): Evidence => ({
  text: `between the calls ${actorText(actor)} ${describeChange(changes)}`,
  decision: at,
});

interface NamedWrite {
  readonly path: FieldPath;
  readonly isNew: boolean;
  readonly by: ViewedDecision;
}

/**
 * A denial message names, by field path or in quotes, what another webhook or policy wrote. An unquoted name gives a
 * note only.
 */
export const refusedOthersWork = (view: TraceView): readonly Finding[] =>
  view.decisions.flatMap((denial) => {
    if (denial.record.outcome !== 'denied') return [];
    const message = denialText(denial.record);
    const named = writtenBefore(denial, view);
    const sent = requestTexts(view.trace);
    const paths = pathsNamed(message, objectShownTo(denial, view.decisions));
    const proven =
      named.findLast(({ path }) => paths.some((one) => isSamePath(one, path))) ??
      named.findLast((one) => textsAt(one).some((text) => !sent.has(text) && isQuoted(text, message)));
    if (proven !== undefined) return [namedFinding(denial, proven)];
    const possible = named.findLast(({ path }) => hasText(describeField(path), message));
    return possible === undefined ? [] : [possibleFinding(denial, possible)];
  });

/** Every field that others wrote before the denial and that still exists. */
function writtenBefore(denial: ViewedDecision, { decisions }: TraceView): readonly NamedWrite[] {
  const shown = objectShownTo(denial, decisions);
  return decisions
    .filter((by) => by.at < denial.at && isCallee(by) && !isSameActor(by.actor, denial.actor))
    .flatMap((by) =>
      by.changes.flatMap(({ path, before, after }) =>
        pathsIn(after, path).map((inner) => ({ path: inner, isNew: before === undefined, by })),
      ),
    )
    .filter(({ path }) => valueIn(shown, path) !== undefined);
}

const objectShownTo = (denial: ViewedDecision, decisions: readonly ViewedDecision[]): JsonValue | undefined =>
  denial.shown ?? decisions.findLast(({ at, states }) => at < denial.at && states !== undefined)?.states?.after;

function pathsIn(value: JsonValue | undefined, path: FieldPath): readonly FieldPath[] {
  if (value === undefined) return [];
  const item = path.at(-1);
  // The step has the item's key already.
  const members = membersOf(value, path).filter(([inner]) => typeof item !== 'object' || inner.at(-1) !== item.key);
  return [path, ...members.flatMap(([inner, member]) => pathsIn(member, inner))];
}

const maxPathLength = 500;

/** `spec.containers[1].image`, `metadata.labels[team]`. */
function pathsNamed(message: string, object: JsonValue | undefined): readonly FieldPath[] {
  const words = message.split(/[\s"'`,;()]+/).filter((word) => /[.[]/.test(word) && word.length <= maxPathLength);
  return words.map((word) => causePath(word.replace(/[.:]$/, ''), object)).filter((path) => path.length > 1);
}

/** The name of the field or item, and its value. */
function textsAt({ path, by }: NamedWrite): readonly string[] {
  const last = path.at(-1);
  const name = typeof last === 'object' ? last.value : typeof last === 'string' && isMapKey(path) ? last : '';
  const value = valueIn(by.states?.after, path);
  return [name, typeof value === 'string' ? value : ''].filter((text) => text !== '');
}

/** Field names are schema words; keys of labels and annotations are names. */
const isMapKey = ([first, second]: FieldPath): boolean =>
  first === 'metadata' && (second === 'labels' || second === 'annotations');

const isQuoted = (text: string, message: string): boolean =>
  ['"', "'", '`'].some((quote) => message.includes(`${quote}${text}${quote}`));

/** Texts of the request itself: the message may mean those. */
function requestTexts({ request, objectReceived, objectBefore }: Trace): ReadonlySet<string> {
  const texts = new Set([request.name, request.namespace, request.resource, asString(request.user?.['username'])]);
  const add = (value: JsonValue | undefined): void => {
    if (typeof value === 'string') texts.add(value);
    else if (isList(value)) value.forEach(add);
    else if (isJsonObject(value)) {
      for (const [field, inner] of Object.entries(value)) {
        texts.add(field);
        add(inner);
      }
    }
  };
  add(objectReceived ?? undefined);
  add(objectBefore ?? undefined);
  return texts;
}

/** `label team` and `container late`, not `team` alone. */
const hasText = (words: string, message: string): boolean =>
  words.includes(' ') && ` ${message.replaceAll(/[\s"'`,;:()]+/g, ' ')} `.includes(` ${words} `);

function namedFinding({ record: decision, at }: ViewedDecision, { path, isNew, by }: NamedWrite): Finding {
  const refuser = actorOf(decision);
  const what = describeField(path);
  return {
    rule: 'refused-others-work',
    severity: 'error',
    title: `${actorText(refuser)} denied, and its message names ${what}, which ${actorText(by.actor)} ${isNew ? 'added' : 'set'}`,
    where: { actors: [refuser, by.actor], fields: [pathText(path)] },
    evidence: [{ text: `${actorText(by.actor)} changed the object before the call of ${refuser.name}`, decision: at }],
    remedy: `write ${what} in ${by.actor.name} so that ${refuser.name} allows it, or exempt such objects from one of the two`,
  };
}

function possibleFinding(denial: ViewedDecision, named: NamedWrite): Finding {
  const { title: _title, ...rest } = namedFinding(denial, named);
  const { actor } = named.by;
  const what = describeField(named.path);
  return {
    ...rest,
    severity: 'note',
    title: `${actorText(denial.actor)} may have denied because of ${what}, which ${actorText(actor)} ${named.isNew ? 'added' : 'set'}: its message has these words`,
    remedy: `if so, ${rest.remedy}`,
  };
}

/** The denial's own message, without the prefix of kube-apiserver. */
export function denialText(decision: TracedDecision): string {
  switch (decision.type) {
    case 'webhook': {
      const { message, reason } = asObject(asObject(asObject(decision.answer)['response'])['status']);
      return asString(message) || asString(reason);
    }
    case 'policy':
      return withoutPrefix(asString(decision.status?.['message']), ' denied request: ');
    case 'plugin':
      return withoutPrefix(decision.message ?? '', ' is forbidden: ');
  }
}

function withoutPrefix(whole: string, prefix: string): string {
  const at = whole.indexOf(prefix);
  return at < 0 ? whole : whole.slice(at + prefix.length);
}
