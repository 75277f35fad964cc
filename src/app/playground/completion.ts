import type { BuiltinTypes } from '../../api/types/builtin-types.ts';
import { asObject, valueAt, asList, asString, type JsonObject } from '../../machinery/json/json.ts';
import { scenarioSchema } from '../../testing/scenario/schema/scenario-schema.ts';
import type {
  CompletionAnswer,
  CompletionItem,
  CompletionQuestion,
  PlaygroundTab,
  PlaygroundTexts,
} from './protocol.ts';
import { headValues, kindFields } from './kind-fields.ts';
import { schemaFields, type SchemaFields } from './schema-fields.ts';
import { type YamlPosition, findYamlPosition } from './yaml-position.ts';
import { readLocated } from '../../testing/scenario/read/located.ts';

/** `types` are those of the chosen release. */
export function answerQuestion(question: CompletionQuestion, types: BuiltinTypes): CompletionAnswer {
  return question.type === 'complete' ? complete(question, types) : describe(question, types);
}

function complete({ question, tab, offset, texts }: CompletionQuestion, types: BuiltinTypes): CompletionAnswer {
  const text = texts[tab];
  const place = findYamlPosition(text, offset);
  if (place === undefined) return { type: 'completions', question, from: offset, items: [] };
  const { fields, values } = schemaFieldsAt({ tab, texts, place, types });
  const free = fields.filter(({ label }) => !place.siblings.includes(label));
  const items = { key: free, value: values, item: [...values, ...free] }[place.role];
  return { type: 'completions', question, from: place.from, items };
}

/** The word may continue behind the offset; it is a key when a colon follows. */
function describe({ question, tab, offset, texts }: CompletionQuestion, types: BuiltinTypes): CompletionAnswer {
  const text = texts[tab];
  const to = offset + (/^[\w./$-]*/.exec(text.slice(offset))?.[0].length ?? 0);
  const place = findYamlPosition(text, to);
  const from = place?.from ?? to;
  const isKey = /^["']?\s*:(?:\s|$)/.test(text.slice(to));
  const word = text.slice(from, to);
  const found = place && schemaFieldsAt({ tab, texts, place, types });
  const item = (isKey ? found?.fields : found?.values)?.find(({ label }) => label === word);
  return { type: 'description', question, from, to, item };
}

interface Place {
  readonly tab: PlaygroundTab;
  readonly texts: PlaygroundTexts;
  readonly place: YamlPosition;
  readonly types: BuiltinTypes;
}

function schemaFieldsAt({ tab, texts, place, types }: Place): SchemaFields {
  const { path, from } = place;
  const text = texts[tab];
  const kinds: Kinds = { types, objects: texts.objects };
  switch (tab) {
    case 'objects':
      return inObject(path, documentAround(text, from), kinds);
    case 'webhooks':
      return inList('webhooks', path);
    case 'requests': {
      const [, action = '', ...inside] = path;
      const isObject = ['create', 'update', 'apply'].includes(action);
      const isInside = path.length > 2 || place.role === 'key';
      return isObject && isInside ? inObject(inside, stepAround(text, from), kinds) : inList('steps', path);
    }
  }
}

/** The path begins with the item of the list. */
function inList(list: 'webhooks' | 'steps', [, ...path]: readonly string[]): SchemaFields {
  const item = valueAt(scenarioSchema, 'properties', list, 'items');
  return schemaFields(asObject(item), path, asObject(scenarioSchema['definitions']));
}

const noSchemaFields: SchemaFields = { fields: [], values: [] };

/** The built-in kinds, and the text with definitions of others. */
interface Kinds {
  readonly types: BuiltinTypes;
  readonly objects: string;
}

function inObject(path: readonly string[], text: string, { types, objects }: Kinds): SchemaFields {
  const head = { apiVersion: headField(text, 'apiVersion'), kind: headField(text, 'kind') };
  const [key, ...others] = path;
  if ((key === 'apiVersion' || key === 'kind') && others.length === 0)
    return { fields: [], values: headValues(types, definedKinds(objects), { key, apiVersion: head.apiVersion }) };
  const builtin = kindFields(types, head, path);
  if (builtin) return builtin;
  if (key === 'metadata') return kindFields(types, { apiVersion: 'v1', kind: 'Namespace' }, path) ?? noSchemaFields;
  const custom = definedKinds(objects).find(
    ({ apiVersion, kind }) => apiVersion === head.apiVersion && kind === head.kind,
  );
  const { fields, values } = custom ? schemaFields(custom.schema, path, {}) : noSchemaFields;
  return { fields: path.length === 0 ? [...headFields, ...fields] : fields, values };
}

const headFields: readonly CompletionItem[] = ['apiVersion', 'kind', 'metadata'].map((label) => ({
  label,
  kind: 'field',
  type: label === 'metadata' ? 'object' : 'string',
  description: '',
  isRequired: true,
}));

const heads = {
  apiVersion: /\bapiVersion: *["']?([\w./-]+)/,
  kind: /\bkind: *["']?([\w./-]+)/,
} as const;

/** Of the outermost mapping, which mostly begins with it. */
const headField = (text: string, name: 'apiVersion' | 'kind'): string => heads[name].exec(text)?.[1] ?? '';

function documentAround(text: string, offset: number): string {
  const end = text.indexOf('\n---', offset);
  return text.slice(text.lastIndexOf('\n---', offset - 1) + 1, end === -1 ? text.length : end);
}

function stepAround(text: string, offset: number): string {
  const end = text.indexOf('\n- ', offset);
  return text.slice(text.lastIndexOf('\n- ', offset - 1) + 1, end === -1 ? text.length : end);
}

/** A version of a definition among the objects. */
interface DefinedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: JsonObject;
}

/** Documents that cannot be read define nothing. */
function definedKinds(objects: string): readonly DefinedKind[] {
  return objects
    .split(/^---/m)
    .filter((text) => text.includes('CustomResourceDefinition'))
    .flatMap((text) => readLocated('objects', text).documents)
    .flatMap(({ value }) => kindsOf(asObject(value)));
}

function kindsOf(definition: JsonObject): readonly DefinedKind[] {
  if (definition['kind'] !== 'CustomResourceDefinition') return [];
  const group = asString(valueAt(definition, 'spec', 'group'));
  const kind = asString(valueAt(definition, 'spec', 'names', 'kind'));
  return asList(valueAt(definition, 'spec', 'versions')).map((version) => ({
    apiVersion: `${group}/${asString(asObject(version)['name'])}`,
    kind,
    schema: asObject(valueAt(asObject(version), 'schema', 'openAPIV3Schema')),
  }));
}
