import { asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { Trace, TracedDecision, TracedWebhook } from '../../../explain/trace/trace.ts';
import { webhookWasCalled } from '../expect/decisions.ts';

/** `configuration/name`. */
export const webhookKey = ({ configuration, name }: TracedWebhook): string => `${configuration}/${name}`;

/** Without the decisions of attempts that lost a race: they do not repeat. */
export function decisionsOf({ admission }: Pick<Trace, 'admission'>): readonly TracedDecision[] {
  const lost = new Set(admission.flatMap(({ again, attempt = 0 }) => (again === 'another-write' ? [attempt - 1] : [])));
  return admission.filter(({ attempt = 0 }) => !lost.has(attempt));
}

export const recordedWebhooks = (trace: Trace): readonly TracedWebhook[] =>
  decisionsOf(trace).filter((decision) => decision.type === 'webhook');

export const callsOf = (trace: Trace): readonly TracedWebhook[] => recordedWebhooks(trace).filter(webhookWasCalled);

/** In the order of first appearance. */
export function byWebhook(turns: readonly TracedWebhook[]): ReadonlyMap<string, readonly TracedWebhook[]> {
  const groups = new Map<string, TracedWebhook[]>();
  for (const turn of turns) {
    const group = groups.get(webhookKey(turn)) ?? [];
    group.push(turn);
    groups.set(webhookKey(turn), group);
  }
  return groups;
}

export const isFailedCall = ({ outcome }: TracedWebhook): boolean =>
  outcome === 'failed-open' || outcome === 'failed-closed';

/** Its patch adds to existing annotations. */
export const addsAnnotation = (trace: Trace): boolean =>
  recordedWebhooks(trace).some(({ patch = [] }) =>
    patch.some(({ path }) => asString(path).startsWith('/metadata/annotations/')),
  );

/** `CREATE pods shop/web`, equal in both admission phases. The generated script has the same function. */
export function subjectOf(review: JsonObject): string {
  const { operation, resource, subResource, namespace, name, object } = asObject(review['request']);
  const { group, resource: plural } = asObject(resource);
  const parts = [asString(plural), asString(group)].filter((part) => part !== '').join('.');
  const sub = asString(subResource);
  const stem = asString(valueAt(object ?? undefined, 'metadata', 'generateName'));
  const place = [asString(namespace), stem || asString(name)].filter((part) => part !== '').join('/');
  return [asString(operation), `${parts}${sub === '' ? '' : `/${sub}`}`, place].join(' ').trimEnd();
}
