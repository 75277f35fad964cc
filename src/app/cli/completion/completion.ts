import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Command } from '../command.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { candidates } from './candidates.ts';
import { commandWords } from './known-words.ts';
import { scripts } from './scripts.ts';
import { namesOnServer } from './server-names.ts';

/** `kadmit completion SHELL` prints what a shell reads to complete words; its script asks `kadmit completion of -- WORD...`. */
export async function completion(args: readonly string[], io: Io, commands: readonly Command[]): Promise<number> {
  const [shell = '', ...more] = args;
  if (shell === '--help' || shell === '-h') return told(io, help);
  if (shell === 'of') return told(io, await linesFor(more[0] === '--' ? more.slice(1) : more, commands));
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script !== undefined && more.length === 0) return told(io, script);
  if (script !== undefined) return usageError(io, 'completion', `${JSON.stringify(more[0])} is one argument too many`);
  const which = shell === '' ? 'which shell? bash, zsh or fish' : `there is no script for ${JSON.stringify(shell)}`;
  return usageError(
    io,
    'completion',
    `${which}${shell === '' ? '' : didYouMean(shell, [...Object.keys(scripts), '--help'])}`,
  );
}

function told(io: Io, text: string): number {
  if (text !== '') io.out(text);
  return exitCodes.fine;
}

async function linesFor(line: readonly string[], commands: readonly Command[]): Promise<string> {
  const found = await candidates(line, commandWords(commands), namesOnServer);
  if (found.type !== 'words') return `:${found.type}`;
  return found.words.map(({ word, help }) => (help === '' ? word : `${word}\t${help}`)).join('\n');
}

const help = [
  'usage: kadmit completion bash|zsh|fish',
  '',
  'Prints the script with which a shell completes commands, flags, files, and the names that a running server knows.',
  '',
  '  bash  source <(kadmit completion bash)         in ~/.bashrc, to keep it',
  '  zsh   source <(kadmit completion zsh)          in ~/.zshrc, after compinit',
  '  fish  kadmit completion fish | source          in ~/.config/fish/config.fish',
].join('\n');
