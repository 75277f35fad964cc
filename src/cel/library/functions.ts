import type { CelOperation } from '../run/frame.ts';
import { isBox, noSuchOverload, type CelResult } from '../value/value.ts';
import { authorizerFunctions } from './authorizer.ts';
import { convertCost, type FunctionCost, type FunctionRow, unitCost } from './cel-function.ts';
import { formatFunctions } from './formats.ts';
import { ipFunctions } from './ip.ts';
import { listFunctions, setFunctions } from './lists.ts';
import { optionalFunctions } from './optionals.ts';
import { compareQuantity, quantityFunctions } from './quantity.ts';
import { compareVersion, semverFunctions } from './semver.ts';
import { standardFunctions } from './standard.ts';
import { regexFunctions, stringFunctions } from './strings.ts';
import { urlFunctions } from './url.ts';

/** Versions and quantities share the names of their comparisons. */
function comparison(toResult: (order: number) => CelResult): CelOperation {
  const ofVersions = compareVersion(toResult);
  const ofQuantities = compareQuantity(toResult);
  return (a, b, c, d) => (isBox(a, 'semver') ? ofVersions : ofQuantities)(a, b, c, d);
}

/** A key as one step of a JSON pointer. Follows apiserver pkg/cel/library/jsonpatch.go. */
const escapeJsonPatchKey: CelOperation = (key) =>
  typeof key === 'string' ? key.replaceAll('~', '~0').replaceAll('/', '~1') : noSuchOverload;

/** Every function of Kubernetes CEL. */
export const functionRows: readonly FunctionRow[] = [
  ...standardFunctions,
  ...stringFunctions,
  ...regexFunctions,
  ...listFunctions,
  ...setFunctions,
  ...optionalFunctions,
  ...urlFunctions,
  ...ipFunctions,
  ...quantityFunctions,
  ...semverFunctions,
  ['isLessThan', comparison((order) => order < 0), unitCost],
  ['isGreaterThan', comparison((order) => order > 0), unitCost],
  ['compareTo', comparison((order) => order), unitCost],
  ...formatFunctions,
  ...authorizerFunctions,
  ['jsonpatch.escapeKey', escapeJsonPatchKey, convertCost],
];

const functions: ReadonlyMap<string, FunctionRow> = new Map(functionRows.map((row) => [row[0], row]));

/** The operation of a function of Kubernetes CEL; undefined for operators that evaluate their operands themselves. */
export const operationOf = (name: string): CelOperation | undefined => functions.get(name)?.[1];

/** The cost of an overload; `overload` is empty when the checker left several. */
export function costOf(name: string, overload: string): FunctionCost {
  const [, , cost = unitCost, overloadCosts] = functions.get(name) ?? [];
  return overloadCosts?.[overload] ?? cost;
}
