import { nearestName } from '../../../machinery/nearest-name.ts';

export interface Flag<Value> {
  readonly name: string;
  /** One letter: `o` for `-o`. */
  readonly short?: string;
  /** The placeholder in `--help`: `FILE`. */
  readonly argument: string;
  readonly help: string;
  readonly fallback: Value;
  /** The fallback as typed, where it is another text. */
  readonly shownFallback?: string;
  /** All texts of the flag in order; none is an empty list. */
  readonly read: (texts: readonly string[]) => FlagReading<Value>;
  /** `--flag` alone means `--flag true`. */
  readonly isSwitch?: boolean;
}

export type FlagReading<Value> =
  | { readonly outcome: 'read'; readonly value: Value }
  /** Follows the flag's name and text: `is not a port: give a number from 0 to 65535`. */
  | { readonly outcome: 'wrong'; readonly problem: string };

export type FlagsOf<Options> = { readonly [Field in keyof Options]: Flag<Options[Field]> };

/** Flags under their headings in `--help`. */
export type FlagGroups = Readonly<Record<string, Readonly<Record<string, Flag<unknown>>>>>;

export type FlagValues<Flags extends Readonly<Record<string, Pick<Flag<unknown>, 'read'>>>> = {
  readonly [Field in keyof Flags]: Extract<ReturnType<Flags[Field]['read']>, { readonly outcome: 'read' }>['value'];
};

type ParsedFlags<Options> =
  | {
      readonly outcome: 'parsed';
      readonly options: Options;
      readonly rest: readonly string[];
      /** Names without dashes. */
      readonly given: ReadonlySet<string>;
    }
  | { readonly outcome: 'help' }
  | { readonly outcome: 'usage'; readonly problem: string };

/** Parses `--flag VALUE` and `--flag=VALUE`; arguments without a dash and those after `--` are the rest. */
export function parseFlags<Options>(flags: FlagsOf<Options>, args: readonly string[]): ParsedFlags<Options> {
  const byName = new Map(Object.values<Flag<unknown>>(flags).map((flag) => [flag.name, flag]));
  const given = new Map<string, string[]>();
  const rest: string[] = [];
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === '--help' || arg === '-h') return { outcome: 'help' };
    if (arg === '--') {
      rest.push(...left.splice(0));
    } else if (!arg.startsWith('-') || arg === '-') {
      rest.push(arg);
    } else {
      const problem = takeFlag(arg, left, byName, given);
      if (problem !== undefined) return { outcome: 'usage', problem };
    }
  }
  const reading = readFlags(flags, given);
  return reading.outcome === 'wrong'
    ? { outcome: 'usage', problem: reading.problem }
    : { outcome: 'parsed', options: reading.value, rest, given: new Set(given.keys()) };
}

/** Moves one flag and its value from `args` to `given`; returns the error. */
function takeFlag(
  arg: string,
  left: string[],
  byName: ReadonlyMap<string, Flag<unknown>>,
  given: Map<string, string[]>,
): string | undefined {
  const equals = arg.indexOf('=');
  const written = equals < 0 ? arg : arg.slice(0, equals);
  const flag = flagOf(written, byName);
  if (flag === undefined) return `unknown flag ${written}${nearest(written.replace(/^--/, ''), byName)}`;
  const { name } = flag;
  const value = equals < 0 ? separateValue(flag, left) : arg.slice(equals + 1);
  if (value === undefined) return `--${name} needs a value: --${name} ${flag.argument}`;
  given.set(name, [...(given.get(name) ?? []), value]);
  return undefined;
}

/** The flag of `--name`, or of `-n`: a short name, or a name of one letter. */
export function flagOf(written: string, byName: ReadonlyMap<string, Flag<unknown>>): Flag<unknown> | undefined {
  if (written.startsWith('--')) return byName.get(written.slice(2));
  const [, letter] = /^-([a-z])$/.exec(written) ?? [];
  if (letter === undefined) return undefined;
  return byName.get(letter) ?? [...byName.values()].find(({ short }) => short === letter);
}

const isBoolean = (text: string | undefined): boolean => text === 'true' || text === 'false';

function separateValue({ isSwitch }: Flag<unknown>, left: string[]): string | undefined {
  return isSwitch && !isBoolean(left[0]) ? 'true' : left.shift();
}

function nearest(name: string, byName: ReadonlyMap<string, Flag<unknown>>): string {
  const [start = ''] = name.replace(/^-+/, '').split('-');
  const similar = [...byName.keys()].filter((known) => start.length > 2 && known.startsWith(start));
  if (similar.length > 0) return `; did you mean --${similar.join(' or --')}?`;
  if (name.length < 3) return '';
  const mistyped = nearestName(name.replace(/^-+/, ''), [...byName.keys(), 'help']);
  return mistyped === undefined ? '' : `; did you mean --${mistyped}?`;
}

/** Options from the flags' texts; a flag without text has its fallback. */
export function readFlags<Options>(
  flags: FlagsOf<Options>,
  given: ReadonlyMap<string, readonly string[]>,
): FlagReading<Options> {
  const options: Record<string, unknown> = {};
  for (const [field, flag] of Object.entries<Flag<unknown>>(flags)) {
    const texts = given.get(flag.name);
    const reading = texts ? flag.read(texts) : ({ outcome: 'read', value: flag.fallback } as const);
    if (reading.outcome === 'wrong') {
      return { outcome: 'wrong', problem: `--${flag.name} ${JSON.stringify(texts?.at(-1))} ${reading.problem}` };
    }
    options[field] = reading.value;
  }
  return { outcome: 'read', value: options as Options }; // The loop has set every field of FlagsOf<Options>.
}
