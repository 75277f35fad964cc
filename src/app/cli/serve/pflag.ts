import { type FlagType, flagTypes, valueFault } from '../../../adapters/config/upstream/flag-values.ts';
import { readGoBool } from '../../../machinery/go/strconv.ts';
import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { serveFlags } from '../../../adapters/config/flags/serve/serve-options.ts';

interface FlagNames {
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

type ParsedGoFlags =
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
    const unvalidatedFlags = arg.startsWith('--') ? parseLong(arg, left, names) : parseShort(arg, left, names);
    if (unvalidatedFlags.outcome === 'wrong') return unvalidatedFlags;
    given.set(unvalidatedFlags.name, [...(given.get(unvalidatedFlags.name) ?? []), unvalidatedFlags.value]);
  }
  return { outcome: 'read', given, rest };
}

type ParsedFlag =
  | { readonly outcome: 'taken'; readonly name: string; readonly value: string }
  | { readonly outcome: 'wrong'; readonly error: string };

const wrong = (error: string): ParsedFlag => ({ outcome: 'wrong', error });

function parseLong(arg: string, left: string[], names: FlagNames): ParsedFlag {
  const [, asGiven = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
  if (asGiven === '' || asGiven.startsWith('-')) return wrong(`bad flag syntax: ${arg}`);
  const name = asGiven.replaceAll('_', '-');
  if (!names.all.has(name)) return wrong(`unknown flag: --${asGiven}`);
  return parseValue(name, value, left, names) ?? wrong(`flag needs an argument: --${asGiven}`);
}

function parseShort(arg: string, left: string[], names: FlagNames): ParsedFlag {
  const letter = arg.charAt(1);
  const name = names.short[letter];
  if (name === undefined) return wrong(`unknown shorthand flag: '${letter}' in ${arg}`);
  const value = arg.length > 2 ? arg.slice(2).replace(/^=/, '') : undefined;
  return parseValue(name, value, left, names) ?? wrong(`flag needs an argument: '${letter}' in ${arg}`);
}

function parseValue(
  name: string,
  attached: string | undefined,
  left: string[],
  names: FlagNames,
): ParsedFlag | undefined {
  const isBoolean = names.booleans.has(name);
  const value = attached ?? (isBoolean ? 'true' : left.shift());
  if (value === undefined) return undefined;
  const fault = valueFault(name, isBoolean ? 'bool' : (names.types?.get(name) ?? 'text'), value);
  if (fault !== undefined) return wrong(fault);
  return { outcome: 'taken', name, value: isBoolean ? String(readGoBool(value)) : value };
}

/**
 * kube-apiserver's message about a flag, `invalid argument "x" for "--v" flag: …`, and a hint; undefined for a flag that only
 * kadmit has. Follows pflag errors.go.
 */
export function toPflagError(problem: string): readonly [hint: string | undefined, error: string | undefined] {
  const [, unknown, hint] = /^unknown flag (--\S+?)(?:; (did you mean .*))?$/.exec(problem) ?? [];
  if (unknown !== undefined) return [hint, `unknown flag: ${unknown}`];
  const [, name = '', text, rest] = /^--(\S+) ("(?:[^"\\]|\\.)*") (.*)$/.exec(problem) ?? [];
  if (text === undefined || !kubeApiserverFlags.all.has(name)) return [undefined, undefined];
  return [undefined, `invalid argument ${text} for "--${name}" flag: ${rest}`];
}

interface SplitArguments {
  readonly args: readonly string[];
  /** Values of all of kube-apiserver's flags. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** kube-apiserver's flags without an effect in kadmit. */
  readonly meaningless: readonly string[];
  /** pflag's error about the first invalid value. */
  readonly fault: string | undefined;
}

const ownFlags: ReadonlySet<string> = new Set(['help', ...Object.values(serveFlags).map(({ name }) => name)]);

/** Own flags with a value, which may look like a flag: `--ui-port -1`. */
const ownFlagsWithValue: ReadonlySet<string> = new Set(
  Object.values<Flag<unknown>>(serveFlags).flatMap(({ name, isSwitch }) => (isSwitch ? [] : [name])),
);

/** Here addresses may be names, and a port may be 0. */
const taken: ReadonlySet<string> = new Set(['bind-address', 'help']);

/** Removes the flags that only kube-apiserver has, so that its command lines work unchanged. */
export function splitUpstreamFlags(args: readonly string[]): SplitArguments {
  const kept: string[] = [];
  const meaningless: string[] = [];
  const given = new Map<string, readonly string[]>();
  const faults: string[] = [];
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === '--') {
      kept.push(arg, ...left.splice(0));
      break;
    }
    const { name, type, value, isAttached, fault } = readArgument(arg, left[0]);
    if (fault !== undefined) faults.push(fault);
    if (type !== undefined && value !== undefined) given.set(name, [...(given.get(name) ?? []), value]);
    if (type === undefined || ownFlags.has(name)) {
      kept.push(arg, ...left.splice(0, countFollowingValues(name, isAttached)));
      continue;
    }
    if (!isAttached && type !== 'bool') left.shift();
    meaningless.push(name);
  }
  return { args: kept, given, meaningless, fault: faults[0] };
}

/** The number of arguments after an own flag that are its value. */
const countFollowingValues = (name: string, isAttached: boolean): 0 | 1 =>
  !isAttached && ownFlagsWithValue.has(name) ? 1 : 0;

interface Argument {
  readonly name: string;
  /** undefined: no flag of kube-apiserver. */
  readonly type: FlagType | undefined;
  readonly value: string | undefined;
  readonly isAttached: boolean;
  readonly fault: string | undefined;
}

function readArgument(arg: string, next: string | undefined): Argument {
  const [, name = '', attached] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
  const type = flagTypes.get(name);
  const value = attached ?? (type === 'bool' ? followingBoolean(name, next) : next);
  const fault = syntaxFault(arg) ?? (type && (taken.has(name) ? undefined : argumentFault(name, type, value)));
  return { name, type, value, isAttached: attached !== undefined, fault };
}

const argumentFault = (name: string, type: FlagType, value: string | undefined): string | undefined =>
  value === undefined ? `flag needs an argument: --${name}` : valueFault(name, type, value);

/** Follows pflag flag.go. */
function syntaxFault(arg: string): string | undefined {
  if (/^--(?:=|-)/.test(arg)) return `bad flag syntax: ${arg}`;
  const letter = /^-([^-])/.exec(arg)?.[1];
  return letter === undefined || letter === 'h' || letter === 'v'
    ? undefined
    : `unknown shorthand flag: '${letter}' in ${arg}`;
}

/** `kadmit serve` accepts `--flag false` for its own flags; kube-apiserver requires an equals sign. */
const followingBoolean = (name: string, next: string | undefined): string =>
  ownFlags.has(name) && (next === 'true' || next === 'false') ? next : 'true';
