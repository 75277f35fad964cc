import type { Draw } from './draw.ts';

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
export function mutateValue(draw: Draw, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && draw.chance(0.85)) {
    const index = draw.upTo(value.length - 1);
    return value.with(index, mutateValue(draw, value[index]));
  }
  if (typeof value !== 'object' || value === null || draw.chance(0.1)) return junk(draw, 2);
  const entries = Object.entries(value);
  const index = draw.upTo(entries.length);
  const [field, inner] = entries[index] ?? [
    draw.chance(0.5) ? draw.one(specFields) : draw.one(oddTexts),
    junk(draw, 2),
  ];
  if (draw.chance(0.1)) return Object.fromEntries(entries.filter(([name]) => name !== field));
  return { ...value, [field]: mutateValue(draw, inner) };
}

/** A random value of any type. */
export function junk(draw: Draw, depth: number): unknown {
  if (depth === 0 || draw.chance(0.5))
    return draw.one([
      null,
      true,
      false,
      0,
      -1,
      1.5,
      2 ** 53,
      1e21,
      draw.one(oddTexts),
      draw.one(names),
      '2020-01-01T00:00:00Z',
    ]);
  if (draw.chance(0.5)) return Array.from({ length: draw.upTo(3) }, () => junk(draw, depth - 1));
  const fields = Array.from({ length: draw.upTo(3) }, (): [string, unknown] => [
    draw.chance(0.5) ? draw.one(metadataFields) : draw.chance(0.6) ? draw.one(specFields) : draw.one(oddTexts),
    junk(draw, depth - 1),
  ]);
  return Object.fromEntries(fields);
}

/** The text with one part cut, duplicated or replaced. */
export function corruptText(draw: Draw, text: string): string {
  const start = draw.upTo(text.length);
  const end = start + draw.upTo(4);
  return (
    text.slice(0, start) +
    draw.one([
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
