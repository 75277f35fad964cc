import { ownValue } from '../../machinery/meta/object.ts';
import { parametersOf, sameType, typeName } from '../check/type.ts';
import type { Expr } from '../syntax/ast.ts';
import {
  type CostRange,
  costUnion,
  declaredSize,
  type Estimator,
  fixed,
  largest,
  none,
  one,
  perChar,
  perPatternChar,
  plus,
  scaled,
  sum,
  times,
  unknown,
} from './estimator.ts';

/** What a call itself costs, without its arguments, and how large its result is when that is known. */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly size?: CostRange | undefined;
}

/** A call as the estimates see it: a receiver, if it has one, and arguments. */
export interface CallSite {
  readonly estimator: Estimator;
  readonly name: string;
  readonly overload: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
  /** The size of an expression, or all that can be. */
  readonly size: (expr: Expr | undefined) => CostRange;
}

/** `text.replace(old, new)`: how often `old` can occur, and what is left. Follows apiserver pkg/cel/library/cost.go. */
function estimateReplace({ target, args, size }: CallSite): CallEstimate | undefined {
  if (args.length < 2) return undefined;
  const text = size(target);
  const [replaced, replacement] = [size(args[0]), size(args[1])];
  const longest = count(text.max, replaced.min, replacement.max <= replaced.min);
  const shortest = count(text.min, replaced.max, replaced.max <= replacement.min);
  const counts: CostRange = { min: shortest.count, max: longest.count };
  const kept: CostRange = { min: shortest.kept, max: longest.kept };
  return { cost: scaled(text, 2 * perChar), size: plus(times(counts, replacement), kept) };
}

interface Count {
  readonly count: bigint;
  readonly kept: bigint;
}

/** An empty text stands around every character. */
function count(length: bigint, replaced: bigint, unchanged: boolean): Count {
  if (replaced === 0n) return { count: length < largest ? length + 1n : length, kept: length };
  if (unchanged) return { count: 0n, kept: length };
  return { count: BigInt.asUintN(64, BigInt(Math.ceil(Number(length) / Number(replaced)))), kept: 0n };
}

/** The functions that Kubernetes charges in its own way. Follows apiserver pkg/cel/library/cost.go. */
export function estimateLibraryCall(site: CallSite): CallEstimate | undefined {
  if (cheap.has(site.name)) return { cost: one };
  const estimate = ownValue(site.target === undefined ? globals : members, site.name);
  return estimate?.(site);
}

const cheap: ReadonlySet<string> = new Set(
  (
    'serviceAccount path group resource subresource namespace name allowed reason error errored masked prefixLength ' +
    'family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named sign asInteger ' +
    'isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname ' +
    'getHost getPort getEscapedPath getQuery'
  ).split(' '),
);

type Estimate = (site: CallSite) => CallEstimate | undefined;

const check: Estimate = () => ({ cost: fixed(350_000n) });
const selector: Estimate = ({ args, size }) => {
  const text = size(args[0]);
  return { cost: sum([fixed(10n), scaled(text, perChar), scaled(text, 25)]) };
};

const traversed: Estimate = ({ args, size }) => ({ cost: scaled(size(args[0]), perChar), size: size(args[0]) });

/** A text is read once. */
const read: Estimate = ({ args, size }) => ({ cost: scaled(size(args[0]), perChar) });

const globals: Readonly<Record<string, Estimate>> = {
  url: traversed,
  'jsonpatch.escapeKey': traversed,
  ...Object.fromEntries(
    ['ip', 'cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map((name) => [name, read]),
  ),
  'ip.isCanonical': ({ args, size }) => ({ cost: scaled(size(args[0]), 2 * perChar) }),
  '_==_': equality,
};

const changed: Estimate = ({ target, size }) => ({ cost: scaled(size(target), perChar), size: size(target) });

const members: Readonly<Record<string, Estimate>> = {
  check,
  fieldSelector: selector,
  labelSelector: selector,
  ...Object.fromEntries(
    ['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name): [string, Estimate] => [name, traversal]),
  ),
  lowerAscii: changed,
  upperAscii: changed,
  substring: changed,
  trim: changed,
  replace: estimateReplace,
  split,
  join,
  find: search,
  findAll: search,
  ip: () => ({ cost: one }),
  containsIP: (site) => ({ cost: sum([compared, parsed(site, 'cidr_contains_ip_string')]) }),
  containsCIDR: (site) => ({
    cost: sum([compared, scaled(addressBytes, perChar), one, parsed(site, 'cidr_contains_cidr_string')]),
  }),
  validate: ({ args, size }) => ({
    cost: scaled(scaled(size(args[0]), perChar), maxFormatPatternLength * perPatternChar),
  }),
};

const maxFormatPatternLength = 128;
const addressBytes: CostRange = { min: 4n, max: 16n };
const compared = scaled(plus(addressBytes, addressBytes), perChar);

const parsed = ({ overload, args, size }: CallSite, ofText: string): CostRange =>
  overload === ofText ? scaled(size(args[0]), perChar) : none;

/** Every element once; of texts, also their length. */
function traversal(site: CallSite): CallEstimate {
  const { estimator, target, size } = site;
  const [element] = target === undefined ? [] : parametersOf(estimator.typeOf(target));
  if (element === undefined) return { cost: scaled(size(target), perChar) };
  const isText = element.kind === 'string' || element.kind === 'bytes';
  const perElement = isText ? plus(one, scaled(elementSize(site), perChar)) : one;
  return { cost: times(size(target), perElement) };
}

/** The size of the receiver's elements, when the schema limits it. */
function elementSize({ estimator, target }: CallSite): CostRange {
  const path = target === undefined ? [] : estimator.pathOf(target);
  const ofVariable = path.length > 0 && !path[0]?.startsWith('@result');
  return (ofVariable ? declaredSize([...path, '@items'], estimator.sizeAt) : undefined) ?? unknown;
}

function split({ target, args, size }: CallSite): CallEstimate {
  const text = size(target);
  const limit = args[1]?.type === 'constant' && args[1].constant.type === 'int' ? args[1].constant.value : undefined;
  const max = limit === undefined ? text.max : BigInt.asUintN(64, limit);
  return { cost: scaled(text, 2 * perChar), size: { min: 0n, max } };
}

function join(site: CallSite): CallEstimate {
  const { target, args, size } = site;
  const list = size(target);
  const texts = times(list, elementSize(site));
  const gaps = { min: list.min > 0n ? list.min - 1n : 0n, max: list.max > 0n ? list.max - 1n : 0n };
  const all = args.length > 0 ? plus(texts, times(size(args[0]), gaps)) : texts;
  return { cost: scaled(all, perChar), size: all };
}

function search({ target, args, size }: CallSite): CallEstimate {
  const text = size(target);
  const cost = times(scaled(plus(text, one), perChar), scaled(size(args[0]), perPatternChar));
  return { cost, size: { min: 0n, max: text.max } };
}

const scalarTypes = /^(?:net\.(?:IP|CIDR)|kubernetes\.(?:Quantity|Semver|authorization\..*))$/;
const maxFormatLength = 64n;

/** Values of Kubernetes' own types; everything else compares as the language says. */
function equality({ estimator, args: [left, right] }: CallSite): CallEstimate | undefined {
  if (left === undefined || right === undefined) return undefined;
  const type = estimator.typeOf(left);
  if (!sameType(type, estimator.typeOf(right))) return undefined;
  const name = typeName(type);
  if (scalarTypes.test(name)) return { cost: one };
  if (name === 'kubernetes.NamedFormat') return { cost: scaled({ min: 1n, max: maxFormatLength }, perChar) };
  if (name !== 'kubernetes.URL') return undefined;
  const sizes = [estimator.sizeOf(left), estimator.sizeOf(right)];
  const [a, b] = sizes;
  return { cost: scaled({ min: 1n, max: a && b ? costUnion(a, b).max : 1n }, perChar) };
}
