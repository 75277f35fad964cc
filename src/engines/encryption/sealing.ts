import { groupResourceText } from '../../apimachinery/gvk.ts';
import type { GroupResource } from '../../apimachinery/gvk.ts';
import { identity } from './transformer.ts';
import type { Opened, Transformer } from './transformer.ts';

/** How the objects of each resource are stored. */
export interface Sealing {
  readonly seal: (resource: GroupResource, data: Buffer, path: string) => Buffer;
  readonly open: (resource: GroupResource, data: Buffer, path: string) => Opened;
  /** Has to be waited for before these values can be opened; undefined: nothing has. */
  readonly unlock: (values: readonly Buffer[]) => Promise<void> | undefined;
}

/** The transformer of each `RESOURCE.GROUP`, `*.GROUP` and `*.*`; the core group's is `*.`. */
export type Transformers = ReadonlyMap<string, Transformer>;

/** Nothing is encrypted. */
export const unsealed: Sealing = {
  seal: (_resource, data, path) => identity.toStorage(data, path),
  open: (_resource, data, path) => identity.fromStorage(data, path),
  unlock: () => undefined,
};

/**
 * The most specific one counts; without any, values are as they are. `current` is asked each time: the configuration may have
 * been read again. Follows apiserver pkg/server/options/encryptionconfig/config.go transformerFromOverrides.
 */
export function sealingBy(current: () => Transformers): Sealing {
  const of = (resource: GroupResource): Transformer => {
    const all = current();
    return all.get(groupResourceText(resource)) ?? all.get(`*.${resource.group}`) ?? all.get('*.*') ?? identity;
  };
  return {
    seal: (resource, data, path) => of(resource).toStorage(data, path),
    open: (resource, data, path) => of(resource).fromStorage(data, path),
    unlock: (values) => {
      const asked = [...new Set(current().values())].flatMap(({ unlock }) => unlock?.(values) ?? []);
      return asked.length === 0 ? undefined : Promise.all(asked).then(() => undefined);
    },
  };
}
