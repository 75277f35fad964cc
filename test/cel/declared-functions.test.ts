import { expect, test } from 'vitest';
import builtin from '../../src/cel/builtin/declarations.json' with { type: 'json' };
import { check } from '../../src/cel/check/check.ts';
import { createEnvironment } from '../../src/cel/check/environment.ts';
import { readType } from '../../src/cel/check/type.ts';
import { estimateCost } from '../../src/cel/estimate/estimate-cost.ts';
import { kubernetesOperations } from '../../src/cel/library/operations.ts';
import { costOf } from '../../src/cel/run/call-cost.ts';
import { parse } from '../../src/cel/syntax/parse.ts';
import { createSource } from '../../src/cel/syntax/source-text.ts';

const newest = 99;

interface DeclaredOverload {
  readonly name: string;
  readonly id: string;
  readonly args: readonly string[];
  readonly isMember: boolean;
}

const overloads = builtin.functions.map(([name, id, args, , isMember]): DeclaredOverload => ({
  name: String(name),
  id: String(id),
  args: Array.isArray(args) ? args : [],
  isMember: isMember === true,
}));

/** Operators and fallbacks evaluate their operands themselves: src/cel/run/plan-call.ts. */
const plannedCalls = '_&&_ _||_ _==_ _!=_ _?_:_ _[_] _[?_] _?._ @not_strictly_false or orValue'.split(' ');

test('every declared function has an operation', () => {
  const missing = overloads.filter(({ name }) => !kubernetesOperations.has(name) && !plannedCalls.includes(name));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

/** Functions all of whose overloads cost 1, as cel-go charges what it has no rule for. */
const costsOne: ReadonlySet<string> = new Set(
  (
    'add allowed asApproximateFloat asInteger bool charAt compareTo double duration dyn error errored family first ' +
    'format.byte format.date format.datetime format.dns1035Label format.dns1035LabelPrefix format.dns1123Label ' +
    'format.dns1123LabelPrefix format.dns1123Subdomain format.dns1123SubdomainPrefix format.labelValue format.named ' +
    'format.qualifiedName format.uri format.uuid getDate getDayOfMonth getDayOfWeek getDayOfYear getEscapedPath getFullYear ' +
    'getHost getHostname getHours getMilliseconds getMinutes getMonth getPort getQuery getScheme getSeconds group hasValue ' +
    'int isGlobalUnicast isGreaterThan isInteger isLessThan isLinkLocalMulticast isLinkLocalUnicast isLoopback isURL ' +
    'isUnspecified last major masked minor name namespace optional.none optional.of optional.ofNonZeroValue optional.unwrap ' +
    'or orValue patch path prefixLength reason resource serviceAccount sign size sub subresource timestamp type uint unwrapOpt ' +
    'value'
  ).split(' '),
);

const named = overloads.filter(({ name }) => /^[a-zA-Z.\d]+$/.test(name));
const chargesBySize = ({ name, id }: DeclaredOverload): boolean => costOf(name, id) !== 1;

test('every declared function has a runtime cost, or is listed as costing 1', () => {
  const charged = new Set(named.filter(chargesBySize).map(({ name }) => name));
  const uncharged = new Set(named.map(({ name }) => name).filter((name) => !charged.has(name)));
  expect([...uncharged].toSorted()).toEqual([...costsOne].toSorted());
});

/** The cost of `a0.trim()` without its arguments; they are variables of the declared types, with int for type parameters. */
function estimateOf({ name, args, isMember }: DeclaredOverload): string {
  const variables = new Map(
    args.map((type, index) => [`a${index}`, readType(type.replaceAll(/<[A-Z]>/g, 'int'))] as const),
  );
  const [target = '', ...others] = variables.keys();
  const text = isMember ? `${target}.${name}(${others.join(', ')})` : `${name}(${[...variables.keys()].join(', ')})`;
  const source = createSource(text);
  const parsing = parse(source, new Map());
  if (parsing.outcome !== 'parsed') throw new Error(`cannot parse ${text}`);
  const checking = check(parsing.ast, source, createEnvironment({ version: newest, variables }));
  if (checking.outcome !== 'checked') throw new Error(`cannot check ${text}`);
  const { min, max } = estimateCost(checking.checked, () => undefined);
  const count = BigInt(args.length);
  return `${min - count} to ${max - count}`;
}

/** Charged by size at run time, estimated as 1. */
const estimatedAsOne: ReadonlySet<string> = new Set(['cidr_ip', 'list_includes_dyn_dyn']);

test('every declared function that charges by size estimates by size, and no other does', () => {
  const differing = named.filter((declared) => {
    const isBySize = chargesBySize(declared) && !estimatedAsOne.has(declared.id);
    return isBySize === (estimateOf(declared) === '1 to 1');
  });
  expect(differing.map(({ id }) => id)).toEqual([]);
});
