import { ConfigError } from '../../adapters/config/config-error.ts';
import { type Flag, type FlagGroups, type FlagsOf, parseFlags } from '../../adapters/config/flags/flags.ts';
import { createPage, plain } from '../../explain/render/explain-page.ts';
import { didYouMean } from '../../machinery/nearest-name.ts';
import { type Io, exitCodes, usageError } from './terminal/io.ts';
import type { CommandContext } from './command-context.ts';

/** In the order of `kadmit --help`. */
export const commandGroups = ['Develop', 'Explain', 'Test', 'Analyze', 'Server'] as const;

export type Completion =
  | { readonly type: 'files' | 'folders' | 'nothing' }
  | { readonly type: 'words'; readonly words: readonly string[] }
  /** Names on the running server. */
  | {
      readonly type: 'server';
      readonly of: 'resources' | 'objects' | 'requests' | 'namespaces' | 'webhooks' | 'mapped';
    };

/** The arguments besides flags. */
export interface Positionals {
  /** The word in its synopsis and in errors: `FILE`. */
  readonly name: string;
  /** Default 0. */
  readonly min?: number;
  /** Default Infinity. */
  readonly max?: number;
  /** Completion by place; the last one is for all that follow. */
  readonly complete: readonly Completion[];
}

export type OptionsOf<Flags> = {
  readonly [Field in keyof Flags]: Flags[Field] extends Flag<infer Value> ? Value : never;
};

export interface Input<Options> {
  readonly options: Options;
  readonly args: readonly string[];
  /** Names of the flags on the command line, without dashes. */
  readonly given: ReadonlySet<string>;
  /** The command line after `--`, for a command with `program`. */
  readonly program: readonly string[] | undefined;
}

type Run<Options, Used> = (input: Input<Options>, io: Io, parts: Used) => Promise<number>;

type RunArguments<Used> = (args: readonly string[], io: Io, parts: Used) => Promise<number>;

/** A whole command, or its part after the first word (`kadmit trace export`). */
interface Form<Options, Used> {
  /** The text after the name, in lines: `[ID|last] [FLAGS]`. */
  readonly synopsis: readonly string[];
  readonly flags: FlagsOf<Options>;
  /** The same flags for `--help`, when there are too many for one list. */
  readonly flagGroups?: FlagGroups;
  /** Default: none. */
  readonly positionals?: Positionals;
  /** Whether `-- PROGRAM [ARG...]` may follow. */
  readonly program?: boolean;
  /** Rejects with ConfigError for bad usage and unreadable input. */
  readonly run: Run<Options, Used>;
}

interface CommandInfo {
  readonly name: string;
  readonly group: (typeof commandGroups)[number];
  /** Imperative, for `kadmit --help`. */
  readonly purpose: string;
  /** Paragraphs after the synopsis. */
  readonly details?: readonly string[];
  /** Command lines without `kadmit`; `kadmit --help` shows the first one of each group. */
  readonly examples: readonly [string, string];
}

export interface Subcommand<Used> {
  readonly name: string;
  readonly synopsis: readonly string[];
  readonly flags: readonly Flag<unknown>[];
  readonly complete: readonly Completion[];
  /** Neither in the help nor completed. */
  readonly isHidden?: boolean;
  readonly run: (
    args: readonly string[],
    io: Io,
    context: { readonly parts: Used; readonly help: string },
  ) => Promise<number>;
}

/** `run` resolves with the exit code. */
export interface Command<Used = CommandContext> extends CommandInfo {
  readonly help: string;
  readonly flags: readonly Flag<unknown>[];
  readonly complete: readonly Completion[];
  readonly run: RunArguments<Used>;
}

/** Parsing, usage errors, `--help` and completion are derived from flags, positionals and texts. */
export function defineCommand<Options, Used = unknown>(spec: CommandInfo & Form<Options, Used>): Command<Used> {
  const action = defineAction(spec);
  const help = helpText(spec, [{ ...action, name: '' }], spec.flagGroups);
  return {
    ...commandInfo(spec),
    help,
    flags: action.flags,
    complete: action.complete,
    run: (args, io, parts) => reportingUsageErrors(spec.name, io, () => action.run(args, io, { parts, help })),
  };
}

/** For a command that reads its own arguments; the flags are for help and completion. */
export const defineRawCommand = <Options, Used>(
  spec: CommandInfo & Omit<Form<Options, Used>, 'run'> & { readonly run: RunArguments<Used> },
): Command<Used> => {
  const { run, ...form } = spec;
  return { ...defineCommand<Options, Used>({ ...form, run: () => Promise.resolve(exitCodes.fine) }), run };
};

/** For a command whose first argument selects an action. */
export function defineCommandWithActions<Used = unknown>(
  spec: CommandInfo & { readonly actions: readonly Subcommand<Used>[] },
): Command<Used> {
  const shown = spec.actions.filter(({ isHidden }) => isHidden !== true);
  const names = shown.map(({ name }) => name);
  const help = helpText(spec, shown);
  const choices = `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
  return {
    ...commandInfo(spec),
    help,
    flags: [...new Map(shown.flatMap(({ flags }) => flags).map((flag) => [flag.name, flag])).values()],
    complete: [{ type: 'words', words: names }, ...(shown[0]?.complete ?? [])],
    run: (args, io, parts) =>
      reportingUsageErrors(spec.name, io, async () => {
        const [name = '', ...rest] = args;
        if (['--help', '-h'].includes(name)) return printHelp(io, help);
        const action = spec.actions.find((one) => one.name === name);
        if (action) return action.run(rest, io, { parts, help });
        if (name === '') throw new ConfigError(`${choices} is required`);
        throw new ConfigError(
          `unknown action ${JSON.stringify(name)}${didYouMean(name, [...names, '--help']) || `; use ${choices}`}`,
        );
      }),
  };
}

export function defineAction<Options, Used = unknown>(
  form: Form<Options, Used> & { readonly name: string },
): Subcommand<Used> {
  const { name, synopsis, flags, positionals = noPositionals } = form;
  return {
    name,
    synopsis,
    flags: Object.values<Flag<unknown>>(flags),
    complete: positionals.complete,
    run: async (args, io, { parts, help }) => {
      const end = form.program === true ? args.indexOf('--') : -1;
      const [own, program] = end < 0 ? [args, undefined] : [args.slice(0, end), args.slice(end + 1)];
      const parsed = parseFlags(flags, own);
      if (parsed.outcome === 'help') return printHelp(io, help);
      if (parsed.outcome === 'usage') throw new ConfigError(parsed.problem);
      const hint = form.program === true && program === undefined ? '; write the command after --' : '';
      const problem = positionalProblem(parsed.rest, positionals, hint);
      if (problem !== undefined) throw new ConfigError(problem);
      return form.run({ options: parsed.options, args: parsed.rest, given: parsed.given, program }, io, parts);
    },
  };
}

const noPositionals: Positionals = { name: 'argument', max: 0, complete: [{ type: 'nothing' }] };

function positionalProblem(
  args: readonly string[],
  { name, min = 0, max = Infinity }: Positionals,
  hint: string,
): string | undefined {
  const extra = args[max];
  if (extra !== undefined) return `unexpected argument ${JSON.stringify(extra)}${hint}`;
  if (args.length >= min) return undefined;
  return max === min ? `${name} is required` : `at least one ${name} is required`;
}

/** Reports ConfigError as bad usage; other errors are bugs and pass. */
async function reportingUsageErrors(name: string, io: Io, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, name, error.message);
    throw error;
  }
}

function printHelp(io: Io, help: string): number {
  io.out(help);
  return exitCodes.fine;
}

const commandInfo = ({ name, group, purpose, details, examples }: CommandInfo): CommandInfo => ({
  name,
  group,
  purpose,
  ...(details ? { details } : {}),
  examples,
});

const helpWidth = 80;

const flagColumn = 26;

function helpText(
  about: CommandInfo,
  forms: readonly Pick<Subcommand<never>, 'name' | 'synopsis' | 'flags'>[],
  groups?: FlagGroups,
): string {
  const { name, purpose, details = [], examples } = about;
  const page = createPage({ width: helpWidth, paint: plain });
  page.item(`${purpose.charAt(0).toUpperCase()}${purpose.slice(1)}.`, undefined, 0, 0);
  page.line('');
  page.line('Usage:');
  for (const form of forms)
    for (const line of form.synopsis)
      page.item(['kadmit', name, form.name, line].filter(Boolean).join(' '), undefined, 2, 6);
  for (const paragraph of details) {
    page.line('');
    page.item(paragraph, undefined, 0, 0);
  }
  const list = (heading: string, flags: readonly Flag<unknown>[]): void => {
    page.line('');
    page.line(`${heading}:`);
    for (const line of flags.flatMap(flagLines)) page.line(line);
  };
  if (groups) {
    for (const [heading, flags] of Object.entries(groups)) list(heading, Object.values(flags));
  } else {
    for (const { name: form, flags } of forms.filter((one) => one.flags.length > 0))
      list(form === '' ? 'Flags' : `Flags of ${form}`, flags);
  }
  page.line('');
  page.line('Examples:');
  for (const example of examples) page.line(`  kadmit ${example}`);
  return page.text();
}

/** `  -o, --output text|json  output format (default text)`, within the width of a help text. */
function flagLines({ name, short, argument, isSwitch, help, fallback, shownFallback }: FlagHelp): readonly string[] {
  const dashes = `${short === undefined ? '' : `-${short}, `}--${name}`;
  const head = `  ${isSwitch === true ? dashes : `${dashes} ${argument}`}`;
  const standard = shownFallback ?? (isSwitch === true ? '' : fallbackText(fallback));
  const page = createPage({ width: helpWidth, paint: plain });
  page.item(`${help}${standard === '' ? '' : ` (default ${standard})`}`, undefined, flagColumn, flagColumn);
  const text = page.text();
  return head.length < flagColumn - 1 ? [head.padEnd(flagColumn) + text.trimStart()] : [head, text];
}

type FlagHelp = Omit<Flag<unknown>, 'read'>;

/** '' without a default. */
function fallbackText(fallback: unknown): string {
  if (Array.isArray(fallback)) return fallback.join(',');
  return typeof fallback === 'string' || typeof fallback === 'number' || typeof fallback === 'boolean'
    ? String(fallback)
    : '';
}
