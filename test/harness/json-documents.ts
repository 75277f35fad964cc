import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Command } from '../../src/app/cli/command.ts';

/** The document that a command prints. */
export async function documentOf<Used>(
  command: Command<Used>,
  args: readonly string[],
  context: Used,
): Promise<unknown> {
  const lines: string[] = [];
  const problems: string[] = [];
  const io = { out: (text: string) => void lines.push(text), error: (text: string) => void problems.push(text) };
  await command.run(args, io, context);
  // A trial prints undecided cases on standard error, beside its document.
  if (lines.length === 0) throw new Error(problems.join('\n'));
  return JSON.parse(lines.join('\n')) as unknown;
}

/** Of docs/reference/NAME.schema.json. */
export const schemaOf = (name: string): ValidateFunction =>
  new Ajv({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(`docs/reference/${name}.schema.json`, 'utf8')) as object,
  );
