import type { FieldPath } from '../trace/field-path.ts';

/** A list whose items must not have the same name, though not every one of them is refused when they do. */
interface NamedList {
  /** What people call an item. */
  readonly noun: string;
  /** The field that tells items apart: the merge key of the API. */
  readonly key: string;
}

/** The list at a path, if it is one of those. */
export function namedList(path: FieldPath): NamedList | undefined {
  const field = path.at(-1);
  return typeof field === 'string' ? namedLists.get(field) : undefined;
}

/** By the field that holds the list. */
const namedLists: ReadonlyMap<string, NamedList> = new Map([
  ['containers', { noun: 'container', key: 'name' }],
  ['initContainers', { noun: 'init container', key: 'name' }],
  ['ephemeralContainers', { noun: 'ephemeral container', key: 'name' }],
  ['volumes', { noun: 'volume', key: 'name' }],
  ['volumeMounts', { noun: 'volume mount', key: 'mountPath' }],
  ['volumeDevices', { noun: 'volume device', key: 'devicePath' }],
  ['env', { noun: 'env', key: 'name' }],
  ['ports', { noun: 'port', key: 'name' }],
  ['imagePullSecrets', { noun: 'imagePullSecret', key: 'name' }],
  ['hostAliases', { noun: 'host alias', key: 'ip' }],
]);
