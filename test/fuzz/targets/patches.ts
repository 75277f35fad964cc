import type { RandomChoices } from '../../harness/random-choices.ts';
import { junk, metadataFields, mutateValue, oddTexts, specFields } from '../../harness/hostile-value.ts';
import { type Sample, samples } from '../../harness/hostile-samples.ts';
import { amplify } from '../amplify.ts';
import { pickName, generateWriteQuery } from '../api-path.ts';
import { request, type RequestAct, type Target } from '../case.ts';
import { asJson, asYaml } from '../encodings.ts';
import { withFuzzWebhook } from '../fuzz-webhook-address.ts';

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** The four types of PATCH, on an existing object that is often large at the patched field. */
export const patches: Target = {
  name: 'patch',
  generate: (random, ground) => {
    const [collection, template] = random.pick<readonly [Sample, ...Sample[]]>(samples);
    const sample = withFuzzWebhook(template, ground);
    const name = pickName(random);
    const object = { ...sample, metadata: { name, labels: { a: 'b' }, finalizers: ['example.com/f'] } };
    const large = random.chance(0.15) ? amplify(random, object) : object;
    const item = `${collection}/${name}`;
    const made = request('POST', collection, large);
    return [
      made,
      ...Array.from({ length: 1 + random.upTo(2) }, () => patch(random, item, object)),
      request('DELETE', item),
    ];
  },
};

function patch(random: RandomChoices, item: string, object: object): RequestAct {
  const type = random.pick(['json', 'json', 'merge', 'strategic', 'strategic', 'apply']);
  const value = patchValue(random, type, object);
  const grown = random.chance(0.15) ? amplify(random, value) : value;
  const { bytes } = type === 'apply' && random.chance(0.4) ? asYaml(random, grown) : asJson(random, grown);
  const query =
    type === 'apply'
      ? `?fieldManager=${random.pick(['m1', 'm2', 'm3'])}&force=${random.pick(['true', 'false'])}`
      : generateWriteQuery(random);
  return { act: 'request', method: 'PATCH', path: item + query, headers: { 'content-type': types[type] }, body: bytes };
}

function patchValue(random: RandomChoices, type: keyof typeof types, object: object): unknown {
  switch (type) {
    case 'json':
      return Array.from({ length: 1 + random.upTo(3) }, () => operation(random, object));
    case 'merge':
      return mutateValue(random, object);
    case 'strategic':
      return addDirectives(random, mutateValue(random, object));
    case 'apply':
      return mutateValue(random, { apiVersion: 'v1', kind: 'ConfigMap', ...object });
  }
}

function operation(random: RandomChoices, object: object): unknown {
  const path = random.chance(0.8)
    ? pathInto(random, object)
    : random.pick(['', '/', '/~2', '/-', '/metadata/finalizers/-', '/__proto__/x', '/constructor/prototype/x']);
  const op = random.pick(['add', 'add', 'replace', 'remove', 'move', 'copy', 'copy', 'test', 'zap']);
  return { op, path, from: pathInto(random, object), value: random.chance(0.5) ? junk(random, 3) : object };
}

/** The path of a field in the object, or next to it. */
function pathInto(random: RandomChoices, value: unknown): string {
  if (typeof value !== 'object' || value === null || random.chance(0.2)) return '';
  const keys = [...Object.keys(value), Array.isArray(value) ? '-' : random.pick(oddTexts)];
  const key = keys[random.upTo(keys.length - 1)] ?? '';
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${pathInto(random, Reflect.get(value, key))}`;
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
function addDirectives(random: RandomChoices, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => addDirectives(random, item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, addDirectives(random, inner)]);
  if (random.chance(0.3)) fields.push([random.pick(directives), directive(random)]);
  return Object.fromEntries(fields);
}

const directive = (random: RandomChoices): unknown =>
  random.pick([
    () => random.pick(['delete', 'replace', 'merge', 'zap', '']),
    () => [{ name: 'c' }, { name: random.pick(oddTexts) }],
    () => Array.from({ length: random.upTo(3) }, () => random.pick([...metadataFields, ...specFields])),
    () => junk(random, 2),
  ])();
