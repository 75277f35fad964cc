import type { KubernetesObject } from '../../../machinery/meta/object.ts';

/** What this process writes comes back by its watch: known by its bytes it need not be read again. */
export interface OwnWrites {
  /** These bytes are on their way to that path, and are this object. */
  readonly begun: (path: string, value: Buffer, object: KubernetesObject) => void;
  /** They did not get there. */
  readonly refused: (path: string) => void;
  /** The object that was written there with these bytes, once; undefined for what somebody else wrote. */
  readonly take: (path: string, value: Buffer) => KubernetesObject | undefined;
}

/** More than these are forgotten, and read when they come back. */
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
