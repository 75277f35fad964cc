import { Ajv, type ErrorObject } from 'ajv';
import { asObject, isJsonObject } from '../../../machinery/json/json.ts';
import { didYouMean, nearestName } from '../../../machinery/nearest-name.ts';
import { once } from '../../../machinery/once.ts';
import { scenarioSchema } from '../schema/scenario-schema.ts';
import type { Located } from './located.ts';
import type { Problems } from './problems.ts';

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'a mapping',
  array: 'a list',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'nothing',
};

/** `a text, a mapping or a list` */
function typeNames(types: readonly string[]): string {
  const named = [...new Set(types.map((type) => typeWords[type] ?? type))];
  const last = named.pop() ?? 'something else';
  return named.length === 0 ? last : `${named.join(', ')} or ${last}`;
}

/** `a text`; short values as they are: `5`. */
function typeName(value: unknown): string {
  if (value === null) return 'nothing';
  if (typeof value === 'string') return value.length <= 40 ? `the string ${JSON.stringify(value)}` : 'a string';
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'a mapping';
}

/** Compiled for the first scenario: not every user of worlds reads one. */
const validator = once(() => {
  // verbose: messages need the schema of an error.
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    validateSchema: false,
    unicodeRegExp: false,
    code: { optimize: false }, // It would take longer than the checks.
  });
  ajv.addKeyword('patternDescription');
  ajv.addKeyword('otherForms');
  return ajv.compile(scenarioSchema);
});

/** Each error is compared with the others. */
const maxErrors = 500;

/** Reports problems in words with their places. */
export function checkSchema(scenario: Located, problems: Problems): void {
  const validate = validator();
  if (validate(scenario.value)) return;
  for (const error of relevantErrors(validate.errors?.slice(0, maxErrors) ?? [])) {
    const at = locate(scenario, error.instancePath);
    const { field, message } = describeError(error);
    const where = field === undefined ? at : (at.get(field) ?? at);
    problems.at(where, message, where === at ? undefined : 'at-key');
  }
}

/** Of the branches of an `anyOf`, keeps the errors of the one for this type of value; without such a branch the type is wrong. */
function relevantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const error of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const inside = (branch: number): readonly ErrorObject[] =>
      errors.filter((one) => one.schemaPath.startsWith(`${error.schemaPath}/${branch}/`) && isWithin(one, error));
    const branches = branchesOf(error).map((_branch, index) => inside(index));
    const isMistyped = (branch: readonly ErrorObject[]): boolean =>
      branch.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === error.instancePath);
    const fitting = branches.filter((branch) => !isMistyped(branch));
    for (const branch of fitting.length === 0 ? branches : branches.filter(isMistyped)) {
      for (const one of branch) dropped.add(one);
    }
    if (fitting.length > 0) dropped.add(error);
  }
  return errors.filter((error) => !dropped.has(error));
}

const isWithin = ({ instancePath }: ErrorObject, { instancePath: outer }: ErrorObject): boolean =>
  instancePath === outer || instancePath.startsWith(`${outer}/`);

const branchesOf = ({ schema }: ErrorObject): readonly unknown[] => (Array.isArray(schema) ? schema : []);

function locate(scenario: Located, pointer: string): Located {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<Located>((at, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return at.get(name) ?? at.items()[Number(name)] ?? at;
  }, scenario);
}

interface SchemaProblem {
  /** undefined: the value itself. */
  readonly field?: string;
  readonly message: string;
}

function describeError(error: ErrorObject): SchemaProblem {
  const { keyword, params, data, schema, parentSchema } = error;
  switch (keyword) {
    case 'additionalProperties': {
      const field = String(params['additionalProperty']);
      const properties = propertiesOf(parentSchema);
      return {
        field,
        message: `unknown field${misplacedHint(field, properties) || didYouMean(field, Object.keys(properties))}`,
      };
    }
    case 'required':
      return { message: `${String(params['missingProperty'])} is missing` };
    case 'dependencies':
      return {
        field: String(params['property']),
        message: `only goes together with ${String(params['missingProperty'])}`,
      };
    case 'type':
      return { message: typeMessage(toTexts(schema), data, parentSchema) };
    case 'anyOf':
      return { message: typeMessage(branchesOf(error).flatMap(typesOf), data, textBranch(branchesOf(error))) };
    case 'enum':
      return { message: enumMessage(data, Array.isArray(schema) ? schema : [], parentSchema) };
    case 'pattern':
      return {
        message: `${formatValue(data)} is not ${String(parentSchema?.['patternDescription'] ?? 'of the right form')}`,
      };
    default:
      return { message: limitMessage(error) };
  }
}

/** `; it belongs under does` for a field that exactly one of the properties has. */
function misplacedHint(field: string, properties: object): string {
  const holders = Object.entries(properties).filter(([, inner]) => Object.hasOwn(propertiesOf(inner), field));
  const [holder] = holders;
  return holder === undefined || holders.length > 1 ? '' : `; it belongs under ${holder[0]}`;
}

function typeMessage(types: readonly string[], data: unknown, text: unknown): string {
  return `must be ${typeNames(types)}, not ${typeName(data)}${types.includes('string') ? textHint(data, text) : ''}`;
}

const textBranch = (branches: readonly unknown[]): unknown =>
  branches.find((branch) => isJsonObject(branch) && branch['type'] === 'string');

/** YAML reads `yes` and `1` as other types, and a duration needs its unit. */
function textHint(data: unknown, text: unknown): string {
  if (typeof data !== 'boolean' && typeof data !== 'number') return '';
  const { patternDescription, enum: choices } = asObject(isJsonObject(text) ? text : {});
  if (typeof patternDescription === 'string') return `: write ${patternDescription}`;
  return choices === undefined ? ': put it in quotes' : '';
}

function limitMessage({ keyword, params, message = 'is wrong' }: ErrorObject): string {
  const limit = String(params['limit']);
  if (keyword === 'minimum') return `must be ${limit} or more`;
  if (keyword === 'maximum') return `must be ${limit} or less`;
  if (keyword === 'minItems' || keyword === 'minProperties') return 'must not be empty';
  return message;
}

function enumMessage(data: unknown, choices: readonly unknown[], parent: unknown): string {
  const words = choices.map(String);
  const { otherForms } = asObject(isJsonObject(parent) ? parent : {});
  const forms = otherForms === undefined ? [] : toTexts(otherForms).map((form) => `{${form}}`);
  if (choices.length === 1) return [`must be ${formatValue(choices[0])}`, ...forms].join(', or in its place ');
  const hint = typeof data === 'string' ? choiceHint(data, words, forms) : '';
  return `${formatValue(data)} is none of ${[...words, ...forms].join(', ')}${hint}`;
}

/** Forms are in braces, without quotes. */
function choiceHint(data: string, words: readonly string[], forms: readonly string[]): string {
  const form = nearestName(data, [...words, ...forms.map((one) => one.replaceAll(/[{} :]/g, ''))]);
  const found = forms.find((one) => one.replaceAll(/[{} :]/g, '') === form);
  return found === undefined ? didYouMean(data, words) : `; did you mean ${found}?`;
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : typeName(value));

const propertiesOf = (schema: unknown): object => {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? properties : {};
};

const typesOf = (schema: unknown): readonly string[] => (isJsonObject(schema) ? toTexts(schema['type']) : []);

const toTexts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [String(value)]);
