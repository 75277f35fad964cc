import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import { asKubernetesObject, withMetadata } from '../../../src/machinery/meta/object.ts';
import recorded from '../../facts/strategy/between.json' with { type: 'json' };
import { accepted, begun, create } from './write.ts';

/**
 * What a kube-apiserver v1.36.2 changed between mutating and validating webhooks. Each row of the recording says
 * `+path=value`, `-path=value` or `~path: old→new`; values that differ from run to run count as `<any>`.
 */
test.each(recorded.map((row) => [row.case, row] as const))('%s', async (_name, { object, between }) => {
  const sent = asKubernetesObject(withNamespace(object));
  if (!sent) throw new Error('the recording is broken');
  const generated = withMetadata(sent, { name: sent.metadata?.name ?? generatedName(between) });
  const result = accepted(create(await begun(generated)));
  expect(changes(sent, result).toSorted()).toEqual(between.map(anyFor).filter(isComparable).toSorted());
});

const withNamespace = (object: unknown): JsonValue =>
  JSON.parse(JSON.stringify(object).replaceAll('"NS"', '"ns"').replaceAll('<rand5>', 'abcde'));

const generatedName = (rows: readonly string[]): string =>
  rows.find((row) => row.startsWith('+metadata.name='))?.slice('+metadata.name="'.length, -1) ?? '';

/** An empty object is a leaf here; the recording has it only where nothing took its place. */
const isComparable = (row: string): boolean => !row.endsWith('={}');

const varying = /(clusterIPs?(\[0\])?|[nN]odePort|uid|Timestamp|Time)$/;

function anyFor(row: string): string {
  const [, sign = '', path = ''] = /^([+~-])(.*?)(=|: )/.exec(row) ?? [];
  const isVarying = varying.test(path) || row.includes('<uid>');
  const isNone = row.includes('"None"');
  return isVarying && !isNone ? `${sign}${path}` : row;
}

function changes(before: JsonValue, after: JsonValue): readonly string[] {
  const old = new Map(leaves('', before));
  const now = new Map(leaves('', after));
  const rows = [...new Set([...old.keys(), ...now.keys()])].flatMap((path) => {
    const [a, b] = [old.get(path), now.get(path)];
    if (a === b) return [];
    if (a === undefined) return [`+${path}=${b}`];
    return [b === undefined ? `-${path}=${a}` : `~${path}: ${a}→${b}`];
  });
  return rows
    .map((row) => row.replaceAll('the-uid', '<uid>'))
    .map(anyFor)
    .filter(isComparable);
}

function leaves(path: string, value: JsonValue | undefined): readonly (readonly [string, string])[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => leaves(`${path}[${index}]`, item));
  }
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item]) => leaves(path === '' ? key : `${path}.${key}`, item));
  }
  return [[path, JSON.stringify(value)]];
}
