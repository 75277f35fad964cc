import { ConfigError } from '../../../adapters/config/config-error.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { readBoundedFile } from '../../../machinery/files/bounded-file.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type { Parts } from '../command.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { structured } from '../terminal/structured.ts';
import type { AnsweredPart, AnsweredResult, CelAnswer } from './answer.ts';
import { celFlags, celHelp } from './cel-options.ts';
import type { CelOptions } from './cel-options.ts';

type ReadYaml = Parts['readYaml'];

/** `kadmit cel EXPRESSION`: what the API server would make of it, with these objects. */
export async function cel(args: readonly string[], io: Io, { readYaml }: Pick<Parts, 'readYaml'>): Promise<number> {
  const parsed = parseFlags(celFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(celHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'cel', parsed.problem);
  const { options, rest } = parsed;
  const problem = usageProblem(options, rest);
  if (problem !== undefined) return usageError(io, 'cel', problem);
  try {
    if (options.cases !== '') return await runCases(options.cases, io, readYaml);
    return await runExpression(rest[0] ?? '', options, { io, readYaml });
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'cel', error.message);
    throw error;
  }
}

function usageProblem(options: CelOptions, rest: readonly string[]): string | undefined {
  const { object, oldObject, request, params, namespaceObject, schema, cases, context } = options;
  const files = [object, oldObject, request, params, namespaceObject, schema, cases];
  if (files.filter((path) => path === '-').length > 1) return 'only one file can be standard input';
  if (cases !== '') return rest.length > 0 ? '--cases brings its own expressions' : undefined;
  if (rest.length === 0) return 'which expression? kadmit cel EXPRESSION';
  if (rest.length > 1) return `${JSON.stringify(rest[1])} is one argument too many; quote the expression`;
  if (params !== '' && context !== 'validation') return '--params needs --context validation';
  return schema !== '' && context !== 'crd' ? '--schema needs --context crd' : undefined;
}

async function runCases(path: string, io: Io, readYaml: ReadYaml): Promise<number> {
  const document = await readDocument('--cases', path, readYaml);
  const [{ answerText }, { answerCases }] = await Promise.all([import('./answer.ts'), import('./cases.ts')]);
  for (const answered of answerCases(document)) io.out(answerText(answered));
  return exitCodes.fine;
}

async function runExpression(
  expression: string,
  options: CelOptions,
  { io, readYaml }: { readonly io: Io; readonly readYaml: ReadYaml },
): Promise<number> {
  const variables = await variablesOf(options, readYaml);
  const { answer, answerText } = await import('./answer.ts');
  const { context, explain: explained, output, schema } = options;
  const answered =
    schema === ''
      ? answer({ expression, context, variables, explained })
      : await answerWithSchema(expression, variables, { options, readYaml });
  if (output === 'text') print(answered, io);
  else io.out(await structured(output, answerText(answered)));
  return answered.error === undefined ? exitCodes.fine : exitCodes.failed;
}

async function answerWithSchema(
  expression: string,
  { self = null, oldSelf = null }: JsonObject,
  { options, readYaml }: { readonly options: CelOptions; readonly readYaml: ReadYaml },
): Promise<CelAnswer> {
  const { answerRule, resourceBudget, schemaOf } = await import('./answer-rule.ts');
  const schema = schemaOf(await readDocument('--schema', options.schema, readYaml));
  const limits = { budget: resourceBudget, optionalOldSelf: false };
  return answerRule({ expression, schema, self, oldSelf, ...limits, explained: options.explain });
}

function print(answered: CelAnswer, io: Io): void {
  if (answered.type === undefined) io.error(answered.error ?? '');
  else io.out(answerLines(answered).join('\n'));
}

async function variablesOf(options: CelOptions, readYaml: ReadYaml): Promise<JsonObject> {
  const { objectsOf, requestFor, requestOf } = await import('./request-variable.ts');
  const read = async (flag: string, path: string): Promise<JsonValue> =>
    path === '' ? null : readDocument(flag, path, readYaml);
  const review = await read('--request', options.request);
  const within = objectsOf(review);
  const object = (await read('--object', options.object)) ?? within.object;
  const oldObject = (await read('--old-object', options.oldObject)) ?? within.oldObject;
  return {
    object,
    oldObject,
    self: object,
    oldSelf: oldObject,
    request: review === null ? requestFor(object, oldObject) : requestOf(review),
    params: await read('--params', options.params),
    namespaceObject: await read('--namespace-object', options.namespaceObject),
  };
}

async function readDocument(flag: string, path: string, readYaml: ReadYaml): Promise<JsonValue> {
  const text = readText(flag, path);
  const json = readJson(text);
  if (json.outcome === 'read') return plainValue(json.json.value);
  const yaml = await readYaml(text);
  if (yaml.outcome === 'read') return plainValue(yaml.value);
  throw new ConfigError(`${flag}: ${path} is neither JSON nor YAML: ${yaml.error}`);
}

const standardInput = 0;

function readText(flag: string, path: string): string {
  try {
    return readBoundedFile(path === '-' ? standardInput : path);
  } catch (error) {
    const reason = errorText(error);
    throw new ConfigError(`${flag}: ${path} cannot be read: ${reason}`);
  }
}

/** An answer for people: the tree of parts when there is one, then value or error, type and cost. */
function answerLines({ value = null, type, cost, error, estimatedMaxCost, explained }: CelAnswer): readonly string[] {
  const result = error === undefined ? `value  ${writeJson(value)}` : `error  ${error}`;
  const tree = explained === undefined ? [] : [...partLines(explained, ''), ''];
  const most = estimatedMaxCost === undefined ? '' : `, at most ${estimatedMaxCost}`;
  return [...tree, result, `type   ${type}`, `cost   ${cost}${most}`];
}

function partLines({ expression, results, parts }: AnsweredPart, indent: string): readonly string[] {
  const line = `${indent}${shortened(expression, longestExpression)}  =>  ${resultsText(results)}`;
  if (results.length === 0) return [line]; // Nor were its parts.
  return [line, ...parts.flatMap((part) => partLines(part, `${indent}  `))];
}

const mostResults = 8;

function resultsText(results: readonly AnsweredResult[]): string {
  if (results.length === 0) return 'not evaluated';
  const shown = results.slice(0, mostResults).map(resultText);
  const hidden = results.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${hidden} more`] : [])].join(', ');
}

const resultText = (result: AnsweredResult): string =>
  'error' in result ? `error: ${result.error}` : shortened(writeJson(result.value), longestValue);

const longestExpression = 120;
const longestValue = 80;

const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text;
