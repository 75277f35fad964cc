import { isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { exitCodes } from '../terminal/io.ts';
import type { McpSession } from './mcp-session.ts';
import type { ToolAnswer } from './tool.ts';

/** Runs a command that prints a JSON document, and answers with it. Exit code 2, a result that is not known, is an error. */
export async function runJson(session: McpSession, args: readonly string[]): Promise<ToolAnswer> {
  const { exitCode, out, error } = await session.runCommand(args);
  const data = documentIn(out);
  const isError = exitCode === exitCodes.usage || data === undefined;
  const text = [error, data === undefined ? out : JSON.stringify(data, null, 1)].filter((one) => one !== '').join('\n');
  return { text, ...(data === undefined ? {} : { data }), ...(isError ? { isError } : {}) };
}

/** A list becomes `items`; undefined when the text is no JSON. */
export function documentIn(text: string): JsonObject | undefined {
  try {
    const document: unknown = JSON.parse(text);
    if (isJsonObject(document)) return document;
    return Array.isArray(document) ? { items: document } : undefined;
  } catch {
    return undefined;
  }
}

/** `--name value` for each argument that is present; a list repeats the flag. */
export function flagsOf(
  values: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === '' || value === false) return [];
    if (value === true) return [`--${name}`];
    return typeof value === 'object' ? value.flatMap((one) => [`--${name}`, one]) : [`--${name}`, String(value)];
  });
}
