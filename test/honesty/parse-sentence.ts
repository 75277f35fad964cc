import type { Path } from './truth.ts';

/** `label team`, `image of container late`, `data.k`, `metadata.labels[stub]` as a path; undefined for other texts. */
export function parsePath(words: string): Path | undefined {
  const [, map, key] = /^(label|annotation) (\S+)$/.exec(words) ?? [];
  if (map !== undefined && key !== undefined) return ['metadata', `${map}s`, key];
  const [, rest, noun, name, holder] =
    /^(?:(\S+) of )?(container|init container|volume|volume mount|env) (\S+?)(?: of (container \S+))?$/.exec(words) ??
    [];
  if (noun !== undefined && name !== undefined) {
    const parents = holder === undefined ? ['spec'] : parsePath(holder);
    return parents && [...parents, lists[noun] ?? noun, name, ...(rest === undefined ? [] : parseFieldPath(rest))];
  }
  return /^[\w.[\]=/-]+$/.test(words) ? parseFieldPath(words) : undefined;
}

const lists: Readonly<Record<string, string>> = {
  container: 'containers',
  'init container': 'initContainers',
  volume: 'volumes',
  'volume mount': 'volumeMounts',
  env: 'env',
};

/** `spec.containers[name=web].image` */
export const parseFieldPath = (text: string): Path =>
  [...text.matchAll(/\.?([^.[\]]+)|\[(?:[a-zA-Z]+=)?([^\]]*)\]/g)].map(([, name, inner]) => name ?? inner ?? '');

/** `a`, `a and b`, `a, b and 3 more`: the paths, and whether there are more. undefined when one of them is unknown. */
export function parsePaths(words: string): readonly Path[] | undefined {
  const items = words
    .replace(/ and \d+ more$/, '')
    .split(/, | and /)
    .map(parsePath);
  return items.every((one) => one !== undefined) ? items : undefined;
}

export interface DescribedChange {
  readonly verb: 'added' | 'changed' | 'removed';
  readonly paths: readonly Path[];
}

/** `added container late and label team, changed image of container web`; [] for `changed nothing`. */
export function parseChanges(words: string): readonly DescribedChange[] | undefined {
  if (words === 'changed nothing') return [];
  const parts = words.split(/, (?=(?:added|changed|removed) )/);
  const read = parts.map((part) => {
    const [, verb, what = ''] = /^(added|changed|removed) (.*)$/.exec(part) ?? [];
    const paths = parsePaths(what);
    return verb === undefined || paths === undefined ? undefined : { verb: verb as DescribedChange['verb'], paths };
  });
  return read.every((one) => one !== undefined) ? read : undefined;
}
