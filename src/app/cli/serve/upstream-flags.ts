import { type FlagType, flagTypes, valueFault } from '../../../adapters/config/upstream/flag-values.ts';
import { upstreamHelp } from '../../../adapters/config/upstream/options.ts';
import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { serveFlags } from '../../../adapters/config/flags/serve/serve-options.ts';

export interface SortedArguments {
  readonly args: readonly string[];
  /** Values of all of kube-apiserver's flags. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** kube-apiserver's flags without an effect in kadmit. */
  readonly meaningless: readonly string[];
  /** pflag's error about the first invalid value. */
  readonly fault: string | undefined;
}

const own: ReadonlySet<string> = new Set(['help', ...Object.values(serveFlags).map(({ name }) => name)]);

/** Own flags with a value, which may look like a flag: `--ui-port -1`. */
const takesValue: ReadonlySet<string> = new Set(
  Object.values<Flag<unknown>>(serveFlags).flatMap(({ name, isSwitch }) => (isSwitch ? [] : [name])),
);

const meaningful: ReadonlySet<string> = new Set(upstreamHelp.map(({ name }) => name));

/** Here addresses may be names, and a port may be 0. */
const taken: ReadonlySet<string> = new Set(['bind-address', 'help']);

/** Removes the flags that only kube-apiserver has, so that its command lines work unchanged. */
export function sortUpstreamFlags(args: readonly string[]): SortedArguments {
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
    if (type === undefined || own.has(name)) {
      kept.push(arg, ...left.splice(0, valuesBehind(name, isAttached)));
      continue;
    }
    if (!isAttached && type !== 'bool') left.shift();
    if (!meaningful.has(name)) meaningless.push(name);
  }
  return { args: kept, given, meaningless, fault: faults[0] };
}

/** The number of arguments after an own flag that are its value. */
const valuesBehind = (name: string, isAttached: boolean): 0 | 1 => (!isAttached && takesValue.has(name) ? 1 : 0);

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
  const value = attached ?? (type === 'bool' ? truthAfter(name, next) : next);
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
const truthAfter = (name: string, next: string | undefined): string =>
  own.has(name) && (next === 'true' || next === 'false') ? next : 'true';
