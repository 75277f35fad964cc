import { storedVersion } from '../admission/admission-environment.ts';
import { createEnvironment } from '../check/environment.ts';
import type { Environment } from '../check/environment.ts';
import type { MinorVersion } from '../check/declarations.ts';
import { typeText } from '../check/type.ts';
import { estimateCost } from '../estimate/estimate-cost.ts';
import { compile } from '../run/compile.ts';
import type { CompilationFailure } from '../run/compile.ts';
import { macroKey } from '../syntax/macros.ts';
import { bind } from './bind-macro.ts';
import { deviceFields, deviceSizes, deviceType } from './device-type.ts';

export interface DeviceSelectorOptions {
  /** Of the server; the one that is followed unless it is said. */
  readonly release?: MinorVersion | undefined;
  /** Was the expression accepted by an earlier write? */
  readonly stored: boolean;
}

/** `isTooDear`: the most that it can cost is more than a selector may. */
export type DeviceSelection = { readonly outcome: 'compiled'; readonly isTooDear: boolean } | CompilationFailure;

const mostCost = 1_000_000n;

/** Compiles what selects devices. Follows dynamic-resource-allocation cel/compile.go CompileCELExpression. */
export function compileDeviceSelector(expression: string, options: DeviceSelectorOptions): DeviceSelection {
  const compilation = compile(expression, deviceEnvironment(options), ({ type }) =>
    type.kind === 'bool' || type.kind === 'any'
      ? undefined
      : `must evaluate to bool or the unknown type, not ${typeText(type)}`,
  );
  if (compilation.outcome === 'failed') return compilation;
  const { max } = estimateCost(compilation.compiled.checked, deviceSizes);
  return { outcome: 'compiled', isTooDear: max > mostCost };
}

/** Feature gate DRAConsumableCapacity. */
const sharedSince: MinorVersion = 36;

function deviceEnvironment({ release = storedVersion, stored }: DeviceSelectorOptions): Environment {
  const fieldsOf = deviceFields(release >= sharedSince);
  const environment = createEnvironment({
    version: stored ? release : release - 1,
    variables: new Map([['device', deviceType]]),
    structs: (name) => (name === deviceType.name ? fieldsOf : undefined),
  });
  return { ...environment, macros: new Map([...environment.macros, [macroKey('bind', 3, true), bind]]) };
}
