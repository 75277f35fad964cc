import { goBoolError, readGoBool } from '../../../machinery/go/strconv.ts';

export interface FeatureGates {
  readonly isOn: (gate: string) => boolean;
  /** Gates set by the user, in order. */
  readonly named: readonly string[];
}

export type FeatureGatesReading =
  | { readonly outcome: 'read'; readonly gates: FeatureGates }
  /** Upstream's text: `unrecognized feature gate: Nope`. */
  | { readonly outcome: 'wrong'; readonly error: string };

interface GateSpec {
  readonly stage: string;
  readonly isOn: boolean;
  readonly isLocked: boolean;
  readonly needs: readonly string[];
}

export type GateSpecs = ReadonlyMap<string, GateSpec>;

/** `beta on SomeOtherGate`, by name. */
export const parseGateSpecs = (specs: Readonly<Record<string, string>>): GateSpecs =>
  new Map(
    Object.entries(specs).map(([name, text]) => {
      const [stage = '', ...words] = text.split(' ');
      const needs = words.filter((word) => word !== 'on' && word !== 'locked');
      return [name, { stage, isOn: words.includes('on'), isLocked: words.includes('locked'), needs }];
    }),
  );

/**
 * Parses `--feature-gates`, each text `Gate=true|false,…`. Follows component-base compatibility/registry.go and
 * featuregate/feature_gate.go.
 */
export function readFeatureGates(known: GateSpecs, texts: readonly string[]): FeatureGatesReading {
  const requested = new Map<string, boolean>();
  const pairs = texts.flatMap((text) => text.split(',')).filter((pair) => pair !== '');
  const components = new Set(pairs.map((pair) => (pair.includes(':') ? pair.slice(0, pair.indexOf(':')).trim() : '')));
  if (components.has('') && components.has('kube')) return createError(mixedSettingsText);
  const foreign = [...components].find((component) => component !== '' && component !== 'kube');
  if (foreign !== undefined) return createError(`component not registered: ${foreign}`);
  for (const pair of pairs) {
    const [name, value] = splitOnce(pair.slice(pair.indexOf(':') + 1));
    if (value === undefined) return createError(`missing bool value for ${name}`);
    const isEnabled = readGoBool(value);
    if (isEnabled === undefined) return createError(`invalid value of ${name}=${value}, err: ${goBoolError(value)}`);
    requested.set(name, isEnabled);
  }
  const errors = findProblems(known, requested);
  if (errors.length > 0) return createError(errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]`);
  return { outcome: 'read', gates: { isOn: (gate) => isOn(known, gate, requested), named: [...requested.keys()] } };
}

const mixedSettingsText =
  'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use';
const createError = (error: string): FeatureGatesReading => ({ outcome: 'wrong', error });

function splitOnce(text: string): readonly [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim(), undefined] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function findProblems(known: GateSpecs, requested: ReadonlyMap<string, boolean>): readonly string[] {
  const errors: string[] = [];
  for (const [name, value] of requested) {
    const spec = known.get(name);
    if (spec === undefined) return [...errors, `unrecognized feature gate: ${name}`];
    if (spec.isLocked && spec.isOn !== value) {
      errors.push(`cannot set feature gate ${name} to ${value}, feature is locked to ${spec.isOn}`);
    }
  }
  return errors.length > 0
    ? errors
    : [...known.keys()].flatMap((name) => findMissingDependencies(known, name, requested));
}

function findMissingDependencies(
  known: GateSpecs,
  name: string,
  requested: ReadonlyMap<string, boolean>,
): readonly string[] {
  if (!isOn(known, name, requested)) return [];
  const off = (known.get(name)?.needs ?? []).filter((other) => !isOn(known, other, requested));
  return off.length === 0 ? [] : [`${name} is enabled, but depends on features that are disabled: [${off.join(' ')}]`];
}

const stageGates: Readonly<Record<string, string>> = { alpha: 'AllAlpha', beta: 'AllBeta' };

function isOn(known: GateSpecs, name: string, requested: ReadonlyMap<string, boolean>): boolean {
  const spec = known.get(name);
  return requested.get(name) ?? requested.get(stageGates[spec?.stage ?? ''] ?? '') ?? spec?.isOn ?? false;
}
