import type { Fields } from '../apimachinery/decode-fields.ts';
import { isJsonObject } from '../apimachinery/json.ts';
import type { JsonValue } from '../apimachinery/json.ts';
import { metadataOf } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { readCel, readQuery } from './expression.ts';
import type { Ask, StageReader } from './expression.ts';

type Test = (object: KubernetesObject) => boolean;

/** Which objects a Stage is for; without a selector it is for none. Follows KWOK pkg/utils/expression/selector.go. */
export function readSelector(reader: StageReader, spec: Fields): Test {
  if (!isJsonObject(spec['selector'])) return () => false;
  const path = 'spec.selector';
  const selector = reader.fields.object(spec, 'selector', { struct: 'StageSpec', path: 'spec' }, 'StageSelector');
  const place = { struct: 'StageSelector', path };
  reader.fields.only(selector, ['matchLabels', 'matchAnnotations', 'matchExpressions'], path);
  const labels = textsIn(reader, reader.fields.object(selector, 'matchLabels', place, 'map[string]string'));
  const annotations = textsIn(reader, reader.fields.object(selector, 'matchAnnotations', place, 'map[string]string'));
  const tests = reader.fields
    .objects(selector, 'matchExpressions', place, 'MatchExpression')
    .map((expression, index) => readRequirement(reader, expression, `${path}.matchExpressions[${index}]`));
  return (object) => {
    const metadata = metadataOf(object);
    const has = (wanted: Texts, given: { readonly [key: string]: string | undefined } = {}): boolean =>
      wanted.every(([key, value]) => Object.hasOwn(given, key) && given[key] === value);
    return (
      has(labels, metadata.labels) && has(annotations, metadata.annotations) && tests.every((test) => test(object))
    );
  };
}

type Texts = readonly (readonly [key: string, value: string])[];

const textsIn = (reader: StageReader, fields: Fields): Texts =>
  Object.keys(fields).map((key) => [
    key,
    reader.fields.text(fields, key, { struct: 'StageSelector', path: 'spec.selector' }),
  ]);

function readRequirement(reader: StageReader, fields: Fields, path: string): Test {
  reader.fields.only(fields, ['cel', 'jq', 'key', 'operator', 'values'], path);
  const place = { struct: 'MatchExpression', path };
  const cel = reader.fields.object(fields, 'cel', place, 'ExpressionCEL');
  const expression = reader.fields.text(cel, 'expression', { struct: 'ExpressionCEL', path: `${path}.cel` });
  if (expression !== '') {
    const ask = readCel(reader, expression, `${path}.cel.expression`);
    return (object) => ask(object)[0] === true;
  }
  const source = isJsonObject(fields['jq']) ? reader.fields.object(fields, 'jq', place, 'SelectorJQ') : fields;
  const key = reader.fields.text(source, 'key', place);
  const operator = reader.fields.text(source, 'operator', place);
  const values = reader.fields.texts(source, 'values', place);
  return withOperator(
    reader,
    { ask: readQuery(reader, key === '' ? '.' : key, `${path}.key`), operator, values },
    path,
  );
}

interface Requirement {
  readonly ask: Ask;
  readonly operator: string;
  readonly values: readonly string[];
}

function withOperator(reader: StageReader, { ask, operator, values }: Requirement, path: string): Test {
  const isIn: Test = (object) => ask(object).some((value) => isAmong(value, values));
  const exists: Test = (object) => ask(object).length > 0;
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues && values.length === 0) reader.fault(`${path}.values`, `${operator} needs at least one`);
  if (!takesValues && values.length > 0) reader.fault(`${path}.values`, `${operator} takes none`);
  switch (operator) {
    case 'In':
      return isIn;
    case 'NotIn':
      return (object) => !isIn(object);
    case 'Exists':
      return exists;
    case 'DoesNotExist':
      return (object) => !exists(object);
    default:
      reader.fault(`${path}.operator`, `${JSON.stringify(operator)} is none of In, NotIn, Exists, DoesNotExist`);
      return () => false;
  }
}

/** Texts, truths and whole numbers are compared by their text. */
function isAmong(value: JsonValue, values: readonly string[]): boolean {
  if (typeof value === 'string') return values.includes(value);
  const isPlain = typeof value === 'boolean' || (typeof value === 'number' && Number.isInteger(value));
  return isPlain && values.includes(String(value));
}
