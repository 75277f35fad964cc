import { asString, type JsonObject } from '../../machinery/json/json.ts';
import { describeField, describeValue } from '../../explain/findings/describe-field.ts';
import type { WorldAnswer } from '../../testing/scenario/world.ts';
import { changesBetween } from '../../explain/trace/object-diff.ts';
import { releaseNames } from '../../machinery/meta/release-names.ts';
import { stateText, normalizeStored } from './compare-sets.ts';

export type ReleaseOutcome =
  | { readonly outcome: 'answered'; readonly answer: WorldAnswer }
  /** The release has no such resource. */
  | { readonly outcome: 'unserved'; readonly problem: string };

/** A difference between two releases. */
export interface ReleaseChange {
  readonly kind: 'removed' | 'added' | 'refused' | 'admitted' | 'message' | 'object' | 'warning' | 'admission' | 'rule';
  readonly text: string;
}

/** The differences between two outcomes of the same request. */
export function compareOutcomes(before: ReleaseOutcome, after: ReleaseOutcome): readonly ReleaseChange[] {
  if (before.outcome === 'unserved') {
    return after.outcome === 'unserved' ? [] : [{ kind: 'added', text: `is served now: ${before.problem} before` }];
  }
  if (after.outcome === 'unserved') return [{ kind: 'removed', text: `is not served any more: ${after.problem}` }];
  const [one, other] = [before.answer, after.answer];
  return [...codeChanges(one, other), ...warningChanges(one, other), ...admissionChanges(one, other)];
}

function codeChanges(before: WorldAnswer, after: WorldAnswer): readonly ReleaseChange[] {
  const [was, is] = [isAdmitted(before), isAdmitted(after)];
  if (was && !is) return [{ kind: 'refused', text: `is refused with ${refusalText(after)}` }];
  if (!was && is) return [{ kind: 'admitted', text: `is admitted; it was refused with ${refusalText(before)}` }];
  if (is) return objectChanges(before.body, after.body);
  if (refusalText(before) === refusalText(after)) return [];
  return [
    { kind: 'message', text: `is refused with other words: ${refusalText(after)}; before: ${refusalText(before)}` },
  ];
}

const isAdmitted = ({ code }: WorldAnswer): boolean => code < 400;

const refusalText = ({ code, body }: WorldAnswer): string => `${code}: ${asString(body['message'])}`;

function objectChanges(before: JsonObject, after: JsonObject): readonly ReleaseChange[] {
  const [one, other] = [normalizeStored(before), normalizeStored(after)];
  if (stateText(one) === stateText(other)) return [];
  return changesBetween(one, other).map(({ path, before: was, after: is }) => ({
    kind: 'object',
    text: `${describeField(path)}: ${describeValue(was)} before, ${describeValue(is)} now`,
  }));
}

function warningChanges({ warnings: before }: WorldAnswer, { warnings: after }: WorldAnswer): readonly ReleaseChange[] {
  const added = after.filter((text) => !before.includes(text));
  const gone = before.filter((text) => !after.includes(text));
  return [
    ...added.map((text): ReleaseChange => ({ kind: 'warning', text: `causes a warning: ${text}` })),
    ...gone.map((text): ReleaseChange => ({ kind: 'warning', text: `no longer causes a warning: ${text}` })),
  ];
}

/** Webhooks and policies only: plugins differ between releases without a change of configuration. */
function admissionChanges(before: WorldAnswer, after: WorldAnswer): readonly ReleaseChange[] {
  const [was, is] = [outcomesByActor(before), outcomesByActor(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((actor): ReleaseChange[] => {
    const [one = 'is not there', other = 'is not there'] = [was.get(actor), is.get(actor)];
    const pair = [one, other];
    if (pair.includes('is not there') && pair.includes('skipped')) return [];
    return one === other ? [] : [{ kind: 'admission', text: `${actor}: ${one} before, ${other} now` }];
  });
}

function outcomesByActor({ trace }: WorldAnswer): ReadonlyMap<string, string> {
  const decisions = (trace?.admission ?? []).filter(({ type }) => type !== 'plugin');
  return new Map(decisions.map(({ type, name, outcome }) => [`${type} ${name}`, outcome]));
}

/** The releases in this range, inclusive; undefined: the second is not later than the first. */
export function releasesBetween(from: string, to: string): readonly string[] | undefined {
  const [first, last] = [releaseNames.indexOf(from), releaseNames.indexOf(to)];
  return first < last ? releaseNames.slice(first, last + 1) : undefined;
}
