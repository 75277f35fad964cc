import { setTimeout as sleep } from 'node:timers/promises';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import { fetchResources } from '../../../../adapters/config/kubeconfig/named-resource.ts';
import type { DiscoveredResource } from '../../../../adapters/config/kubeconfig/named-resource.ts';
import type { ServerAccess } from '../../../../adapters/config/kubeconfig/server-access.ts';
import { isServers } from '../restoring-order.ts';
import { mostTries, patienceMs } from '../write-object.ts';
import type { Change, ChangeTarget } from './change.ts';
import { putChange } from './put-change.ts';
import type { Put } from './put-change.ts';

/** Makes one change; 'left' for what is the server's own. */
export type Player = (change: Change) => Promise<Put | 'left' | { readonly problem: string }>;

/** `uids`: those of this server by those of the recording; it holds those of the objects that are there, and no others. */
export function createPlayer(access: ServerAccess, uids: Map<string, string>): Player {
  const recordedUids = new Map<string, string>();
  const rowFor = createRows(access);
  return async (change) => {
    const { target } = change;
    if (isServersOwn(target)) return 'left';
    const row = await rowFor(target);
    if (row === undefined)
      return { problem: `no ${target.resource ?? target.kind ?? ''} in ${versionOf(target)} is served` };
    const put = await putChange(change, { row, access, uids });
    const key = `${row.group}/${row.resource}/${target.namespace}/${target.name}`;
    if (change.act === 'put') recordedUids.set(key, metadataOf(change.object).uid ?? '');
    if (change.act === 'remove') {
      uids.delete(recordedUids.get(key) ?? '');
      recordedUids.delete(key);
    }
    if (change.act === 'put' && row.resource === 'customresourcedefinitions') rowFor.expectMore();
    return put;
  };
}

/** `pods shop/web`. */
export const titleOf = ({ resource, kind, namespace, name }: ChangeTarget): string =>
  `${resource ?? kind ?? ''} ${namespace === '' ? '' : `${namespace}/`}${name}`;

const versionOf = ({ group, version }: ChangeTarget): string => (group === '' ? version : `${group}/${version}`);

const kinds: Readonly<Record<string, string>> = {
  services: 'Service',
  endpoints: 'Endpoints',
  endpointslices: 'EndpointSlice',
};

/** Every server keeps its own Service `kubernetes`, and the lease that says that it lives. */
function isServersOwn({ group, version, kind, resource = '', namespace, name }: ChangeTarget): boolean {
  if (group === 'coordination.k8s.io') return namespace === 'kube-system' && name.startsWith('apiserver-');
  const apiVersion = versionOf({ group, version, namespace, name });
  return isServers({ apiVersion, kind: kind ?? kinds[resource] ?? '', metadata: { namespace, name } });
}

interface Rows {
  (target: ChangeTarget): Promise<DiscoveredResource | undefined>;
  /** A definition was written: what it makes is served in a moment. */
  readonly expectMore: () => void;
}

function createRows(access: ServerAccess): Rows {
  let rows: readonly DiscoveredResource[] | undefined;
  let tries = 0;
  const find = async (target: ChangeTarget): Promise<DiscoveredResource | undefined> => {
    rows ??= await fetchResources(access);
    for (;;) {
      const row = rows.find((one) => isOf(one, target));
      if (row || tries <= 0) return row;
      tries -= 1;
      await sleep(patienceMs);
      rows = await fetchResources(access);
    }
  };
  return Object.assign(find, { expectMore: () => void (tries = mostTries) });
}

const isOf = (row: DiscoveredResource, { group, version, resource, kind }: ChangeTarget): boolean =>
  row.group === group &&
  row.version === version &&
  (resource === undefined ? row.kind === kind : row.resource === resource);
