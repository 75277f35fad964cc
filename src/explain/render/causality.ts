import type { NumberedSummary } from '../trace/trace-summary.ts';
import { singularOf } from './near-miss.ts';

/** The requests that caused a request, and those that it caused. */
export interface RelatedRequests {
  /** The nearest first; the last one is a client's own. */
  readonly causes: readonly NumberedSummary[];
  /** Writes of controllers, oldest first, each before those that it caused itself. */
  readonly effects: readonly Descendant[];
}

export interface Descendant {
  readonly request: NumberedSummary;
  /** 1 for a direct effect. */
  readonly depth: number;
}

/** A controller may retry for ever. */
const maxEffects = 200;

/** Relates requests by owner references: a controller writes an object after the last write of its owner. */
export function relatedRequests(id: string, newestFirst: readonly NumberedSummary[]): RelatedRequests {
  const causeById = findCauses(newestFirst);
  const causes: NumberedSummary[] = [];
  for (let cause = causeById.get(id); cause !== undefined; cause = causeById.get(cause.id)) causes.push(cause);
  const effectsById = new Map<string, NumberedSummary[]>();
  for (const request of newestFirst.toReversed()) {
    const cause = causeById.get(request.id);
    if (cause) effectsById.set(cause.id, [...(effectsById.get(cause.id) ?? []), request]);
  }
  const effectsBelow = (of: string, depth: number): readonly Descendant[] =>
    (effectsById.get(of) ?? []).flatMap((request) => [{ request, depth }, ...effectsBelow(request.id, depth + 1)]);
  return { causes, effects: effectsBelow(id, 1).slice(0, maxEffects) };
}

/** By the id of the effect. A cause is always older, so there are no cycles. */
function findCauses(newestFirst: readonly NumberedSummary[]): ReadonlyMap<string, NumberedSummary> {
  const lastWrites = new Map<string, NumberedSummary>();
  const causeById = new Map<string, NumberedSummary>();
  for (const request of newestFirst.toReversed()) {
    const [resource = '', subresource = ''] = request.resource.split('/');
    const cause = subresource === '' && isController(request.user) ? causeFrom(lastWrites, request) : undefined;
    if (cause) causeById.set(request.id, cause);
    const changesIt = request.verdict === 'admitted' && !request.dryRun && ['', 'scale'].includes(subresource);
    const kind = resource.split('.')[0] ?? '';
    if (changesIt && request.name !== '') lastWrites.set(objectKeyText(request.namespace, kind, request.name), request);
  }
  return causeById;
}

function causeFrom(
  lastWrites: ReadonlyMap<string, NumberedSummary>,
  { owners, namespace }: NumberedSummary,
): NumberedSummary | undefined {
  for (const owner of owners) {
    const [kind = '', name = ''] = owner.split('/');
    const cause = lastWrites.get(objectKeyText(namespace, kind, name)) ?? lastWrites.get(objectKeyText('', kind, name));
    if (cause) return cause;
  }
  return undefined;
}

const objectKeyText = (namespace: string, kind: string, name: string): string =>
  `${namespace} ${singularOf(kind)} ${name}`;

/** The service accounts of a cluster's controllers. */
const isController = (user: string): boolean => user.startsWith('system:serviceaccount:kube-system:');
