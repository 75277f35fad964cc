import { asString } from '../../../machinery/json/json.ts';
import { resourceText } from '../../../explain/trace/trace-summary.ts';
import { decidesAboutWrites } from '../known-webhooks.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { verbOf } from './object-key.ts';

export interface Selection {
  /** From the write with this id on; '' for all. */
  readonly since: string;
  /** The last so many; 0 for all. */
  readonly last: number;
  /** Only those in this namespace and of it, and those of webhook configurations; '' for all. */
  readonly namespace: string;
  /** Only those of this user, and those of webhook configurations; '' for all. */
  readonly user: string;
}

export type Choice =
  | {
      readonly outcome: 'chosen';
      /** Oldest first. */
      readonly writes: readonly Trace[];
      /** In words, with how many. */
      readonly leftOut: readonly string[];
    }
  | { readonly outcome: 'unknown'; readonly problem: string };

/** The writes of clients that become steps, out of all traces, oldest first; and what is left out for which reason. */
export function chooseWrites(traces: readonly Trace[], { since, last, namespace, user }: Selection): Choice {
  const start = since === '' ? 0 : traces.findIndex(({ id }) => id === since);
  if (start < 0)
    return { outcome: 'unknown', problem: `no trace ${JSON.stringify(since)}: only the last writes are kept` };
  const wanted = traces
    .slice(start)
    .filter((trace) => !isInside(trace) && (isConfiguration(trace) || isWanted(trace, { namespace, user })));
  const reasons = wanted.map(unrepeatable);
  const repeatable = wanted.filter((_trace, index) => reasons[index] === undefined);
  const counts = new Map<string, number>();
  for (const reason of reasons) if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return {
    outcome: 'chosen',
    writes: last > 0 ? repeatable.slice(-last) : repeatable,
    leftOut: [...counts].map(([reason, count]) => `${count} ${reason}`),
  };
}

const controllers = 'kube-controller-manager';
const loading = 'kadmit';

/** Written by the server itself: by its controllers, or by --load. Real controllers name their version. */
export const isInside = ({ request: { userAgent, dryRun } }: Trace): boolean =>
  userAgent === controllers || (userAgent === loading && !dryRun);

const isConfiguration = ({ request: { resource } }: Trace): boolean => decidesAboutWrites(resource);

const isWanted = ({ request }: Trace, { namespace, user }: Pick<Selection, 'namespace' | 'user'>): boolean =>
  (namespace === '' ||
    request.namespace === namespace ||
    (request.resource === 'namespaces' && request.name === namespace)) &&
  (user === '' || asString(request.user?.['username']) === user);

const noise = new Set(['leases.coordination.k8s.io', 'events', 'events.events.k8s.io']);
const verbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection', 'connect']);

/** Why a write makes no step, to stand after how many there are; undefined when it does. */
function unrepeatable({ request, stages, admission }: Trace): string | undefined {
  const resource = resourceText(request);
  if (noise.has(resource)) return `of ${resource}: left out`;
  if (/\.(?:authorization|authentication)\.k8s\.io$/.test(resource))
    return `of ${resource}, which store nothing: left out`;
  if (!verbs.has(verbOf(request))) return `with the verb ${verbOf(request)}: left out`;
  if (stages.length === 0) {
    return 'refused before admission, by authentication or authorization: left out, since a scenario allows everybody everything';
  }
  const isUnknown = stages.some(({ name, passed }) => name === 'resolve-target' && !passed);
  if (request.resource === '' || isUnknown) return 'of resources that the server does not have: left out';
  const canceled = admission.some((one) => one.type === 'webhook' && one.failurePhase === 'canceled');
  return canceled ? 'whose clients went away: left out' : undefined;
}
