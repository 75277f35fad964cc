import { storedVersion } from '../admission/admission-environment.ts';
import type { MinorVersion } from '../check/declarations.ts';
import { createEnvironment, type Environment, type FieldsOf } from '../check/environment.ts';
import { anyType, boolType, mapType, stringType, structType, type Type, typeText } from '../check/type.ts';
import { estimateCost } from '../estimate/estimate-cost.ts';
import type { EstimatedPath, SizeAt } from '../estimate/estimator.ts';
import { type CompilationFailure, compile } from '../run/compile.ts';
import { type Expand, createFold, listExpr, literalBool, macroError } from '../syntax/macro-fold.ts';
import { macroKey } from '../syntax/macros.ts';
import { ident, memberCall } from '../syntax/node-factory.ts';

export interface DeviceSelectorOptions {
  /** Of the server; by default the default release. */
  readonly release?: MinorVersion | undefined;
  /** Was the expression accepted by an earlier write? */
  readonly stored: boolean;
}

/** `isTooExpensive`: the most that it can cost is more than a selector may. */
export type DeviceSelection = { readonly outcome: 'compiled'; readonly isTooExpensive: boolean } | CompilationFailure;

const maxCost = 1_000_000n;

/** Compiles a device selector. Follows dynamic-resource-allocation cel/compile.go CompileCELExpression. */
export function compileDeviceSelector(expression: string, options: DeviceSelectorOptions): DeviceSelection {
  const compilation = compile(expression, createDeviceEnvironment(options), ({ type }) =>
    type.kind === 'bool' || type.kind === 'any'
      ? undefined
      : `must evaluate to bool or the unknown type, not ${typeText(type)}`,
  );
  if (compilation.outcome === 'failed') return compilation;
  const { max } = estimateCost(compilation.compiled.checked, deviceSizes);
  return { outcome: 'compiled', isTooExpensive: max > maxCost };
}

/** Feature gate DRAConsumableCapacity. */
const sharedSince: MinorVersion = 36;

function createDeviceEnvironment({ release = storedVersion, stored }: DeviceSelectorOptions): Environment {
  const fieldsOf = deviceFields(release >= sharedSince);
  const environment = createEnvironment({
    version: stored ? release : release - 1,
    variables: new Map([['device', deviceType]]),
    structs: (name) => (name === deviceType.name ? fieldsOf : undefined),
  });
  return { ...environment, macros: new Map([...environment.macros, [macroKey('bind', 3, true), bind]]) };
}

/** `cel.bind(name, value, expression)`, a fold that never runs. Follows cel-go ext/bindings.go. */
const bind: Expand = (context, target, args) => {
  const [variable = target, value = target, expression = target] = args;
  if (target.type !== 'ident' || target.name !== 'cel') return memberCall(context.id(), 'bind', target, args);
  if (variable.type !== 'ident') return macroError(variable, 'cel.bind() variable names must be simple identifiers');
  return createFold(context, {
    range: listExpr(context),
    variables: ['#unused'],
    accumulator: variable.name,
    init: value,
    condition: literalBool(context, false),
    step: ident(context.id(), variable.name),
    result: expression,
  });
};

/** A value of a device, and the longest that it can be. */
interface Sized {
  readonly type: Type;
  readonly maxSize: number;
  readonly key?: Sized;
  readonly element?: Sized;
}

const text = (maxSize: number): Sized => ({ type: stringType, maxSize });
const domain = text(63);
const id = text(32);
const attribute: Sized = { type: anyType, maxSize: 64 };
const quantity: Sized = { type: structType('kubernetes.Quantity'), maxSize: 0 };
const maxNames = 32;

const map = (key: Sized, element: Sized): Sized => ({
  type: mapType(key.type, element.type),
  maxSize: maxNames,
  key,
  element,
});

const allowMultiple = 'allowMultipleAllocations';

const fields: ReadonlyMap<string, Sized> = new Map([
  ['driver', text(63)],
  [allowMultiple, { type: boolType, maxSize: 1 }],
  ['attributes', map(domain, map(id, attribute))],
  ['capacity', map(domain, map(id, quantity))],
]);

const deviceType = structType('kubernetes.DRADevice');

/** `isShared`: may devices allow multiple allocations? Follows dynamic-resource-allocation cel/compile.go. */
const deviceFields =
  (isShared: boolean): FieldsOf =>
  (field) =>
    field === allowMultiple && !isShared ? undefined : fields.get(field)?.type;

/** The maximum size of a value at a path of `device`. Follows its sizeEstimator. */
const deviceSizes: SizeAt = ([variable, first, ...steps]: EstimatedPath) => {
  if (variable !== 'device') return undefined;
  let at = first === undefined ? whole : fields.get(first);
  for (const step of steps) at = at && stepInto(at, step);
  return at && { min: 0n, max: BigInt(at.maxSize) };
};

const whole: Sized = { type: deviceType, maxSize: 0 };

/** All attributes have the same maximum length. */
function stepInto({ key, element }: Sized, step: string): Sized | undefined {
  if (step === '@keys') return key;
  return step === '@items' || step === '@values' || element === attribute ? element : undefined;
}
