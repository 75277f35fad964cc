import type { RandomChoices } from '../harness/random-choices.ts';

/** A CEL expression of a given depth: most have the right types, some do not. */
export const generateExpression = (random: RandomChoices, depth: number): string => truth(random, depth);

type Generate = (random: RandomChoices, depth: number) => string;

const pickForm = (
  random: RandomChoices,
  leaves: readonly [string, ...string[]],
  branches: readonly (() => string)[],
): string => {
  const branch = branches[random.upTo(branches.length - 1)];
  return branch ? branch() : random.pick(leaves);
};

/** Sometimes an operand of another type. */
const any: Generate = (random, depth) => random.pick([truth, whole, text, list, map, real])(random, depth);
const operand = (random: RandomChoices, depth: number, grow: Generate): string =>
  random.chance(0.04) ? any(random, depth - 1) : grow(random, depth - 1);

const truthLeaves = [
  'true',
  'false',
  'has(object.metadata.labels)',
  'object.metadata.name == "a"',
  'x',
  'request.dryRun',
  'has(object.data)',
] as const;
const wholeLeaves = [
  '0',
  '1',
  '-1',
  '9223372036854775807',
  '-9223372036854775808',
  '5u',
  'size(object.metadata.name)',
  'int("7")',
  'x',
  'i',
] as const;
const textLeaves = [
  '""',
  '"a"',
  "'a.b,c'",
  'r"\\d+"',
  '"\\u00e9"',
  'object.metadata.name',
  'request.name',
  'request.userInfo.username',
  'object.data.k1',
  'string(1)',
  'x',
] as const;
const listLeaves = [
  '[]',
  '[1,2,3]',
  '["a","b"]',
  'request.userInfo.groups',
  'object.metadata.finalizers',
  '[[1],[2]]',
  'x',
] as const;
const mapLeaves = [
  '{}',
  '{"a": 1}',
  'object.data',
  'object.metadata.labels',
  'object.metadata',
  '{1: "a", 2u: "b"}',
] as const;
const realLeaves = ['0.0', '1.5', '-1e308', 'double("NaN")', '1.0/0.0', 'double(3)'] as const;

const isLeaf = (random: RandomChoices, depth: number): boolean => depth <= 0 || random.chance(0.1);

function truth(random: RandomChoices, depth: number): string {
  if (isLeaf(random, depth)) return random.pick(truthLeaves);
  const [a, n, t, l, m] = [
    () => operand(random, depth, truth),
    () => operand(random, depth, whole),
    () => operand(random, depth, text),
    () => operand(random, depth, list),
    () => operand(random, depth, map),
  ];
  return pickForm(random, truthLeaves, [
    () => `(${a()} && ${a()})`,
    () => `(${a()} || ${a()})`,
    () => `!(${a()})`,
    () => `(${a()} ? ${a()} : ${a()})`,
    () => `(${n()} ${random.pick(['<', '<=', '==', '!=', '>', '>='])} ${n()})`,
    () => `(${t()} ${random.pick(['<', '==', '!=', '>='])} ${t()})`,
    () => `(${operand(random, depth, real)} < ${operand(random, depth, real)})`,
    () => `(${n()} in ${l()})`,
    () => `(${t()} in ${m()})`,
    () => `${t()}.${random.pick(['startsWith', 'endsWith', 'contains', 'matches'])}(${t()})`,
    () =>
      `${t()}.matches(${random.pick(["'(a|aa)+$'", "'^(a*)*b'", "'[^a]{1,1000}'", "'\\\\pL+'", "'('", "'a{1001}'"])})`,
    () => `${l()}.${random.pick(['all', 'exists', 'exists_one'])}(${random.pick(['x', 'i'])}, ${a()})`,
    () => `${m()}.${random.pick(['all', 'exists'])}(k, ${a()})`,
    () => `${m()}.all(k, x, ${a()})`,
    () => `(${l()} == ${l()})`,
    () => `${l()}.isSorted()`,
    () => `isQuantity(${t()})`,
    () =>
      `quantity(${random.pick(['"1Gi"', '"1e3"', '"1e999999999"', '"9223372036854775808"'])}).${random.pick(['isGreaterThan', 'isLessThan'])}(quantity("1k"))`,
    () => `isURL(${t()}) && url(${t()}).getHost() == ${t()}`,
    () => `ip(${random.pick(['"10.0.0.1"', '"::1"', '"x"'])}).isLoopback()`,
    () => `cidr("10.0.0.0/8").containsIP(${random.pick(['"10.0.0.1"', '"::1"', 'x'])})`,
    () => `authorizer.group('').resource('pods').namespace(${t()}).check('get').allowed()`,
    () => `optional.of(${n()}).hasValue()`,
    () => `object.?metadata.?labels[?${t()}].orValue("") == ${t()}`,
    () =>
      `timestamp(${random.pick(['"2020-01-01T00:00:00Z"', '"9999-12-31T23:59:59Z"', 't'])}) + duration(${random.pick(['"1h"', '"999999999h"', '"-1ns"'])}) > timestamp("2020-01-01T00:00:00Z")`,
    () => `format.named("dns1123Label").value().validate(${t()}).hasValue()`,
    () => `semver(${random.pick(['"1.2.3"', '"1.2.3-rc.1+x"', '"x"'])}).isGreaterThan(semver("1.0.0"))`,
    () => `sets.contains(${l()}, ${l()})`,
    () => `cel.bind(x, ${any(random, depth - 1)}, ${a()})`,
    () => `type(${any(random, depth - 1)}) == ${random.pick(['int', 'string', 'list', 'type(1)'])}`,
  ]);
}

function whole(random: RandomChoices, depth: number): string {
  if (isLeaf(random, depth)) return random.pick(wholeLeaves);
  const n = (): string => operand(random, depth, whole);
  return pickForm(random, wholeLeaves, [
    () => `(${n()} ${random.pick(['+', '-', '*', '/', '%'])} ${n()})`,
    () => `-(${n()})`,
    () => `size(${operand(random, depth, text)})`,
    () => `size(${operand(random, depth, list)})`,
    () => `${operand(random, depth, list)}.${random.pick(['sum', 'min', 'max'])}()`,
    () => `${operand(random, depth, list)}[${n()}]`,
    () => `${operand(random, depth, text)}.indexOf(${operand(random, depth, text)})`,
    () => `int(${operand(random, depth, text)})`,
    () => `uint(${n()})`,
    () => `${operand(random, depth, list)}.indexOf(${n()})`,
    () => `math.greatest(${n()}, ${n()})`,
    () => `timestamp("2020-01-01T00:00:00Z").getFullYear()`,
  ]);
}

function text(random: RandomChoices, depth: number): string {
  if (isLeaf(random, depth)) return random.pick(textLeaves);
  const t = (): string => operand(random, depth, text);
  const n = (): string => operand(random, depth, whole);
  return pickForm(random, textLeaves, [
    () => `(${t()} + ${t()})`,
    () => `${t()}.${random.pick(['lowerAscii', 'upperAscii', 'trim', 'reverse'])}()`,
    () => `${t()}.replace(${t()}, ${t()})`,
    () => `${t()}.replace(${t()}, ${t()}, ${n()})`,
    () => `${t()}.substring(${n()})`,
    () => `${t()}.charAt(${n()})`,
    () => `${operand(random, depth, list)}.join(${t()})`,
    () =>
      `${random.pick(['"%s"', '"%d"', '"%.3f"', '"%x %X %o %b %e"', '"%.999999999f"', '"%s%s%s"'])}.format([${any(random, depth - 1)}, ${any(random, depth - 1)}])`,
    () => `string(${any(random, depth - 1)})`,
    () => `${t()}.find(${random.pick(["'[a-z]+'", "'(.*)*x'", 'x'])})`,
    () => `strings.quote(${t()})`,
    () => `${operand(random, depth, map)}[${t()}]`,
    () => `string(quantity("1.5Gi"))`,
  ]);
}

function list(random: RandomChoices, depth: number): string {
  if (isLeaf(random, depth)) return random.pick(listLeaves);
  const l = (): string => operand(random, depth, list);
  return pickForm(random, listLeaves, [
    () => `[${Array.from({ length: random.upTo(4) }, () => any(random, depth - 1)).join(', ')}]`,
    () => `(${l()} + ${l()})`,
    () => `${l()}.map(${random.pick(['x', 'i'])}, ${any(random, depth - 1)})`,
    () => `${l()}.filter(x, ${operand(random, depth, truth)})`,
    () => `${l()}.map(x, ${operand(random, depth, truth)}, ${any(random, depth - 1)})`,
    () => `${operand(random, depth, text)}.split(${operand(random, depth, text)})`,
    () => `${operand(random, depth, text)}.findAll('a*')`,
    () => `lists.range(${random.pick(['5', '100000', '9223372036854775807', '-1'])})`,
    () => `${l()}.${random.pick(['sort', 'distinct', 'reverse', 'flatten'])}()`,
    () => `${l()}.slice(${operand(random, depth, whole)}, ${operand(random, depth, whole)})`,
    () => `${operand(random, depth, map)}.map(k, k)`,
  ]);
}

const map: Generate = (random, depth) =>
  isLeaf(random, depth)
    ? random.pick(mapLeaves)
    : pickForm(random, mapLeaves, [
        () => `{${text(random, depth - 1)}: ${any(random, depth - 1)}, ${any(random, depth - 1)}: 1}`,
        () => `${operand(random, depth, map)}.transformMap(k, v, ${any(random, depth - 1)})`,
        () => `(${truth(random, depth - 1)} ? ${map(random, depth - 1)} : ${map(random, depth - 1)})`,
      ]);

const real: Generate = (random, depth) =>
  isLeaf(random, depth)
    ? random.pick(realLeaves)
    : pickForm(random, realLeaves, [
        () => `(${real(random, depth - 1)} ${random.pick(['+', '-', '*', '/'])} ${real(random, depth - 1)})`,
        () => `double(${text(random, depth - 1)})`,
        () => `double(${whole(random, depth - 1)})`,
      ]);
