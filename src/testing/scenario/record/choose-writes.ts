import { asString } from '../../../machinery/json/json.ts';
import { resourceText } from '../../../explain/trace/trace-summary.ts';
import { isAdmissionResource } from '../known-webhooks.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { tracedVerb } from './object-key.ts';

export interface WriteSelection {
  /** First write by its id; '' for all. */
  readonly since: string;
  /** The last N; 0 for all. */
  readonly last: number;
  /** Writes in this namespace and of it; '' for all. Writes of configurations are always included. */
  readonly namespace: string;
  /** Writes of this user; '' for all. Writes of configurations are always included. */
  readonly user: string;
}

export type WriteChoice =
  | {
      readonly outcome: 'chosen';
      /** Oldest first. */
      readonly writes: readonly Trace[];
      /** Reasons with counts. */
      readonly leftOut: readonly string[];
    }
  | { readonly outcome: 'unknown'; readonly problem: string };

/** The clients' writes that become steps, and reasons for leaving out others. */
export function chooseWrites(traces: readonly Trace[], selection: WriteSelection): WriteChoice {
  const { last, namespace, user } = selection;
  const start = tracesSince(traces, selection);
  if (start.outcome === 'unknown') return start;
  const selected = start.traces.filter(
    (trace) => !isInternalRequest(trace) && (isConfiguration(trace) || isSelectedWrite(trace, { namespace, user })),
  );
  const reasons = selected.map(whyNotRepeatable);
  const repeatable = selected.filter((_trace, index) => reasons[index] === undefined);
  const counts = new Map<string, number>();
  for (const reason of reasons) if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return {
    outcome: 'chosen',
    writes: last > 0 ? repeatable.slice(-last) : repeatable,
    leftOut: [...counts].map(([reason, count]) => `${count} ${reason}`),
  };
}

/** The writes that called webhooks, also those of controllers. */
export function chooseCalled(traces: readonly Trace[], selection: WriteSelection): WriteChoice {
  const start = tracesSince(traces, selection);
  if (start.outcome === 'unknown') return start;
  const called = ({ admission }: Trace): boolean => admission.some((one) => one.type === 'webhook' && one.review);
  const writes = start.traces.filter((trace) => isSelectedWrite(trace, selection) && called(trace));
  return { outcome: 'chosen', writes: selection.last > 0 ? writes.slice(-selection.last) : writes, leftOut: [] };
}

type Start =
  | { readonly outcome: 'found'; readonly traces: readonly Trace[] }
  | { readonly outcome: 'unknown'; readonly problem: string };

function tracesSince(traces: readonly Trace[], { since }: Pick<WriteSelection, 'since'>): Start {
  const start = since === '' ? 0 : traces.findIndex(({ id }) => id === since);
  return start < 0
    ? { outcome: 'unknown', problem: `no trace ${JSON.stringify(since)}: only the last writes are kept` }
    : { outcome: 'found', traces: traces.slice(start) };
}

const controllers = 'kube-controller-manager';
const loading = 'kadmit';

/** By kadmit's controllers or --load. The user agent of real controllers has a version. */
export const isInternalRequest = ({ request: { userAgent, dryRun } }: Trace): boolean =>
  userAgent === controllers || (userAgent === loading && !dryRun);

const isConfiguration = ({ request: { resource } }: Trace): boolean => isAdmissionResource(resource);

const isSelectedWrite = (
  { request }: Trace,
  { namespace, user }: Pick<WriteSelection, 'namespace' | 'user'>,
): boolean =>
  (namespace === '' ||
    request.namespace === namespace ||
    (request.resource === 'namespaces' && request.name === namespace)) &&
  (user === '' || asString(request.user?.['username']) === user);

const ignoredResources = new Set(['leases.coordination.k8s.io', 'events', 'events.events.k8s.io']);
const verbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection', 'connect']);

/** Follows the count; undefined for a write that becomes a step. */
function whyNotRepeatable({ request, stages, admission }: Trace): string | undefined {
  const resource = resourceText(request);
  if (ignoredResources.has(resource)) return `of ${resource}: left out`;
  if (/\.(?:authorization|authentication)\.k8s\.io$/.test(resource))
    return `of ${resource}, which store nothing: left out`;
  if (!verbs.has(tracedVerb(request))) return `with the verb ${tracedVerb(request)}: left out`;
  if (stages.length === 0) {
    return 'refused before admission, by authentication or authorization: left out, since a scenario allows everything';
  }
  const isUnknown = stages.some(({ name, passed }) => name === 'resolve-target' && !passed);
  if (request.resource === '' || isUnknown) return 'of resources that the server does not have: left out';
  const canceled = admission.some((one) => one.type === 'webhook' && one.failurePhase === 'canceled');
  return canceled ? 'whose clients went away: left out' : undefined;
}
