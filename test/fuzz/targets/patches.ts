import type { Draw } from '../../harness/draw.ts';
import { junk, metadataFields, mutateValue, oddTexts, specFields } from '../../harness/hostile-value.ts';
import { type Sample, samples } from '../../harness/hostile-samples.ts';
import { amplified } from '../amplify.ts';
import { nameOf, writeQuery } from '../api-path.ts';
import { request, type RequestAct, type Target } from '../case.ts';
import { asJson, asYaml } from '../encodings.ts';
import { reachable } from '../reachable.ts';

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** The four types of PATCH, on an existing object that is often large at the patched field. */
export const patches: Target = {
  name: 'patch',
  draw: (draw, ground) => {
    const [collection, template] = draw.one<readonly [Sample, ...Sample[]]>(samples);
    const sample = reachable(template, ground);
    const name = nameOf(draw);
    const object = { ...sample, metadata: { name, labels: { a: 'b' }, finalizers: ['example.com/f'] } };
    const large = draw.chance(0.15) ? amplified(draw, object) : object;
    const item = `${collection}/${name}`;
    const made = request('POST', collection, large);
    return [
      made,
      ...Array.from({ length: 1 + draw.upTo(2) }, () => patch(draw, item, object)),
      request('DELETE', item),
    ];
  },
};

function patch(draw: Draw, item: string, object: object): RequestAct {
  const type = draw.one(['json', 'json', 'merge', 'strategic', 'strategic', 'apply']);
  const value = patchValue(draw, type, object);
  const grown = draw.chance(0.15) ? amplified(draw, value) : value;
  const { bytes } = type === 'apply' && draw.chance(0.4) ? asYaml(draw, grown) : asJson(draw, grown);
  const query =
    type === 'apply'
      ? `?fieldManager=${draw.one(['m1', 'm2', 'm3'])}&force=${draw.one(['true', 'false'])}`
      : writeQuery(draw);
  return { act: 'request', method: 'PATCH', path: item + query, headers: { 'content-type': types[type] }, body: bytes };
}

function patchValue(draw: Draw, type: keyof typeof types, object: object): unknown {
  switch (type) {
    case 'json':
      return Array.from({ length: 1 + draw.upTo(3) }, () => operation(draw, object));
    case 'merge':
      return mutateValue(draw, object);
    case 'strategic':
      return directed(draw, mutateValue(draw, object));
    case 'apply':
      return mutateValue(draw, { apiVersion: 'v1', kind: 'ConfigMap', ...object });
  }
}

function operation(draw: Draw, object: object): unknown {
  const path = draw.chance(0.8)
    ? pathInto(draw, object)
    : draw.one(['', '/', '/~2', '/-', '/metadata/finalizers/-', '/__proto__/x', '/constructor/prototype/x']);
  const op = draw.one(['add', 'add', 'replace', 'remove', 'move', 'copy', 'copy', 'test', 'zap']);
  return { op, path, from: pathInto(draw, object), value: draw.chance(0.5) ? junk(draw, 3) : object };
}

/** The path of a field in the object, or next to it. */
function pathInto(draw: Draw, value: unknown): string {
  if (typeof value !== 'object' || value === null || draw.chance(0.2)) return '';
  const keys = [...Object.keys(value), Array.isArray(value) ? '-' : draw.one(oddTexts)];
  const key = keys[draw.upTo(keys.length - 1)] ?? '';
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${pathInto(draw, Reflect.get(value, key))}`;
}

const directives = [
  '$patch',
  '$retainKeys',
  '$setElementOrder/containers',
  '$setElementOrder/ports',
  '$deleteFromPrimitiveList/finalizers',
  '$setElementOrder/finalizers',
] as const;

/** Adds directives of strategic merge to some of its objects. */
function directed(draw: Draw, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => directed(draw, item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, directed(draw, inner)]);
  if (draw.chance(0.3)) fields.push([draw.one(directives), directive(draw)]);
  return Object.fromEntries(fields);
}

const directive = (draw: Draw): unknown =>
  draw.one([
    () => draw.one(['delete', 'replace', 'merge', 'zap', '']),
    () => [{ name: 'c' }, { name: draw.one(oddTexts) }],
    () => Array.from({ length: draw.upTo(3) }, () => draw.one([...metadataFields, ...specFields])),
    () => junk(draw, 2),
  ])();
