import { stringify } from 'yaml';
import type { RandomChoices } from '../harness/random-choices.ts';
import { corruptText } from '../harness/hostile-value.ts';
import { bytesOf } from './case.ts';
import { jsonText } from './json-text.ts';

export interface Encoded {
  readonly type: string;
  readonly bytes: Uint8Array;
}

export const asJson = (random: RandomChoices, value: unknown): Encoded => ({
  type: 'application/json',
  bytes: textOf(random, jsonText(value)),
});

/** Values that the library cannot write. */
const deeplyNested = /\[{40}|(?:\{"[^"]*":){40}/;

/** YAML, or JSON where the library cannot write the nesting. */
export function plainYaml(value: unknown): string {
  const json = jsonText(value);
  return deeplyNested.test(json) ? json : stringify(value);
}

/** YAML in one of its many forms; large values are JSON, which is YAML too. */
export function asYaml(random: RandomChoices, value: unknown): Encoded {
  const json = jsonText(value);
  const styles = [
    {},
    { defaultStringType: 'QUOTE_DOUBLE' },
    { defaultStringType: 'BLOCK_LITERAL' },
    { collectionStyle: 'flow' },
    { indent: 1 },
  ] as const;
  const text =
    json.length > 4000 || deeplyNested.test(json) || random.chance(0.2) ? json : stringify(value, random.pick(styles));
  return {
    type: 'application/yaml',
    bytes: textOf(random, random.chance(0.25) ? addYamlFeatures(random, text) : text),
  };
}

function textOf(random: RandomChoices, text: string): Uint8Array {
  let made = text;
  while (random.chance(0.15)) made = corruptText(random, made);
  return bytesOf(made);
}

const randomCount = (random: RandomChoices, most: number): number =>
  Math.floor(most / 10 ** (random.upTo(400) / 100)) + 1;

/** Features of YAML that JSON does not have, as a document around or after this text. */
export function addYamlFeatures(random: RandomChoices, text: string): string {
  const count = randomCount(random, 100_000);
  const levels = randomCount(random, 40);
  return random.pick([
    (): string => `${'['.repeat(count)}`,
    (): string => `${'[\n'.repeat(count)}`,
    (): string => `${'{a: '.repeat(count)}`,
    (): string => `${'- '.repeat(count)}a`,
    (): string => `${'? '.repeat(count)}a`,
    (): string => `${'!a '.repeat(count)}a`,
    (): string => `${'&a '.repeat(count)}a`,
    (): string => Array.from({ length: Math.min(count, 1500) }, (_none, level) => `${' '.repeat(level)}a:\n`).join(''),
    (): string => nestAliases(levels, 9),
    (): string => `base: &base {a: 1}\nd:\n${'  <<: *base\n'.repeat(Math.min(count, 50_000))}`,
    (): string => `a: &a\n${Array.from({ length: count }, (_none, index) => `  k${index}: 1\n`).join('')}`,
    (): string => `<<: [${'{a: 1}, '.repeat(count)}]\n${text}`,
    (): string => `${text}\n${'---\n'.repeat(count)}`,
    (): string => `%YAML 1.1\n%TAG ! tag:x,2000:\n---\n${text}`,
    (): string => `a: !!binary ${'AAAA'.repeat(count)}\n${text}`,
    (): string => `a: !!timestamp ${'9'.repeat(count)}\n`,
    (): string => `a: ${'0'.repeat(count)}1\nb: 1_000\nc: 190:20:30\nd: 0o17\ne: .inf\nf: -.NaN\n${text}`,
    (): string => `a: |${'9'.repeat(5)}\n${' '.repeat(count)}b`,
    (): string => `a: "${'\\x41'.repeat(count)}"\n`,
    (): string => `a: '${"''".repeat(count)}'\n`,
    (): string => `# ${'#'.repeat(count)}\n${text}`,
    (): string => `a: *a\n${text}`,
    (): string => `? ${text.replaceAll('\n', ' ')}\n: 1\n`,
    (): string => `"${'a'.repeat(count)}": 1\n${text}`,
    (): string => `${'a b '.repeat(count)}`,
    (): string => `${'\t'.repeat(count)}${text}`,
    (): string => `\ufeff${text}`,
    (): string => text.replaceAll('\n', '\r'),
  ])();
}

/** Each list contains the previous one nine times. */
function nestAliases(levels: number, width: number): string {
  const lists = Array.from({ length: levels }, (_none, level) => {
    const inner = level === 0 ? 'x' : `*l${level - 1}`;
    return `l${level}: &l${level} [${Array.from({ length: width }, () => inner).join(', ')}]\n`;
  });
  return lists.join('');
}
