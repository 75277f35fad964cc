import { Ajv } from 'ajv';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { McpSession } from './mcp-session.ts';

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
