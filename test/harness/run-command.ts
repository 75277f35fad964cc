import type { Command } from '../../src/app/cli/command.ts';

/** The exit code of a command, and the lines that it printed. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command in this process. */
export async function runCommand<Context>(
  command: Pick<Command<Context>, 'run'>,
  args: readonly string[],
  context: Context,
): Promise<CommandResult> {
  const [out, error]: [string[], string[]] = [[], []];
  const io = { out: (text: string) => void out.push(text), error: (text: string) => void error.push(text) };
  const code = await command.run(args, io, context);
  return { code, out: out.join('\n'), error: error.join('\n') };
}
