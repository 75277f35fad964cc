import { valueAt } from '../../machinery/json/json.ts';
import { coverageOf } from '../../explain/trace/coverage.ts';
import type { TraceLog } from '../../explain/trace/trace-log.ts';
import type { Time } from '../in-process/time.ts';
import { told } from './told-trace.ts';
import type { ToldTrace } from './told-trace.ts';
import type { TraceFilter, TraceQuery, Traces } from './traces.ts';

const patienceMs = 5000;

/** The traces in this log; waits pass on the world's time. */
export function createTraces(log: TraceLog, { clock, drive }: Pick<Time, 'clock' | 'drive'>): Traces {
  let forgotten = 0;
  const all = (filter: TraceFilter = {}): readonly ToldTrace[] => {
    const kept = log.since(forgotten).flatMap(({ id }) => log.get(id) ?? []);
    return kept.map(told).filter(wantedBy(filter));
  };
  const find = (filter?: TraceFilter): ToldTrace | undefined => all(filter).at(-1);
  const arrival = (filter: TraceFilter | undefined, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const stop = log.onRecorded(() => {
        if (find(filter)) resolve();
      });
      signal.addEventListener('abort', stop, { once: true });
    });
  const arrivalWithin = async (filter: TraceFilter | undefined, milliseconds: number): Promise<void> => {
    const over = new AbortController();
    await drive(Promise.race([arrival(filter, over.signal), clock.sleep(milliseconds, over.signal)]));
    over.abort();
  };
  return {
    all,
    find,
    last: (filter) => find(filter) ?? missing(filter, all(), ''),
    wait: async (filter, { timeoutMs = patienceMs } = {}) => {
      if (!find(filter)) await arrivalWithin(filter, timeoutMs);
      return find(filter) ?? missing(filter, all(), ` within ${timeoutMs} ms`);
    },
    coverage: (filter) => coverageOf(all(filter)),
    clear: () => {
      forgotten = log.list(1)[0]?.sequence ?? forgotten;
    },
  };
}

function missing(filter: TraceFilter = {}, all: readonly ToldTrace[], when: string): never {
  const wanted = typeof filter === 'function' ? 'for which the function holds' : JSON.stringify(filter);
  const seen = all
    .slice(-10)
    .map(({ request: { verb, path, dryRun } }) => `${verb} ${path}${dryRun ? ' (dry run)' : ''}`);
  const rest = seen.length === 0 ? 'there was no write' : `the last writes were ${seen.join(', ')}`;
  throw new Error(`no write ${wanted} was seen${when}; ${rest}`);
}

/** How the controllers inside kadmit call themselves. */
const controllerAgent = 'kube-controller-manager';

function wantedBy(filter: TraceFilter): (trace: ToldTrace) => boolean {
  const matches = typeof filter === 'function' ? filter : (trace: ToldTrace): boolean => answersTo(filter, trace);
  const isControllerWanted = typeof filter !== 'function' && filter.user !== undefined;
  return (trace) => (isControllerWanted || trace.request.userAgent !== controllerAgent) && matches(trace);
}

function answersTo({ user, verdict, called, ...request }: TraceQuery, trace: ToldTrace): boolean {
  if (user !== undefined && valueAt(trace.request.user ?? {}, 'username') !== user) return false;
  if (verdict !== undefined && trace.verdict !== verdict) return false;
  if (called !== undefined && !trace.called.includes(called)) return false;
  const asked: Readonly<Record<string, unknown>> = { ...trace.request };
  return Object.entries(request).every(([field, value]) => value === undefined || asked[field] === value);
}
