import type { KubernetesObject } from '../../../machinery/meta/object.ts';

/** Recognizes this process's writes in its watch by their bytes, so that they are not decoded again. */
export interface OwnWrites {
  readonly begun: (path: string, value: Buffer, object: KubernetesObject) => void;
  readonly refused: (path: string) => void;
  /** Returns the object once; undefined for another client's write. */
  readonly take: (path: string, value: Buffer) => KubernetesObject | undefined;
}

/** Older ones are decoded when the watch returns them. */
const remembered = 1000;

export function createOwnWrites(): OwnWrites {
  const underway = new Map<string, { readonly value: Buffer; readonly object: KubernetesObject }>();
  return {
    begun: (path, value, object) => {
      underway.delete(path);
      underway.set(path, { value, object });
      const [oldest] = underway.keys();
      if (underway.size > remembered && oldest !== undefined) underway.delete(oldest);
    },
    refused: (path) => underway.delete(path),
    take: (path, value) => {
      const own = underway.get(path);
      if (!own?.value.equals(value)) return undefined;
      underway.delete(path);
      return own.object;
    },
  };
}
