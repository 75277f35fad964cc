import { asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { type DiffLine, objectDiff } from './object-diff.ts';
import type { Trace } from './trace.ts';

/** A write that changed a webhook configuration, a policy or a binding. */
export interface ConfigurationChange {
  /** The id of its trace. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly user: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** `mutatingwebhookconfigurations`. */
  readonly resource: string;
  readonly name: string;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** Empty for a write without a change. */
  readonly diff: readonly DiffLine[];
}

/** The admitted changes of configurations, oldest first. */
export function configurationHistory(traces: readonly Trace[]): readonly ConfigurationChange[] {
  const known = new Map<string, JsonObject | null>();
  return traces
    .filter(isConfigurationWrite)
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map((trace) => {
      const key = `${trace.request.resource}/${trace.request.name}`;
      // The trace of a DELETE may lack the object; the write before it has it.
      const change = changeOf(trace, known.get(key) ?? null);
      known.set(key, change.after);
      return change;
    });
}

const verbs = new Set(['create', 'update', 'patch', 'delete']);

const isConfigurationWrite = ({ request, verdict }: Trace): boolean =>
  request.group === 'admissionregistration.k8s.io' &&
  verbs.has(request.verb) &&
  request.subresource === '' &&
  verdict === 'admitted' &&
  !request.dryRun;

function changeOf(
  { id, startedAt, request, objectBefore, objectAfter }: Trace,
  last: JsonObject | null,
): ConfigurationChange {
  const isDelete = request.verb === 'delete';
  // A create that lost a race, and a PUT or apply that creates, have no object before.
  const [before, after] = isDelete ? [objectBefore ?? objectAfter ?? last, null] : [objectBefore, objectAfter];
  return {
    id,
    at: startedAt,
    user: asString(request.user?.['username']),
    change: isDelete ? 'deleted' : before === null ? 'created' : 'changed',
    resource: request.resource,
    name: request.name,
    before,
    after,
    diff: objectDiff(withoutBookkeeping(before) ?? {}, withoutBookkeeping(after) ?? {}),
  };
}

/** Without the metadata that every write changes. */
function withoutBookkeeping(object: JsonObject | null): JsonObject | undefined {
  if (object === null) return undefined;
  const { metadata, ...rest } = object;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return object;
  const meaningful = Object.entries(metadata).filter(([field]) => !bookkeeping.has(field));
  return { ...rest, metadata: withoutCopy(Object.fromEntries(meaningful)) };
}

/** kubectl's copy of the manifest. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function withoutCopy({ annotations, ...rest }: JsonObject): JsonObject {
  if (annotations === undefined) return rest;
  if (!isJsonObject(annotations)) return { ...rest, annotations };
  const described = Object.entries(annotations).filter(([name]) => name !== lastApplied);
  return described.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(described) };
}

const bookkeeping = new Set(['managedFields', 'resourceVersion', 'generation', 'uid', 'creationTimestamp']);
