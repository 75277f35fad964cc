import { trim } from '../../../machinery/go/trim.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import { builtInFolder, customFolder } from '../../../apiserver/storage/resource-folder.ts';
import type { StoreKey } from '../../../apiserver/storage/storage.ts';

/** Keys below the prefix. */
export interface Layout {
  /** Start of the range of all keys. */
  readonly root: Buffer;
  readonly end: Buffer;
  readonly pathOf: (key: StoreKey) => string;
  /** Prefix of a resource, or of a namespace in it. */
  readonly folderOf: (resource: GroupResource, namespace?: string) => string;
  /** undefined for keys of other data: masterleases, ranges. */
  readonly keyOf: (path: string) => StoreKey | undefined;
}

/**
 * kube-apiserver's layout: built-in objects under their plural, custom ones under GROUP/PLURAL, then namespace and
 * name. `builtIn` are the storage resources of the built-in kinds.
 */
export function createLayout(prefix: string, builtIn: readonly GroupResource[]): Layout {
  const root = `/${trim(prefix, '/')}/`;
  const folders = new Map(builtIn.map((resource) => [builtInFolder(resource.resource), resource]));
  const groupOfBuiltIn = new Map(builtIn.map(({ group, resource }) => [resource, group]));
  const folderOf = ({ group, resource }: GroupResource, namespace?: string): string => {
    const isBuiltIn = groupOfBuiltIn.get(resource) === group;
    const folder = isBuiltIn ? builtInFolder(resource) : customFolder({ group, resource });
    return namespace ? `${root}${folder}/${namespace}/` : `${root}${folder}/`;
  };
  return {
    root: Buffer.from(root),
    end: endOf(root),
    folderOf,
    pathOf: ({ resource, namespace, name }) => folderOf(resource, namespace) + name,
    keyOf: (path) => {
      const [first = '', second = '', ...more] = path.slice(root.length).split('/');
      const alone = folders.get(first);
      if (alone) return keyIn(alone, [second, ...more]);
      const resource = folders.get(`${first}/${second}`) ?? customResource(first, second);
      return resource && keyIn(resource, more);
    },
  };
}

/** The end of the key range of a folder: `0` follows `/`. */
export const endOf = (folder: string): Buffer => Buffer.from(`${folder.slice(0, -1)}0`);

const customResource = (group: string, resource: string): GroupResource | undefined =>
  group.includes('.') && resource !== '' ? { group, resource } : undefined;

function keyIn(resource: GroupResource, segments: readonly string[]): StoreKey | undefined {
  const [first, second, third] = segments;
  if (first === undefined || first === '' || third !== undefined) return undefined;
  return second === undefined ? { resource, namespace: '', name: first } : { resource, namespace: first, name: second };
}
