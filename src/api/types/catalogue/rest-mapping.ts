import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { Catalogue, ResourceInfo } from './catalogue.ts';

/** The resource of a kind in upstream's REST mapper. */
export interface RestMapping extends GroupVersionResource {
  readonly namespaced: boolean;
  /** undefined for a list kind, which no resource serves. */
  readonly row: ResourceInfo | undefined;
}

export type KnownKinds = Pick<Catalogue, 'all' | 'forKind' | 'hasVersion'>;

/** The kind may be in lower case. Follows client-go restmapper/discovery.go NewDiscoveryRESTMapper. */
export function restMapping(
  { group, version, kind }: GroupVersionKind,
  catalogue: KnownKinds,
): RestMapping | undefined {
  const isMeant = (row: ResourceInfo): boolean =>
    row.group === group && row.version === version && row.subresource === '' && row.kind.kind.toLowerCase() === kind;
  const row = catalogue.forKind({ group, version, kind }) ?? catalogue.all().find(isMeant);
  if (row) return { ...placeOf(row), row };
  const list = { group, version, resource: `${kind.toLowerCase()}s`, row: undefined };
  if (kind === 'List') return catalogue.hasVersion(group, version) ? { ...list, namespaced: false } : undefined;
  const item = kind.endsWith('List') ? catalogue.forKind({ group, version, kind: kind.slice(0, -4) }) : undefined;
  return item && { ...list, namespaced: item.namespaced };
}

const placeOf = ({ group, version, resource, namespaced }: ResourceInfo): Omit<RestMapping, 'row'> => ({
  group,
  version,
  resource,
  namespaced,
});
