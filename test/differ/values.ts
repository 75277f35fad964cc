import type { Random } from '../../src/machinery/clock.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../src/machinery/json/json.ts';
import { type Definitions, resolveType } from './object-fields.ts';

/** Texts that are valid for one field and invalid for most. */
const texts = [
  'a',
  'n1',
  '',
  'A b',
  'x.y/z',
  '-a',
  'a_b',
  'Aa',
  '1.2.3.4',
  '1.2.3.0/24',
  '1.2.3.4/24',
  '::1',
  'fd00::/64',
  '10%',
  '101%',
  '5s',
  'http',
  '/abs',
  '../x',
  'a/b',
  'a/../b',
  '*',
  '*.example.com',
  'example.com',
  'a=b',
  '*/5 * * * *',
  '2020-01-01T00:00:00Z',
  '100m',
  '-1',
  '1Gi',
  'café',
  'a\nb',
  'a\u0000',
  '$(X)',
  'spec.nodeName',
  'In',
  'Exists',
  'True',
  'Custom',
  'TCP',
  '65536',
  'a,b',
  ' a',
  'https://x/y',
  'x.k8s.io/v1',
  '010.1.1.1',
  'kubernetes.io/x',
  'requests.cpu',
  'hugepages-2Mi',
  'a'.repeat(64),
  'a'.repeat(254),
];
const numbers = [0, 1, -1, 2, 80, 100, 101, 600, 65535, 65536, 2147483647, 2147483648, 1.5, 1e20];
const quantities = ['1', '100m', '2Gi', '-1', 'abc', '', '0.5', '1e3', 1, 1.5, '+1', '12345678901234567890'];
const times = ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.123456Z', '2020-01-01', '', null, 5];
const keys = ['a', 'cpu', 'memory', 'storage', 'x.y/z', 'k8s.io/q', 'A b', '', '-x', 'pods', 'example.com/gpu'];
export const misfits: readonly JsonValue[] = [
  'x',
  5,
  true,
  {},
  [],
  ['x'],
  { a: 1 },
  null,
  -1,
  1.5,
  '',
  'a'.repeat(300),
];

const special: readonly (readonly [nameEnds: RegExp, values: readonly JsonValue[]])[] = [
  [/Quantity$/, quantities],
  [/IntOrString$/, [0, 1, 80, -1, 70_000, 'http', '50%', '101%', '', 'A_b']],
  [/Time$/, times],
  [/(?:FieldsV1|RawExtension)$/, [{}, { a: 1 }, 'x', null]],
];

export interface Chance {
  readonly pick: <Item>(items: readonly Item[]) => Item | undefined;
  readonly happens: (share: number) => boolean;
}

export const createChance = (random: Random): Chance => ({
  pick: (items) => items[Math.floor(random() * items.length)],
  happens: (share) => random() < share,
});

/** A value of a type, often a valid one. */
export function someValue(definitions: Definitions, of: JsonObject, chance: Chance, depth: number): JsonValue {
  const { pick, happens } = chance;
  const type = resolveType(definitions, of);
  const named = special.find(([pattern]) => pattern.test(type.name ?? ''));
  if (named) return pick(named[1]) ?? null;
  const options = asList(type['enum']);
  if (options.length > 0 && happens(0.8)) return pick(options) ?? null;
  const inner = (one: JsonObject): JsonValue => someValue(definitions, one, chance, depth + 1);
  if (type['type'] === 'array') return someList(() => inner(asObject(type['items'])), chance);
  return someScalar(type, chance) ?? someObject(type, chance, depth, inner);
}

function someScalar(type: JsonObject, { pick, happens }: Chance): JsonValue | undefined {
  switch (asString(type['type'])) {
    case 'string':
      return pick(type['format'] === 'byte' ? ['aGk=', 'x', '', '!!!!'] : texts);
    case 'integer':
    case 'number':
      return pick(numbers);
    case 'boolean':
      return happens(0.5);
    default:
      return undefined;
  }
}

/** No item, one, two, or one twice. */
function someList(item: () => JsonValue, { happens }: Chance): JsonValue {
  if (happens(0.2)) return [];
  const first = item();
  if (happens(0.7)) return [first];
  return [first, happens(0.5) ? first : item()];
}

function someObject(
  type: JsonObject,
  { pick, happens }: Chance,
  depth: number,
  inner: (type: JsonObject) => JsonValue,
): JsonObject {
  const { additionalProperties } = type;
  if (isJsonObject(additionalProperties)) {
    return Object.fromEntries(
      (pick([0, 1, 1, 2]) === 0 ? [] : [pick(keys) ?? 'a']).map((key) => [key, inner(additionalProperties)]),
    );
  }
  const fields = Object.entries(asObject(type['properties']));
  const required = asList(type['required']).map(asString);
  const share = depth > 5 ? 0 : Math.min(0.5, 2.2 / fields.length);
  return Object.fromEntries(
    fields.flatMap(([field, of]) =>
      happens(required.includes(field) ? 0.93 : share) ? [[field, inner(asObject(of))]] : [],
    ),
  );
}
