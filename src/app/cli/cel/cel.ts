import { ConfigError } from '../../../adapters/config/config-error.ts';
import { outputFlag, readChoice, switchFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { readBoundedFile } from '../../../adapters/files/bounded-file.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { exitCodes, type Io, structured } from '../terminal/io.ts';
import { type AnsweredPart, type AnsweredResult, type CelAnswer, type CelContext, celContexts } from './answer.ts';
import { tryRead } from '../../../adapters/config/read-files.ts';

type ReadYaml = CommandContext['readYaml'];

const contextFlag: Flag<CelContext | undefined> = {
  name: 'context',
  argument: celContexts.join('|'),
  help: 'where the expression is used; default: the variables of matchConditions and any type of result',
  fallback: undefined,
  read: readChoice<CelContext>(celContexts),
};

const fileFlag = (name: string, help: string): Flag<string> => textFlag(name, 'FILE', help);

const flags = {
  object: fileFlag('object', 'the variable object; self with --context crd'),
  oldObject: fileFlag('old-object', 'the variable oldObject; oldSelf with --context crd'),
  request: fileFlag('request', 'the variable request, or an AdmissionReview, which also sets the objects'),
  params: fileFlag('params', 'the variable params, with --context validation'),
  namespaceObject: fileFlag('namespace-object', 'the variable namespaceObject'),
  schema: fileFlag('schema', 'OpenAPI schema or CustomResourceDefinition of self, with --context crd'),
  context: contextFlag,
  cases: fileFlag('cases', 'evaluate a list of cases instead, one JSON result a line'),
  explain: switchFlag('explain', 'show the result of every part of the expression'),
  output: outputFlag,
};
type Options = OptionsOf<typeof flags>;

/** `kadmit cel EXPRESSION`: its value, type and cost with these objects. */
export const celCommand = defineCommand({
  name: 'cel',
  group: 'Develop',
  synopsis: ['EXPRESSION [FLAGS]', '--cases FILE'],
  purpose: 'evaluate a CEL expression as the API server does',
  details: [
    'FILE is JSON or YAML; - is standard input. An expression that begins with a dash goes after all flags, behind --.',
  ],
  flags,
  positionals: { name: 'EXPRESSION', complete: [{ type: 'nothing' }] },
  examples: [
    "cel 'object.spec.replicas <= 5' --object deployment.yaml",
    "cel 'object.metadata.name' --request review.json --explain",
  ],
  run: async ({ args, options }, io, { readYaml }: Pick<CommandContext, 'readYaml'>) => {
    const problem = usageProblem(options, args);
    if (problem !== undefined) throw new ConfigError(problem);
    if (options.cases !== '') return runCases(options.cases, io, readYaml);
    return runExpression(args[0] ?? '', options, { io, readYaml });
  },
});

function usageProblem(options: Options, args: readonly string[]): string | undefined {
  const { object, oldObject, request, params, namespaceObject, schema, cases, context } = options;
  const files = [object, oldObject, request, params, namespaceObject, schema, cases];
  if (files.filter((path) => path === '-').length > 1) return 'only one file can be standard input';
  if (cases !== '') return args.length > 0 ? '--cases has its own expressions' : undefined;
  if (args.length === 0) return 'EXPRESSION is required';
  if (args.length > 1) return `unexpected argument ${JSON.stringify(args[1])}; quote the expression`;
  if (params !== '' && context !== 'validation') return '--params needs --context validation';
  return schema !== '' && context !== 'crd' ? '--schema needs --context crd' : undefined;
}

async function runCases(path: string, io: Io, readYaml: ReadYaml): Promise<number> {
  const document = await readDocument('--cases', path, readYaml);
  const [{ celAnswerJson }, { evaluateCases }] = await Promise.all([import('./answer.ts'), import('./cases.ts')]);
  for (const answered of evaluateCases(document)) io.out(celAnswerJson(answered));
  return exitCodes.fine;
}

async function runExpression(
  expression: string,
  options: Options,
  { io, readYaml }: { readonly io: Io; readonly readYaml: ReadYaml },
): Promise<number> {
  const variables = await readVariables(options, readYaml);
  const { evaluateCel, celAnswerJson } = await import('./answer.ts');
  const { context, explain: explained, output, schema } = options;
  const answered =
    schema === ''
      ? evaluateCel({ expression, context, variables, explained })
      : await evaluateWithSchema(expression, variables, { options, readYaml });
  if (output === 'text') print(answered, io);
  else io.out(await structured(output, celAnswerJson(answered)));
  return answered.error === undefined ? exitCodes.fine : exitCodes.failed;
}

async function evaluateWithSchema(
  expression: string,
  { self = null, oldSelf = null }: JsonObject,
  { options, readYaml }: { readonly options: Options; readonly readYaml: ReadYaml },
): Promise<CelAnswer> {
  const { evaluateRule, resourceBudget, schemaInDocument } = await import('./answer.ts');
  const schema = schemaInDocument(await readDocument('--schema', options.schema, readYaml));
  const limits = { budget: resourceBudget, optionalOldSelf: false };
  return evaluateRule({ expression, schema, self, oldSelf, ...limits, explained: options.explain });
}

function print(answered: CelAnswer, io: Io): void {
  if (answered.type === undefined) io.error(answered.error ?? '');
  else io.out(answerLines(answered).join('\n'));
}

async function readVariables(options: Options, readYaml: ReadYaml): Promise<JsonObject> {
  const { readObjects, defaultRequest, readRequestVariable } = await import('./variables.ts');
  const read = async (flag: string, path: string): Promise<JsonValue> =>
    path === '' ? null : readDocument(flag, path, readYaml);
  const review = await read('--request', options.request);
  const within = readObjects(review);
  const object = (await read('--object', options.object)) ?? within.object;
  const oldObject = (await read('--old-object', options.oldObject)) ?? within.oldObject;
  return {
    object,
    oldObject,
    self: object,
    oldSelf: oldObject,
    request: review === null ? defaultRequest(object, oldObject) : readRequestVariable(review),
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

const readText = (flag: string, path: string): string =>
  tryRead(`${flag}: ${path}`, () => readBoundedFile(path === '-' ? standardInput : path));

/** The tree of parts when there is one, then value or error, type and cost. */
function answerLines({ value = null, type, cost, error, estimatedMaxCost, explained }: CelAnswer): readonly string[] {
  const result = error === undefined ? `value  ${writeJson(value)}` : `error  ${error}`;
  const tree = explained === undefined ? [] : [...partLines(explained, ''), ''];
  const max = estimatedMaxCost === undefined ? '' : `, at most ${estimatedMaxCost}`;
  return [...tree, result, `type   ${type}`, `cost   ${cost}${max}`];
}

function partLines({ expression, results, parts }: AnsweredPart, indent: string): readonly string[] {
  const line = `${indent}${shorten(expression, maxExpressionLength)}  =>  ${resultsText(results)}`;
  if (results.length === 0) return [line]; // Nor were its parts.
  return [line, ...parts.flatMap((part) => partLines(part, `${indent}  `))];
}

const maxResults = 8;

function resultsText(results: readonly AnsweredResult[]): string {
  if (results.length === 0) return 'not evaluated';
  const shown = results.slice(0, maxResults).map(resultText);
  const hidden = results.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${hidden} more`] : [])].join(', ');
}

const resultText = (result: AnsweredResult): string =>
  'error' in result ? `error: ${result.error}` : shorten(writeJson(result.value), maxValueLength);

const maxExpressionLength = 120;
const maxValueLength = 80;

const shorten = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
