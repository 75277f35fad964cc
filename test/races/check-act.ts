import { isDeepStrictEqual } from 'node:util';
import { asString, type JsonObject, valueAt } from '../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../src/machinery/meta/object.ts';
import { type Act, finalizer } from './acts.ts';
import type { Entry } from './race-store.ts';

/** One call of a webhook for a request. */
export interface Review {
  readonly phase: 'mutating' | 'validating';
  readonly oldObject: KubernetesObject | null;
  /** Number of writes of all keys when the webhook responded. */
  readonly endedAt: number;
}

/** An act with its response. */
export interface ActResult {
  readonly act: Act;
  readonly id: number;
  /** The resourceVersion that it names, where its verb names one. */
  readonly version: string;
  readonly code: number;
  readonly body: JsonObject;
  readonly reviews: readonly Review[];
}

/** The fault in the response of an act, given all writes of its object; undefined for none. */
export function findFault(played: ActResult, entries: readonly Entry[]): string | undefined {
  const { act, id, code } = played;
  const own = entries.filter(({ author }) => author === id);
  const isStored = code < 300 && !act.dryRun;
  const answerFault = checkResponse(played);
  if (answerFault !== undefined) return answerFault;
  if (!isStored) return own.length > 0 ? 'a write that was refused or is a dry run is stored' : undefined;
  const check = act.verb.startsWith('delete') ? checkDelete : checkUpdate;
  return checkVersion(played, entries, own) ?? check(played, entries, own);
}

function checkResponse({ act, code, body }: ActResult): string | undefined {
  if (code >= 500) return `answered ${code}`;
  if (body['reason'] === 'AlreadyExists' && act.verb !== 'post') return 'AlreadyExists for a write that is no POST';
  return act.denied && code < 300 ? 'a denied write was acknowledged' : undefined;
}

const annotationsOf = (object: KubernetesObject | undefined): JsonObject => ({ ...object?.metadata?.annotations });
const finalizersOf = (object: KubernetesObject | undefined): readonly string[] => object?.metadata?.finalizers ?? [];
const isDeleting = (object: KubernetesObject | undefined): boolean => object?.metadata?.deletionTimestamp !== undefined;

const entryBefore = (entries: readonly Entry[], entry: Entry): Entry | undefined => entries[entries.indexOf(entry) - 1];

/** The resourceVersion must be that of the replaced object, or the object has the same content. */
function checkVersion(
  { act, version, body }: ActResult,
  entries: readonly Entry[],
  own: readonly Entry[],
): string | undefined {
  if (!act.verb.endsWith('at version')) return undefined;
  const [first] = own;
  const found = first
    ? String(entryBefore(entries, first)?.revision ?? 0)
    : asString(valueAt(body, 'metadata', 'resourceVersion'));
  // A write that creates or deletes an object that was deleted concurrently has nothing to compare.
  if (found === version || isEmptied(body) || !entries.some(({ revision }) => String(revision) === found))
    return undefined;
  if (first && entryBefore(entries, first)?.object === undefined) return undefined;
  const at = (revision: string): KubernetesObject | undefined =>
    entries.find((entry) => String(entry.revision) === revision)?.object;
  const isSame = isDeepStrictEqual(toPlainJson(withoutVersion(at(found))), toPlainJson(withoutVersion(at(version))));
  return isSame ? undefined : `a conflict is swallowed: version ${version} was sent, ${found} was stored`;
}

const withoutVersion = (object: KubernetesObject | undefined): unknown =>
  object && { ...object, metadata: { ...object.metadata, resourceVersion: '' } };

const toPlainJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** The update removed the last finalizer: the object is deleted. */
const isEmptied = (body: JsonObject): boolean =>
  valueAt(body, 'metadata', 'deletionTimestamp') !== undefined && valueAt(body, 'metadata', 'finalizers') === undefined;

function checkUpdate(played: ActResult, entries: readonly Entry[], own: readonly Entry[]): string | undefined {
  const { act, body } = played;
  if (act.verb !== 'scale' && isEmptied(body)) {
    return own.every(({ object }) => object === undefined) ? undefined : 'an object without finalizers is stored';
  }
  if (own.length > 1) return `${own.length} writes of one update`;
  const revision = Number(valueAt(body, 'metadata', 'resourceVersion'));
  const entry = entries.find((one) => one.revision === revision);
  if (!entry?.object) return 'the answer was never stored';
  const [written] = own;
  if (written && written !== entry) return 'the answer is not what was written';
  if (act.verb !== 'scale' && !isDeepStrictEqual(toPlainJson(body), toPlainJson(entry.object)))
    return 'the answer differs from what was stored';
  return (
    checkAge(played, entry, entries) ?? checkContent(act, entry, entryBefore(entries, entry), written !== undefined)
  );
}

/** A response is not older than the state stored when the first round of webhooks had responded. */
function checkAge({ reviews }: ActResult, entry: Entry, entries: readonly Entry[]): string | undefined {
  const second = reviews.findIndex(({ phase }, index) => index > 0 && phase === 'mutating');
  const last = (second < 0 ? reviews : reviews.slice(0, second)).at(-1);
  if (last?.phase !== 'validating') return undefined;
  const stored = entries.findLast(({ sequence }) => sequence <= last.endedAt);
  return stored && stored.sequence > entry.sequence ? 'the answer is older than what the webhooks left' : undefined;
}

/** The stored object has all sent fields, and all other fields of the previous object. */
function checkContent(act: Act, entry: Entry, previous: Entry | undefined, isWritten: boolean): string | undefined {
  const { object } = entry;
  const old = isWritten ? previous?.object : object;
  const annotations = annotationsAfter(act, old);
  if (!isDeepStrictEqual(annotationsOf(object), annotations)) {
    return `annotations are ${JSON.stringify(annotationsOf(object))} instead of ${JSON.stringify(annotations)}`;
  }
  if (!isDeepStrictEqual(finalizersOf(object), finalizersAfter(act, old))) {
    return `finalizers are [${finalizersOf(object).join()}] instead of [${finalizersAfter(act, old).join()}]`;
  }
  return isDeleting(old) === isDeleting(object) ? checkNumbers(act, object) : 'the deletion of the object is lost';
}

const replacesAll = ({ verb }: Act): boolean => verb === 'post' || verb.startsWith('put');
const verbsWithoutAnnotations: readonly Act['verb'][] = ['hold', 'release', 'status', 'scale'];

function annotationsAfter(act: Act, old: KubernetesObject | undefined): JsonObject {
  const sent = { [act.key]: act.value };
  if (replacesAll(act)) return sent;
  return verbsWithoutAnnotations.includes(act.verb) ? annotationsOf(old) : { ...annotationsOf(old), ...sent };
}

function finalizersAfter(act: Act, old: KubernetesObject | undefined): readonly string[] {
  if (act.verb === 'hold') return [finalizer];
  return replacesAll(act) || act.verb === 'release' ? [] : finalizersOf(old);
}

function checkNumbers({ verb, value }: Act, object: KubernetesObject | undefined): string | undefined {
  const number = Number(value);
  const replicas = valueAt(object, 'spec', 'replicas');
  if (verb === 'scale' && replicas !== number + 2) return 'the replicas are not those sent';
  const status = valueAt(object, 'status', 'replicas') ?? 0;
  return verb === 'status' && status !== number ? 'the status is not that sent' : undefined;
}

function checkDelete(played: ActResult, entries: readonly Entry[], own: readonly Entry[]): string | undefined {
  if (played.body['kind'] === 'Status') {
    const isRemoved = own.length === 1 && own[0]?.object === undefined;
    return isRemoved ? undefined : 'a DELETE says gone and removed nothing';
  }
  const [first] = played.reviews;
  if (first && finalizersOf(first.oldObject ?? undefined).length === 0) {
    return 'a finalizer that appeared keeps the object';
  }
  const [marked, ...more] = own;
  return marked && more.length === 0 ? checkDeletionMark(marked, entryBefore(entries, marked)) : undefined;
}

function checkDeletionMark({ object }: Entry, previous: Entry | undefined): string | undefined {
  if (!isDeleting(object)) return 'a DELETE that waits did not mark the object';
  const kept = finalizersOf(previous?.object);
  const isKept = kept.length > 0 && isDeepStrictEqual(finalizersOf(object), kept);
  return isKept ? undefined : 'a DELETE marked other finalizers than were stored';
}

/** An object with a deletionTimestamp and without finalizers is never removed. */
export const isStuck = ({ object }: Entry): boolean => isDeleting(object) && finalizersOf(object).length === 0;
