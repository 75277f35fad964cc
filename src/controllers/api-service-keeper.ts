import { sameJson } from '../apimachinery/json-equal.ts';
import { asString } from '../apimachinery/json.ts';
import type { GroupVersion } from '../apimachinery/gvk.ts';
import { metadataOf } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { ok } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import { definitionResource, groupOf, versionsOf } from '../custom/definition.ts';
import { apiServiceName, apiServices, definedApiService, managedLabel } from './api-service.ts';
import { apiserverUser } from './client.ts';
import type { Client } from './client.ts';
import { follow } from './controller.ts';
import type { ControllerContext } from './controller.ts';
import { pathOf } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import type { Progress } from './work-queue.ts';

/**
 * Keeps an APIService for every version that a definition serves, whatever controllers run. Follows kubernetes
 * pkg/controlplane/controller/crdregistration and kube-aggregator pkg/controllers/autoregister.
 */
export function keepApiServices(context: ControllerContext): Progress {
  const client = context.clientFor(apiserverUser);
  const wanted = createWanted();
  const sync = (name: string): Promise<Result<unknown>> =>
    keep(client, { wanted: wanted.find(name), current: context.store.get(apiServices, '', name) });
  const queue = createWorkQueue((name: string) => name, sync, context);
  follow(context, definitionResource, ({ type, object }) => {
    for (const name of wanted.put(object, type === 'removed' ? [] : servedBy(object))) queue.add(name);
  });
  follow(context, apiServices, ({ object }) => {
    if (metadataOf(object).labels?.[managedLabel] === continuously) queue.add(metadataOf(object).name ?? '');
  });
  return queue.progress;
}

const continuously = 'true';

const servedBy = (definition: KubernetesObject): readonly GroupVersion[] =>
  versionsOf(definition)
    .filter(({ served }) => served === true)
    .map(({ name }) => ({ group: groupOf(definition), version: asString(name) }));

/** Which versions definitions want, and how many of them each: two may share a version. */
function createWanted() {
  const byDefinition = new Map<string, readonly GroupVersion[]>();
  const counts = new Map<string, { readonly version: GroupVersion; readonly times: number }>();
  const count = (version: GroupVersion, difference: number): string => {
    const name = apiServiceName(version);
    const times = (counts.get(name)?.times ?? 0) + difference;
    if (times > 0) counts.set(name, { version, times });
    else counts.delete(name);
    return name;
  };
  return {
    find: (name: string): GroupVersion | undefined => counts.get(name)?.version,
    /** Notes what a definition serves from now on; the names of what may have changed. */
    put: (definition: KubernetesObject, served: readonly GroupVersion[]): ReadonlySet<string> => {
      const { name = '' } = metadataOf(definition);
      const before = byDefinition.get(name) ?? [];
      if (served.length > 0) byDefinition.set(name, served);
      else byDefinition.delete(name);
      return new Set([...before.map((one) => count(one, -1)), ...served.map((one) => count(one, 1))]);
    },
  };
}

interface Found {
  readonly wanted: GroupVersion | undefined;
  readonly current: KubernetesObject | undefined;
}

/** One whom the server does not manage is left alone, be it wanted or not. */
async function keep(client: Client, { wanted, current }: Found): Promise<Result<unknown>> {
  if (!current) {
    return wanted ? client({ method: 'POST', path: pathOfOne(), body: definedApiService(wanted) }) : ok(undefined);
  }
  const { name = '', uid = '', labels } = metadataOf(current);
  if (labels?.[managedLabel] !== continuously) return ok(undefined);
  if (!wanted) return client({ method: 'DELETE', path: pathOfOne(name), body: { preconditions: { uid } } });
  const { spec } = definedApiService(wanted);
  if (sameJson(spec, current['spec'])) return ok(undefined);
  return client({ method: 'PUT', path: pathOfOne(name), body: { ...current, spec } });
}

const pathOfOne = (name = ''): string => pathOf({ ...apiServices, version: 'v1' }, '', name);
