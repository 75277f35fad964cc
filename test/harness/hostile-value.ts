import type { RandomChoices } from './random-choices.ts';

/** Strings with a special meaning to some parser. */
export const oddTexts = [
  '',
  '.',
  '..',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'a/b',
  '%2F',
  '%',
  '\u0000',
  'a b',
  '\u{1f600}',
  '\ud800',
  'x'.repeat(5000),
  '-1',
  '1e999',
  '0x10',
  '99999999999999999999',
  'NaN',
  'null',
  'true',
  '\\',
  '"',
  "'",
  ',',
  '=',
  '!=',
  'a=b',
  'a in (b,',
  '((((((((((',
  'default',
  'kube-system',
  'namespaces',
  'status',
] as const;

export const names = ['a', 'b', 'default', 'x-1', 'cluster-admin'] as const;

export const metadataFields = [
  'namespace',
  'generateName',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'resourceVersion',
  'uid',
  'managedFields',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'creationTimestamp',
  'generation',
  'selfLink',
] as const;

export const specFields = [
  'replicas',
  'selector',
  'template',
  'containers',
  'initContainers',
  'volumes',
  'ports',
  'nodeName',
  'tolerations',
  'clusterIP',
  'type',
  'finalizers',
  'parallelism',
  'schedule',
  'rules',
  'metrics',
  'holderIdentity',
  'resourceAttributes',
  'user',
  'token',
  'minAvailable',
  'securityContext',
  'matchConstraints',
  'validations',
  'request',
  'signerName',
  'usages',
] as const;

/** The value with one field replaced, removed or added. */
export function mutateValue(random: RandomChoices, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.85)) {
    const index = random.upTo(value.length - 1);
    return value.with(index, mutateValue(random, value[index]));
  }
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return junk(random, 2);
  const entries = Object.entries(value);
  const index = random.upTo(entries.length);
  const [field, inner] = entries[index] ?? [
    random.chance(0.5) ? random.pick(specFields) : random.pick(oddTexts),
    junk(random, 2),
  ];
  if (random.chance(0.1)) return Object.fromEntries(entries.filter(([name]) => name !== field));
  return { ...value, [field]: mutateValue(random, inner) };
}

/** A random value of any type. */
export function junk(random: RandomChoices, depth: number): unknown {
  if (depth === 0 || random.chance(0.5))
    return random.pick([
      null,
      true,
      false,
      0,
      -1,
      1.5,
      2 ** 53,
      1e21,
      random.pick(oddTexts),
      random.pick(names),
      '2020-01-01T00:00:00Z',
    ]);
  if (random.chance(0.5)) return Array.from({ length: random.upTo(3) }, () => junk(random, depth - 1));
  const fields = Array.from({ length: random.upTo(3) }, (): [string, unknown] => [
    random.chance(0.5)
      ? random.pick(metadataFields)
      : random.chance(0.6)
        ? random.pick(specFields)
        : random.pick(oddTexts),
    junk(random, depth - 1),
  ]);
  return Object.fromEntries(fields);
}

/** The text with one part cut, duplicated or replaced. */
export function corruptText(random: RandomChoices, text: string): string {
  const start = random.upTo(text.length);
  const end = start + random.upTo(4);
  return (
    text.slice(0, start) +
    random.pick([
      '',
      '"',
      '{',
      '}',
      ',',
      '\u0000',
      '__proto__',
      '\\ud800',
      '99999999999999999999',
      text.slice(start, end).repeat(2),
    ]) +
    text.slice(end)
  );
}
