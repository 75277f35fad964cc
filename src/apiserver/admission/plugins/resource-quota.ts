import { asObject } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { refuse, type Result } from '../../../machinery/meta/result.ts';
import { plainError } from '../../../machinery/meta/status.ts';
import {
  chargeQuota,
  type Charge,
  type LimitedResource,
  type QuotaState,
  createQuotaState,
} from '../../quota/charge.ts';
import { evaluatorFor } from '../../quota/evaluator-for.ts';
import type { Evaluator } from '../../quota/evaluator.ts';
import { usageList } from '../../quota/usage.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { newForbidden, byFile, byObject, refuseBecauseOf } from '../chain/refusal.ts';
import type { AsyncPlugin, PluginAnswer, PluginPorts } from '../chain/plugin.ts';
import { type ObjectRequest, pass } from './handled-resource.ts';
import type { ResourceQuota } from '../../../api/types/generated/core-v1.ts';

const quotaResource = { group: '', resource: 'resourcequotas' };
const retries = 3;

/**
 * Enforces the quotas of a namespace. Checks run one after the other per namespace and share status writes. Follows
 * apiserver pkg/admission/plugin/resourcequota/{admission,controller}.go (rule PLG-26).
 */
export function createResourceQuota(limited: readonly LimitedResource[]): AsyncPlugin {
  const waiting = new Map<string, Waiting[]>();
  const work = async (namespace: string, ports: PluginPorts): Promise<void> => {
    while ((waiting.get(namespace)?.length ?? 0) > 0) {
      // Requests of the same iteration of the event loop share one status write.
      await ports.nextIteration();
      const batch = waiting.get(namespace) ?? [];
      waiting.set(namespace, []);
      await checkBatch(batch, { namespace, ports, limited, retries });
    }
    waiting.delete(namespace);
  };
  return {
    name: 'ResourceQuota',
    operations: ['CREATE', 'UPDATE'],
    validate: async (request, ports) => {
      const evaluator = evaluatorOf(request, ports.cluster);
      const { object, namespace } = request;
      if (evaluator === undefined || object === null) return pass(request);
      if (limited.length === 0 && ports.cluster.list(quotaResource, namespace).length === 0) return pass(request);
      return new Promise((resolve) => {
        const waitingRequest: Waiting = { request: { ...request, object }, evaluator, resolve };
        const queue = waiting.get(namespace);
        if (queue) queue.push(waitingRequest);
        else {
          waiting.set(namespace, [waitingRequest]);
          void work(namespace, ports);
        }
      });
    },
  };
}

interface Waiting {
  readonly request: ObjectRequest;
  readonly evaluator: Evaluator;
  readonly resolve: (answer: Result<PluginAnswer>) => void;
}

/** undefined when no quota applies. */
function evaluatorOf(request: AdmissionAttributes, cluster: PluginPorts['cluster']): Evaluator | undefined {
  const { group, resource } = request.resource;
  if (request.namespace === '' || (group === '' && resource === 'namespaces')) return undefined;
  const evaluator = evaluatorFor({ group, resource }, cluster);
  return evaluator?.handles(request) === true ? evaluator : undefined;
}

interface Round {
  readonly namespace: string;
  readonly ports: PluginPorts;
  readonly limited: readonly LimitedResource[];
  readonly retries: number;
  readonly among?: ReadonlySet<string>;
}

async function checkBatch(batch: readonly Waiting[], round: Round): Promise<void> {
  const before = quotasOf(round).map(createQuotaState);
  const { charged, after } = chargeAll(batch, before, round);
  if (charged.length === 0) return;
  const changed = after.filter((state, index) => state !== before[index]);
  const written = await Promise.all(changed.map(async (state) => ({ state, result: await write(state, round.ports) })));
  const failed = written.filter(({ result }) => !result.ok);
  const [first] = failed.map(({ result }) => result);
  if (first === undefined || first.ok) {
    for (const { request, resolve } of charged) resolve(pass(request));
  } else if (round.retries === 0) {
    for (const { resolve } of charged) resolve(refuse(first.status));
  } else {
    const among = new Set(failed.map(({ state }) => nameOf(state.quota)));
    await checkBatch(charged, { ...round, among, retries: round.retries - 1 });
  }
}

/** Settles requests that are refused or change nothing; the rest is charged but not yet written. */
function chargeAll(
  batch: readonly Waiting[],
  before: readonly QuotaState[],
  { ports, limited }: Round,
): { readonly charged: readonly Waiting[]; readonly after: readonly QuotaState[] } {
  const charged: Waiting[] = [];
  let after = before;
  for (const waitingRequest of batch) {
    const { request, evaluator, resolve } = waitingRequest;
    const result = chargeQuota({ ...request, now: ports.now() }, after, evaluator, limited);
    if (result.outcome === 'refused') resolve(overQuota(request, result));
    else if (result.outcome === 'failed') resolve(refuse(plainError(result.message)));
    else if (request.dryRun || sameStates(result.quotas, after)) resolve(pass(request));
    else {
      after = result.quotas;
      charged.push(waitingRequest);
    }
  }
  return { charged, after };
}

function overQuota(
  request: AdmissionAttributes,
  { reason, quota }: Extract<Charge, { readonly outcome: 'refused' }>,
): Result<PluginAnswer> {
  const refusal = newForbidden(request, reason);
  if (quota !== undefined) return refuseBecauseOf(request, refusal, byObject(quota, 'spec.hard'));
  const limit = { refused: 'the object', allowed: 'what a ResourceQuota of the namespace covers' };
  return refuseBecauseOf(request, refusal, byFile('limitedResources of ResourceQuota', limit));
}

const sameStates = (a: readonly QuotaState[], b: readonly QuotaState[]): boolean =>
  a.every((state, index) => state === b[index]);

const quotasOf = ({ ports, namespace, among }: Round): readonly KubernetesObject[] => {
  const all: readonly ResourceQuota[] = ports.cluster.list(quotaResource, namespace);
  return among ? all.filter((quota) => among.has(nameOf(quota))) : all;
};

const nameOf = (quota: ResourceQuota): string => metadataOf(quota).name ?? '';

function write({ quota, used }: QuotaState, { api }: PluginPorts): ReturnType<PluginPorts['api']> {
  const { namespace = '' } = metadataOf(quota);
  const status = { hard: asObject(quota.status?.hard), used: usageList(used) };
  const path = `/api/v1/namespaces/${namespace}/resourcequotas/${nameOf(quota)}/status`;
  return api({ method: 'PUT', path, body: { ...quota, status } });
}
