import { bigintAsNumber } from '../../machinery/json/json-writer.ts';
import { type FieldPath, type PathStep, pathText } from '../trace/field-path.ts';
import type { FieldChange } from '../trace/object-diff.ts';

/** `container late`, `image of container late`, `label team`, `spec.replicas`. */
export function describeField(path: FieldPath): string {
  const [metadata, map, key, ...deeper] = path;
  if (metadata === 'metadata' && typeof map === 'string' && typeof key === 'string' && deeper.length === 0) {
    const noun = metadataNouns.get(map);
    if (noun !== undefined) return `${noun} ${key}`;
  }
  const at = path.findLastIndex((step) => typeof step === 'object');
  if (at < 1) return pathText(path);
  const own = describeItem(path.slice(0, at), path[at]);
  if (own === undefined) return pathText(path);
  const rest = path.slice(at + 1);
  const parents = path.slice(0, at - 1);
  const holder = parents.some((step) => typeof step === 'object') ? ` of ${describeField(parents)}` : '';
  return `${rest.length === 0 ? '' : `${pathText(rest)} of `}${own}${holder}`;
}

const metadataNouns: ReadonlyMap<string, string> = new Map([
  ['labels', 'label'],
  ['annotations', 'annotation'],
]);

function describeItem(list: FieldPath, item: PathStep | undefined): string | undefined {
  const named = namedList(list);
  return named === undefined || typeof item !== 'object' ? undefined : `${named.noun} ${item.value}`;
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function describeList(texts: readonly string[]): string {
  const all = [...new Set(texts)];
  if (all.length > 3) return `${all.slice(0, 2).join(', ')} and ${all.length - 2} more`;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

const maxLength = 60;

/** At most 60 characters. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value, bigintAsNumber);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** A list whose items have a key, though the API does not refuse every duplicate. */
interface NamedList {
  readonly noun: string;
  /** The merge key of the API. */
  readonly key: string;
}

export function namedList(path: FieldPath): NamedList | undefined {
  const field = path.at(-1);
  return typeof field === 'string' ? namedLists.get(field) : undefined;
}

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

/** `added container late and label team, changed image of container web`; `changed nothing`. */
export function describeChange(
  changes: readonly FieldChange[],
  { valueText = () => '' }: { readonly valueText?: (change: FieldChange) => string } = {},
): string {
  const kinds = [
    { verb: 'added', of: changes.filter((one) => one.before === undefined) },
    { verb: 'changed', of: changes.filter((one) => one.before !== undefined && one.after !== undefined) },
    { verb: 'removed', of: changes.filter((one) => one.after === undefined) },
  ];
  const nonEmpty = kinds.filter(({ of }) => of.length > 0);
  if (nonEmpty.length === 0) return 'changed nothing';
  return nonEmpty
    .map(({ verb, of }) => `${verb} ${describeList(of.map((one) => describeField(one.path) + valueText(one)))}`)
    .join(', ');
}
