import { sameJson } from '../machinery/json/json-equal.ts';
import { asString } from '../machinery/json/json.ts';
import type { GroupVersion } from '../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { definitionResource, definitionGroup, versionsOf } from '../apiserver/custom-resources/definition.ts';
import { apiServiceName, apiServices, definedApiService, managedLabel } from './api-service.ts';
import { apiserverUser, type ApiClient } from './client.ts';
import { type ControllerContext, followResource } from './controller.ts';
import { resourcePath } from './served-resources.ts';
import { createWorkQueue, type QueueProgress } from './work-queue.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../api/types/generated/apiextensions-v1.ts';
import type { APIService } from '../api/types/generated/apiregistration-v1.ts';

/**
 * Maintains an APIService for every version that a definition serves, with any set of controllers. Follows kubernetes
 * pkg/controlplane/controller/crdregistration and kube-aggregator pkg/controllers/autoregister.
 */
export function runApiServiceController(context: ControllerContext): QueueProgress {
  const client = context.clientFor(apiserverUser);
  const definitions: readonly CustomResourceDefinition[] = context.store.list(definitionResource);
  const wanted = createWanted();
  for (const definition of definitions) wanted.put(definition, servedBy(definition));
  const find = (name: string): Found => ({
    wanted: wanted.find(name),
    current: context.store.get(apiServices, '', name),
  });
  const queue = createWorkQueue(
    (name: string) => name,
    (name) => keep(client, find(name)),
    context,
  );
  const look = (name: string): void => {
    if (!isRight(find(name))) queue.add(name);
  };
  for (const name of wanted.names()) look(name);
  followResource(context, definitionResource, ({ type, object }) => {
    for (const name of wanted.put(object, type === 'removed' ? [] : servedBy(object))) look(name);
  });
  followResource(context, apiServices, ({ object }) => {
    if (metadataOf(object).labels?.[managedLabel] === continuously) look(metadataOf(object).name ?? '');
  });
  return queue.progress;
}

const continuously = 'true';

function servedBy(definition: KubernetesObject): readonly GroupVersion[] {
  const group = definitionGroup(definition);
  const all: readonly CustomResourceDefinitionVersion[] = versionsOf(definition);
  return all.filter(({ served }) => served === true).map(({ name }) => ({ group, version: asString(name) }));
}

interface Wanted {
  readonly names: () => Iterable<string>;
  readonly find: (name: string) => GroupVersion | undefined;
  /** Records what a definition serves; returns the names that may have changed. */
  readonly put: (definition: KubernetesObject, served: readonly GroupVersion[]) => readonly string[];
}

function createWanted(): Wanted {
  const byDefinition = new Map<string, readonly GroupVersion[]>();
  /** Two definitions may share a version. */
  const counts = new Map<string, { readonly version: GroupVersion; readonly times: number }>();
  /** The name, if the first or last definition of the version changed. */
  const count = (version: GroupVersion, difference: 1 | -1): readonly string[] => {
    const name = apiServiceName(version);
    const before = counts.get(name)?.times ?? 0;
    const times = before + difference;
    if (times > 0) counts.set(name, { version, times });
    else counts.delete(name);
    return times > 0 && before > 0 ? [] : [name];
  };
  return {
    names: () => counts.keys(),
    find: (name) => counts.get(name)?.version,
    put: (definition, served) => {
      const { name = '' } = metadataOf(definition);
      const before = byDefinition.get(name) ?? [];
      if (sameVersions(before, served)) return [];
      if (served.length > 0) byDefinition.set(name, served);
      else byDefinition.delete(name);
      return [...before.flatMap((one) => count(one, -1)), ...served.flatMap((one) => count(one, 1))];
    },
  };
}

const sameVersions = (a: readonly GroupVersion[], b: readonly GroupVersion[]): boolean =>
  a.length === b.length && a.every(({ group, version }, at) => group === b[at]?.group && version === b[at].version);

interface Found {
  readonly wanted: GroupVersion | undefined;
  readonly current: APIService | undefined;
}

/** An APIService without the managed label is left unchanged. */
function isRight({ wanted, current }: Found): boolean {
  if (!current) return wanted === undefined;
  if (metadataOf(current).labels?.[managedLabel] !== continuously) return true;
  return wanted !== undefined && sameJson(definedApiService(wanted).spec, current.spec);
}

async function keep(client: ApiClient, found: Found): Promise<Result<unknown>> {
  const { wanted, current } = found;
  if (isRight(found)) return ok(undefined);
  if (!current)
    return wanted ? client({ method: 'POST', path: pathOfOne(), body: definedApiService(wanted) }) : ok(undefined);
  const { name = '', uid = '' } = metadataOf(current);
  const path = pathOfOne(name);
  if (!wanted) return client({ method: 'DELETE', path, body: { preconditions: { uid } } });
  return client({ method: 'PUT', path, body: { ...current, spec: definedApiService(wanted).spec } });
}

const pathOfOne = (name = ''): string => resourcePath({ ...apiServices, version: 'v1' }, '', name);
