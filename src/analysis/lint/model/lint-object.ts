import { asObject, asString } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Place } from '../../../testing/scenario/format.ts';
import type { Located } from '../../../testing/scenario/read/located.ts';

/** The way to a value: names of fields, indices of lists. */
export type ValuePath = readonly (string | number)[];

/** An object that is linted, with where it stands. */
export interface LintObject {
  readonly object: KubernetesObject;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** `Service shop/web`. */
  readonly title: string;
  /** Is it an object of a server, not of a file? */
  readonly isStored: boolean;
  /** The places of the object, of every value on the way, and of the value itself; what is not there stands where its parent does. */
  readonly placesOf: (path: ValuePath) => readonly [Place, ...Place[]];
}

/** An object of a file. */
export function locatedObject(at: Located, object: KubernetesObject): LintObject {
  return lintObject(object, false, (path) => {
    const places: [Place, ...Place[]] = [at.place];
    let current: Located | undefined = at;
    for (const step of path) {
      current = typeof step === 'number' ? current.items()[step] : current.get(step);
      if (current === undefined) break;
      places.push(current.keyPlace);
    }
    return places;
  });
}

/** An object of a server, which has no lines. */
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
