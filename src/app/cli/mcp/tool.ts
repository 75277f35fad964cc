import { Ajv } from 'ajv';
import { asList, asObject, asString, type JsonObject, isJsonObject } from '../../../machinery/json/json.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { McpSession, CommandResult } from './mcp-session.ts';
import { basename } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { bigintAsText } from '../../../machinery/json/json-writer.ts';
import { exitCodes } from '../terminal/io.ts';

/** A tool of `kadmit mcp`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of each argument. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  /** Arguments that conform to the schema. Rejects with ConfigError for what they name. */
  readonly run: (args: JsonObject, session: McpSession) => Promise<ToolAnswer>;
}

export interface ToolAnswer {
  readonly text: string;
  /** The same as data. */
  readonly data?: JsonObject;
  /** The work could not be done, or what it found is unknown. */
  readonly isError?: boolean;
}

export const inputSchemaOf = ({ properties, required }: Pick<Tool, 'properties' | 'required'>) => ({
  type: 'object' as const,
  properties: { ...properties },
  required: [...required],
  additionalProperties: false,
});

/** What is wrong with the arguments of a call; '' when nothing is. */
export function argumentProblem(tool: Tool, args: unknown): string {
  const validate = new Ajv({ allErrors: true, strict: false }).compile(inputSchemaOf(tool));
  if (validate(args)) return '';
  const problems = (validate.errors ?? []).map(({ instancePath, message = '', keyword, params }) => {
    const extra: unknown = params['additionalProperty'];
    if (keyword === 'additionalProperties' && typeof extra === 'string')
      return `there is no argument ${JSON.stringify(extra)}${didYouMean(extra, Object.keys(tool.properties))}`;
    const allowed: unknown = params['allowedValues'];
    const values = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
    return `${instancePath === '' ? 'the call' : instancePath.slice(1).replaceAll('/', '.')} ${message}${values}`;
  });
  return `${tool.name}: ${problems.join('; ')}`;
}

export const textArgument = (description: string): object => ({ type: 'string', description });
export const switchArgument = (description: string): object => ({ type: 'boolean', description });
export const objectArgument = (description: string): object => ({ type: 'object', description });
export const choiceArgument = (values: readonly string[], description: string): object => ({
  type: 'string',
  enum: values,
  description,
});
export const textsArgument = (description: string): object => ({
  type: 'array',
  items: { type: 'string' },
  description,
});
export const textMapArgument = (description: string): object => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});

/** '' when it is absent. */
export const argumentText = (args: JsonObject, name: string): string => asString(args[name]);

export const isArgumentOn = (args: JsonObject, name: string): boolean => args[name] === true;

export const argumentTexts = (args: JsonObject, name: string): readonly string[] => asList(args[name]).map(asString);

export const argumentTextMap = (args: JsonObject, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(asObject(args[name])).map(([key, value]) => [key, asString(value)]));

/** Runs a command that prints a text and hands over its document. */
export async function runText(session: McpSession, args: readonly string[]): Promise<ToolAnswer> {
  const result = await session.runCommand(args);
  return toolAnswerOf(result, documentIn(JSON.stringify(result.document, bigintAsText)));
}

/** Runs a command with `-o json`. */
export async function runJson(session: McpSession, args: readonly string[]): Promise<ToolAnswer> {
  const result = await session.runCommand(args);
  const data = documentIn(result.out);
  return toolAnswerOf(data === undefined ? result : { ...result, out: JSON.stringify(data, null, 1) }, data);
}

/** Exit code 2, a result that is not known, is an error. */
export function toolAnswerOf({ exitCode, out, error }: CommandResult, data: JsonObject | undefined): ToolAnswer {
  const isError = exitCode === exitCodes.usage || data === undefined;
  const text = [error, out].filter((one) => one !== '').join('\n');
  return { text, ...(data === undefined ? {} : { data }), ...(isError ? { isError } : {}) };
}

/** A list becomes `items`; undefined when the text is no JSON. */
export function documentIn(text: string | undefined): JsonObject | undefined {
  try {
    const document: unknown = JSON.parse(text ?? '');
    if (isJsonObject(document)) return document;
    return Array.isArray(document) ? { items: document } : undefined;
  } catch {
    return undefined;
  }
}

/** Files in a folder of their own, whose path is not in the answer. */
export const withFolder = (
  session: McpSession,
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<ToolAnswer>,
): Promise<ToolAnswer> =>
  session.withFiles(files, async (folder) => {
    // A scenario without a name has that of its folder.
    const relative = (text: string): string =>
      text.replaceAll(`${folder}/`, '').replaceAll(folder, '.').replaceAll(basename(folder), 'scenario');
    try {
      const { text, data, ...rest } = await work(folder);
      const shown = data === undefined ? undefined : documentIn(relative(JSON.stringify(data)));
      return { ...rest, text: relative(text), ...(shown === undefined ? {} : { data: shown }) };
    } catch (error) {
      throw error instanceof ConfigError ? new ConfigError(relative(error.message)) : error;
    }
  });

/** The flags of these arguments of a tool: `kubernetesVersion` is `--kubernetes-version`. A pair names another flag. */
export function argumentFlags(
  args: JsonObject,
  names: readonly (string | readonly [argument: string, flag: string])[],
): readonly string[] {
  const flags = names.map((one) => {
    const [name, flag] =
      typeof one === 'string' ? [one, one.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)] : one;
    return [flag, args[name] as FlagValue] as const; // The schema of the tool has checked the type.
  });
  return flagsOf(Object.fromEntries(flags));
}

type FlagValue = string | number | boolean | readonly string[] | undefined;

/** `--name value` for each argument that is present; a list repeats the flag. */
export function flagsOf(values: Readonly<Record<string, FlagValue>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === '' || value === false) return [];
    if (value === true) return [`--${name}`];
    return typeof value === 'object' ? value.flatMap((one) => [`--${name}`, one]) : [`--${name}`, String(value)];
  });
}
