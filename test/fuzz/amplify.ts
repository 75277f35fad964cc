import type { RandomChoices } from '../harness/random-choices.ts';
import { jsonText } from './json-text.ts';

/** The server reads bodies up to here. */
const bodyLimit = 3 * 1024 * 1024;

/** The value with one field enlarged until it nearly fills a body: shows work that grows faster than its input. */
export function amplify(random: RandomChoices, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.8)) {
    const index = random.upTo(value.length - 1);
    if (random.chance(0.4)) return repeatItem(random, value[index]);
    return value.with(index, amplify(random, value[index]));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && random.chance(0.85)) {
    const entries = Object.entries(value);
    const [name, inner] = entries[random.upTo(entries.length)] ?? [random.pick(comparedFields), []];
    return { ...value, [name]: amplify(random, inner) };
  }
  return random.pick([repeatItem, fillMap, makeLongText, nest, makeLargeNumber])(random, value);
}

/** Fields whose values are compared, sorted, merged or matched with each other. */
const comparedFields = [
  'metadata',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
  'data',
  'spec',
  'rules',
  'containers',
  'ports',
  'env',
  'tolerations',
  'webhooks',
  'matchConditions',
] as const;

/** From a few to as many as fit, evenly over the orders of magnitude. */
const randomCount = (random: RandomChoices, size: number): number =>
  Math.max(2, Math.floor((bodyLimit * 0.95) / Math.max(2, size) / 10 ** (random.upTo(300) / 100)));

const sizeOf = (value: unknown): number => jsonText(value).length + 16;

function repeatItem(random: RandomChoices, item: unknown): unknown {
  const isSame = random.chance(0.3);
  return Array.from({ length: randomCount(random, sizeOf(item)) }, (_none, index) =>
    isSame ? item : withNumber(item, index),
  );
}

/** Items that differ where lists of the API are keyed. */
export function withNumber<Item>(item: Item, index: number): Item | string | number;
export function withNumber(item: unknown, index: number): unknown {
  if (typeof item === 'string') return `${item}${index}`;
  if (typeof item === 'number') return item + index;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const key = ['name', 'uid', 'key', 'containerPort', 'port', 'ip', 'type'].find((name) => name in item) ?? 'name';
  return { ...item, [key]: withNumber(Reflect.get(item, key) ?? 'n', index) };
}

function fillMap(random: RandomChoices, value: unknown): unknown {
  const count = randomCount(random, sizeOf(value) + 6);
  return Object.fromEntries(Array.from({ length: count }, (_none, index) => [`k${index}`, value]));
}

const makeLongText = (random: RandomChoices): string => {
  const piece = random.pick([
    'a',
    'a.',
    'a-',
    '/',
    '\\',
    '"',
    ' ',
    '%',
    '(',
    '\u0000',
    '\u{1f600}',
    '9',
    'a=b,',
    '0.0.0.',
    ':',
    '\n',
  ]);
  return piece.repeat(randomCount(random, piece.length * 2));
};

function nest(random: RandomChoices, value: unknown): unknown {
  const name = random.pick(['a', 'spec', 'properties', 'metadata', '__proto__', 'f:a']);
  const isList = random.chance(0.4);
  // Deeper ones cannot be written by JSON.stringify.
  const depth = Math.min(1500, randomCount(random, 8));
  let made = value;
  for (let level = 0; level < depth; level += 1) made = isList ? [made] : { [name]: made };
  return made;
}

const makeLargeNumber = (random: RandomChoices): unknown =>
  random.pick([
    '1e999999999',
    '-1E-999999999',
    `${'9'.repeat(randomCount(random, 1))}`,
    `${'9'.repeat(1000)}.${'9'.repeat(1000)}Ei`,
    `1e${'9'.repeat(30)}`,
    Number.MAX_SAFE_INTEGER,
    `${'9'.repeat(19)}h`,
    '999999999-01-01T00:00:00Z',
    `2020-01-01T00:00:00.${'9'.repeat(5000)}Z`,
  ]);
