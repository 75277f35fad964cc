import { asObject, asString } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { SourceLocation } from '../../../testing/scenario/format.ts';
import type { Located } from '../../../testing/scenario/read/located.ts';

/** Field names and list indices. */
export type ValuePath = readonly (string | number)[];

export interface LintObject {
  readonly object: KubernetesObject;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** `Service shop/web`. */
  readonly title: string;
  /** An object of a server, not of a file. */
  readonly isStored: boolean;
  /** Places of the object, of every parent and of the value itself; an absent value has its parent's place. */
  readonly placesOf: (path: ValuePath) => readonly [SourceLocation, ...SourceLocation[]];
}

export function locatedObject(at: Located, object: KubernetesObject): LintObject {
  return lintObject(object, false, (path) => {
    const places: [SourceLocation, ...SourceLocation[]] = [at.place];
    let current: Located | undefined = at;
    for (const step of path) {
      current = typeof step === 'number' ? current.items()[step] : current.get(step);
      if (current === undefined) break;
      places.push(current.keyPlace);
    }
    return places;
  });
}

/** Objects of a server have no lines. */
export const servedObject = (object: KubernetesObject, server: string): LintObject =>
  lintObject(object, true, () => [{ file: server, line: 1, column: 1 }]);

function lintObject(object: KubernetesObject, isStored: boolean, placesOf: LintObject['placesOf']): LintObject {
  const metadata = asObject(object['metadata']);
  const { kind } = object;
  const name = asString(metadata['name']);
  const namespace = asString(metadata['namespace']);
  return {
    object,
    kind,
    name,
    namespace,
    isStored,
    title: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`,
    placesOf,
  };
}

/** `webhooks[0].rules`. */
export const fieldOf = (path: ValuePath): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');
