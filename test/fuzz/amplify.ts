import type { Draw } from '../harness/draw.ts';
import { jsonText } from './json-text.ts';

/** The server reads bodies up to here. */
const bodyLimit = 3 * 1024 * 1024;

/** The value with one field enlarged until it nearly fills a body: shows work that grows faster than its input. */
export function amplified(draw: Draw, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && draw.chance(0.8)) {
    const index = draw.upTo(value.length - 1);
    if (draw.chance(0.4)) return repeated(draw, value[index]);
    return value.with(index, amplified(draw, value[index]));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && draw.chance(0.85)) {
    const entries = Object.entries(value);
    const [name, inner] = entries[draw.upTo(entries.length)] ?? [draw.one(growing), []];
    return { ...value, [name]: amplified(draw, inner) };
  }
  return draw.one([repeated, keyed, lengthened, nested, enlarged])(draw, value);
}

/** Fields whose values are compared, sorted, merged or matched with each other. */
const growing = [
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
const many = (draw: Draw, size: number): number =>
  Math.max(2, Math.floor((bodyLimit * 0.95) / Math.max(2, size) / 10 ** (draw.upTo(300) / 100)));

const sizeOf = (value: unknown): number => jsonText(value).length + 16;

function repeated(draw: Draw, item: unknown): unknown {
  const isSame = draw.chance(0.3);
  return Array.from({ length: many(draw, sizeOf(item)) }, (_none, index) => (isSame ? item : numbered(item, index)));
}

/** Items that differ where lists of the API are keyed. */
export function numbered<Item>(item: Item, index: number): Item | string | number;
export function numbered(item: unknown, index: number): unknown {
  if (typeof item === 'string') return `${item}${index}`;
  if (typeof item === 'number') return item + index;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const key = ['name', 'uid', 'key', 'containerPort', 'port', 'ip', 'type'].find((name) => name in item) ?? 'name';
  return { ...item, [key]: numbered(Reflect.get(item, key) ?? 'n', index) };
}

function keyed(draw: Draw, value: unknown): unknown {
  const count = many(draw, sizeOf(value) + 6);
  return Object.fromEntries(Array.from({ length: count }, (_none, index) => [`k${index}`, value]));
}

const lengthened = (draw: Draw): string => {
  const piece = draw.one([
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
  return piece.repeat(many(draw, piece.length * 2));
};

function nested(draw: Draw, value: unknown): unknown {
  const name = draw.one(['a', 'spec', 'properties', 'metadata', '__proto__', 'f:a']);
  const isList = draw.chance(0.4);
  // Deeper ones cannot be written by JSON.stringify.
  const depth = Math.min(1500, many(draw, 8));
  let made = value;
  for (let level = 0; level < depth; level += 1) made = isList ? [made] : { [name]: made };
  return made;
}

const enlarged = (draw: Draw): unknown =>
  draw.one([
    '1e999999999',
    '-1E-999999999',
    `${'9'.repeat(many(draw, 1))}`,
    `${'9'.repeat(1000)}.${'9'.repeat(1000)}Ei`,
    `1e${'9'.repeat(30)}`,
    Number.MAX_SAFE_INTEGER,
    `${'9'.repeat(19)}h`,
    '999999999-01-01T00:00:00Z',
    `2020-01-01T00:00:00.${'9'.repeat(5000)}Z`,
  ]);
