import type { Draw } from '../harness/draw.ts';

/** A CEL expression of a given depth: most have the right types, some do not. */
export const expression = (draw: Draw, depth: number): string => truth(draw, depth);

type Grow = (draw: Draw, depth: number) => string;

const pick = (draw: Draw, leaves: readonly [string, ...string[]], branches: readonly (() => string)[]): string => {
  const branch = branches[draw.upTo(branches.length - 1)];
  return branch ? branch() : draw.one(leaves);
};

/** Sometimes an operand of another type. */
const any: Grow = (draw, depth) => draw.one([truth, whole, text, list, map, real])(draw, depth);
const sub = (draw: Draw, depth: number, grow: Grow): string =>
  draw.chance(0.04) ? any(draw, depth - 1) : grow(draw, depth - 1);

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

const leaf = (draw: Draw, depth: number): boolean => depth <= 0 || draw.chance(0.1);

function truth(draw: Draw, depth: number): string {
  if (leaf(draw, depth)) return draw.one(truthLeaves);
  const [a, n, t, l, m] = [
    () => sub(draw, depth, truth),
    () => sub(draw, depth, whole),
    () => sub(draw, depth, text),
    () => sub(draw, depth, list),
    () => sub(draw, depth, map),
  ];
  return pick(draw, truthLeaves, [
    () => `(${a()} && ${a()})`,
    () => `(${a()} || ${a()})`,
    () => `!(${a()})`,
    () => `(${a()} ? ${a()} : ${a()})`,
    () => `(${n()} ${draw.one(['<', '<=', '==', '!=', '>', '>='])} ${n()})`,
    () => `(${t()} ${draw.one(['<', '==', '!=', '>='])} ${t()})`,
    () => `(${sub(draw, depth, real)} < ${sub(draw, depth, real)})`,
    () => `(${n()} in ${l()})`,
    () => `(${t()} in ${m()})`,
    () => `${t()}.${draw.one(['startsWith', 'endsWith', 'contains', 'matches'])}(${t()})`,
    () => `${t()}.matches(${draw.one(["'(a|aa)+$'", "'^(a*)*b'", "'[^a]{1,1000}'", "'\\\\pL+'", "'('", "'a{1001}'"])})`,
    () => `${l()}.${draw.one(['all', 'exists', 'exists_one'])}(${draw.one(['x', 'i'])}, ${a()})`,
    () => `${m()}.${draw.one(['all', 'exists'])}(k, ${a()})`,
    () => `${m()}.all(k, x, ${a()})`,
    () => `(${l()} == ${l()})`,
    () => `${l()}.isSorted()`,
    () => `isQuantity(${t()})`,
    () =>
      `quantity(${draw.one(['"1Gi"', '"1e3"', '"1e999999999"', '"9223372036854775808"'])}).${draw.one(['isGreaterThan', 'isLessThan'])}(quantity("1k"))`,
    () => `isURL(${t()}) && url(${t()}).getHost() == ${t()}`,
    () => `ip(${draw.one(['"10.0.0.1"', '"::1"', '"x"'])}).isLoopback()`,
    () => `cidr("10.0.0.0/8").containsIP(${draw.one(['"10.0.0.1"', '"::1"', 'x'])})`,
    () => `authorizer.group('').resource('pods').namespace(${t()}).check('get').allowed()`,
    () => `optional.of(${n()}).hasValue()`,
    () => `object.?metadata.?labels[?${t()}].orValue("") == ${t()}`,
    () =>
      `timestamp(${draw.one(['"2020-01-01T00:00:00Z"', '"9999-12-31T23:59:59Z"', 't'])}) + duration(${draw.one(['"1h"', '"999999999h"', '"-1ns"'])}) > timestamp("2020-01-01T00:00:00Z")`,
    () => `format.named("dns1123Label").value().validate(${t()}).hasValue()`,
    () => `semver(${draw.one(['"1.2.3"', '"1.2.3-rc.1+x"', '"x"'])}).isGreaterThan(semver("1.0.0"))`,
    () => `sets.contains(${l()}, ${l()})`,
    () => `cel.bind(x, ${any(draw, depth - 1)}, ${a()})`,
    () => `type(${any(draw, depth - 1)}) == ${draw.one(['int', 'string', 'list', 'type(1)'])}`,
  ]);
}

function whole(draw: Draw, depth: number): string {
  if (leaf(draw, depth)) return draw.one(wholeLeaves);
  const n = (): string => sub(draw, depth, whole);
  return pick(draw, wholeLeaves, [
    () => `(${n()} ${draw.one(['+', '-', '*', '/', '%'])} ${n()})`,
    () => `-(${n()})`,
    () => `size(${sub(draw, depth, text)})`,
    () => `size(${sub(draw, depth, list)})`,
    () => `${sub(draw, depth, list)}.${draw.one(['sum', 'min', 'max'])}()`,
    () => `${sub(draw, depth, list)}[${n()}]`,
    () => `${sub(draw, depth, text)}.indexOf(${sub(draw, depth, text)})`,
    () => `int(${sub(draw, depth, text)})`,
    () => `uint(${n()})`,
    () => `${sub(draw, depth, list)}.indexOf(${n()})`,
    () => `math.greatest(${n()}, ${n()})`,
    () => `timestamp("2020-01-01T00:00:00Z").getFullYear()`,
  ]);
}

function text(draw: Draw, depth: number): string {
  if (leaf(draw, depth)) return draw.one(textLeaves);
  const t = (): string => sub(draw, depth, text);
  const n = (): string => sub(draw, depth, whole);
  return pick(draw, textLeaves, [
    () => `(${t()} + ${t()})`,
    () => `${t()}.${draw.one(['lowerAscii', 'upperAscii', 'trim', 'reverse'])}()`,
    () => `${t()}.replace(${t()}, ${t()})`,
    () => `${t()}.replace(${t()}, ${t()}, ${n()})`,
    () => `${t()}.substring(${n()})`,
    () => `${t()}.charAt(${n()})`,
    () => `${sub(draw, depth, list)}.join(${t()})`,
    () =>
      `${draw.one(['"%s"', '"%d"', '"%.3f"', '"%x %X %o %b %e"', '"%.999999999f"', '"%s%s%s"'])}.format([${any(draw, depth - 1)}, ${any(draw, depth - 1)}])`,
    () => `string(${any(draw, depth - 1)})`,
    () => `${t()}.find(${draw.one(["'[a-z]+'", "'(.*)*x'", 'x'])})`,
    () => `strings.quote(${t()})`,
    () => `${sub(draw, depth, map)}[${t()}]`,
    () => `string(quantity("1.5Gi"))`,
  ]);
}

function list(draw: Draw, depth: number): string {
  if (leaf(draw, depth)) return draw.one(listLeaves);
  const l = (): string => sub(draw, depth, list);
  return pick(draw, listLeaves, [
    () => `[${Array.from({ length: draw.upTo(4) }, () => any(draw, depth - 1)).join(', ')}]`,
    () => `(${l()} + ${l()})`,
    () => `${l()}.map(${draw.one(['x', 'i'])}, ${any(draw, depth - 1)})`,
    () => `${l()}.filter(x, ${sub(draw, depth, truth)})`,
    () => `${l()}.map(x, ${sub(draw, depth, truth)}, ${any(draw, depth - 1)})`,
    () => `${sub(draw, depth, text)}.split(${sub(draw, depth, text)})`,
    () => `${sub(draw, depth, text)}.findAll('a*')`,
    () => `lists.range(${draw.one(['5', '100000', '9223372036854775807', '-1'])})`,
    () => `${l()}.${draw.one(['sort', 'distinct', 'reverse', 'flatten'])}()`,
    () => `${l()}.slice(${sub(draw, depth, whole)}, ${sub(draw, depth, whole)})`,
    () => `${sub(draw, depth, map)}.map(k, k)`,
  ]);
}

const map: Grow = (draw, depth) =>
  leaf(draw, depth)
    ? draw.one(mapLeaves)
    : pick(draw, mapLeaves, [
        () => `{${text(draw, depth - 1)}: ${any(draw, depth - 1)}, ${any(draw, depth - 1)}: 1}`,
        () => `${sub(draw, depth, map)}.transformMap(k, v, ${any(draw, depth - 1)})`,
        () => `(${truth(draw, depth - 1)} ? ${map(draw, depth - 1)} : ${map(draw, depth - 1)})`,
      ]);

const real: Grow = (draw, depth) =>
  leaf(draw, depth)
    ? draw.one(realLeaves)
    : pick(draw, realLeaves, [
        () => `(${real(draw, depth - 1)} ${draw.one(['+', '-', '*', '/'])} ${real(draw, depth - 1)})`,
        () => `double(${text(draw, depth - 1)})`,
        () => `double(${whole(draw, depth - 1)})`,
      ]);
