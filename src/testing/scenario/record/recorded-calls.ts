import { asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { Trace, TracedDecision, TracedWebhook } from '../../../explain/trace/trace.ts';
import { wasCalled } from '../expect/decisions.ts';

/** `configuration/name`. */
export const webhookKey = ({ configuration, name }: TracedWebhook): string => `${configuration}/${name}`;

/** The decisions that count: all but those of a race that was lost, which does not come again. */
export function decisionsOf({ admission }: Pick<Trace, 'admission'>): readonly TracedDecision[] {
  const lost = new Set(admission.flatMap(({ again, attempt = 0 }) => (again === 'another-write' ? [attempt - 1] : [])));
  return admission.filter(({ attempt = 0 }) => !lost.has(attempt));
}

/** The webhooks considered. */
export const webhooksOf = (trace: Trace): readonly TracedWebhook[] =>
  decisionsOf(trace).filter((decision) => decision.type === 'webhook');

/** The calls made, in order. */
export const callsOf = (trace: Trace): readonly TracedWebhook[] => webhooksOf(trace).filter(wasCalled);

/** The same by their webhooks, in the order in which these come first. */
export function byWebhook(turns: readonly TracedWebhook[]): ReadonlyMap<string, readonly TracedWebhook[]> {
  const groups = new Map<string, TracedWebhook[]>();
  for (const turn of turns) {
    const group = groups.get(webhookKey(turn)) ?? [];
    group.push(turn);
    groups.set(webhookKey(turn), group);
  }
  return groups;
}

/** Did the call end without an answer that counts? */
export const hasFailed = ({ outcome }: TracedWebhook): boolean =>
  outcome === 'failed-open' || outcome === 'failed-closed';

/** Does a webhook add to annotations that must be there? */
export const addsAnnotation = (trace: Trace): boolean =>
  webhooksOf(trace).some(({ patch = [] }) =>
    patch.some(({ path }) => asString(path).startsWith('/metadata/annotations/')),
  );

/** What a review is about, the same in both halves of admission: `CREATE pods shop/web`. The generated script says it too. */
export function subjectOf(review: JsonObject): string {
  const { operation, resource, subResource, namespace, name, object } = asObject(review['request']);
  const { group, resource: plural } = asObject(resource);
  const parts = [asString(plural), asString(group)].filter((part) => part !== '').join('.');
  const sub = asString(subResource);
  const stem = asString(valueAt(object ?? undefined, 'metadata', 'generateName'));
  const place = [asString(namespace), stem || asString(name)].filter((part) => part !== '').join('/');
  return [asString(operation), `${parts}${sub === '' ? '' : `/${sub}`}`, place].join(' ').trimEnd();
}
