import { type FlagType, flagTypes, valueFault } from '../../../adapters/config/upstream/flag-values.ts';
import { readGoBool } from '../../../machinery/go/strconv.ts';

export interface FlagNames {
  readonly all: ReadonlySet<string>;
  readonly booleans: ReadonlySet<string>;
  readonly types?: ReadonlyMap<string, FlagType>;
  /** `v`: `-v 2`, `-v=2` and `-v2` are `--v=2`. */
  readonly short: Readonly<Record<string, string>>;
}

/** Every flag of kube-apiserver v1.37. */
export const kubeApiserverFlags: FlagNames = {
  all: new Set(flagTypes.keys()),
  booleans: new Set([...flagTypes].flatMap(([name, type]) => (type === 'bool' ? [name] : []))),
  types: flagTypes,
  short: { h: 'help', v: 'v' },
};

export type ParsedGoFlags =
  | {
      readonly outcome: 'read';
      readonly given: ReadonlyMap<string, readonly string[]>;
      readonly rest: readonly string[];
    }
  /** As pflag prints it: `unknown flag: --x`. */
  | { readonly outcome: 'wrong'; readonly error: string };

/**
 * Names may have underscores, and the value of a boolean needs an equals sign.
 * Follows pflag flag.go and component-base cli/flag/flags.go WordSepNormalizeFunc.
 */
export function readGoFlags(args: readonly string[], names: FlagNames): ParsedGoFlags {
  const given = new Map<string, readonly string[]>();
  const rest: string[] = [];
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === '--') return { outcome: 'read', given, rest: [...rest, ...left] };
    if (!arg.startsWith('-') || arg === '-') {
      rest.push(arg);
      continue;
    }
    const taken = arg.startsWith('--') ? takeLong(arg, left, names) : takeShort(arg, left, names);
    if (taken.outcome === 'wrong') return taken;
    given.set(taken.name, [...(given.get(taken.name) ?? []), taken.value]);
  }
  return { outcome: 'read', given, rest };
}

type Taken =
  | { readonly outcome: 'taken'; readonly name: string; readonly value: string }
  | { readonly outcome: 'wrong'; readonly error: string };

const wrong = (error: string): Taken => ({ outcome: 'wrong', error });

function takeLong(arg: string, left: string[], names: FlagNames): Taken {
  const [, asGiven = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
  if (asGiven === '' || asGiven.startsWith('-')) return wrong(`bad flag syntax: ${arg}`);
  const name = asGiven.replaceAll('_', '-');
  if (!names.all.has(name)) return wrong(`unknown flag: --${asGiven}`);
  return valueOf(name, value, left, names) ?? wrong(`flag needs an argument: --${asGiven}`);
}

function takeShort(arg: string, left: string[], names: FlagNames): Taken {
  const letter = arg.charAt(1);
  const name = names.short[letter];
  if (name === undefined) return wrong(`unknown shorthand flag: '${letter}' in ${arg}`);
  const value = arg.length > 2 ? arg.slice(2).replace(/^=/, '') : undefined;
  return valueOf(name, value, left, names) ?? wrong(`flag needs an argument: '${letter}' in ${arg}`);
}

function valueOf(name: string, attached: string | undefined, left: string[], names: FlagNames): Taken | undefined {
  const isBoolean = names.booleans.has(name);
  const value = attached ?? (isBoolean ? 'true' : left.shift());
  if (value === undefined) return undefined;
  const fault = valueFault(name, isBoolean ? 'bool' : (names.types?.get(name) ?? 'text'), value);
  if (fault !== undefined) return wrong(fault);
  return { outcome: 'taken', name, value: isBoolean ? String(readGoBool(value)) : value };
}
