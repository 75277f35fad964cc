import { asObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import type { CompletionItem } from './protocol.ts';

/** What a JSON schema, of scenarios or of a definition, says about the place behind these keys. */
export interface SchemaFields {
  readonly fields: readonly CompletionItem[];
  readonly values: readonly CompletionItem[];
}

/** `definitions` resolves `#/definitions/…`. */
export function schemaFields(schema: JsonObject, path: readonly string[], definitions: JsonObject): SchemaFields {
  const nodes = path.reduce(
    (some, key) => some.flatMap((node) => branches(childOf(node, key), definitions)),
    branches(schema, definitions),
  );
  return {
    fields: unique(nodes.flatMap((node) => fieldsOf(node, definitions))),
    values: unique(nodes.flatMap(valuesOf)),
  };
}

/** The node, and those that it refers to or offers. */
function branches(node: JsonObject | undefined, definitions: JsonObject): readonly JsonObject[] {
  if (node === undefined) return [];
  const { $ref, anyOf } = node;
  const name = typeof $ref === 'string' ? $ref.replace('#/definitions/', '') : undefined;
  const referred = name === undefined ? [] : branches(asObject(definitions[name]), definitions);
  const offered = Array.isArray(anyOf) ? anyOf.flatMap((one) => branches(asObject(one), definitions)) : [];
  return [node, ...referred, ...offered];
}

function childOf(node: JsonObject, key: string): JsonObject | undefined {
  const { properties, additionalProperties, items } = node;
  if (key === '[]') return items === undefined ? undefined : asObject(items);
  const named = asObject(properties)[key];
  if (named !== undefined) return asObject(named);
  return typeof additionalProperties === 'object' ? asObject(additionalProperties) : undefined;
}

function fieldsOf({ properties, required }: JsonObject, definitions: JsonObject): readonly CompletionItem[] {
  const names: readonly JsonValue[] = Array.isArray(required) ? required : [];
  return Object.entries(asObject(properties)).map(([label, schema]) => {
    const nodes = branches(asObject(schema), definitions);
    const description = nodes
      .map((node) => node['description'])
      .find((text) => typeof text === 'string' && text !== '');
    return {
      label,
      kind: 'field',
      type: typeText(nodes),
      description: typeof description === 'string' ? description.replaceAll('`', '') : '',
      isRequired: names.includes(label),
    };
  });
}

const valuesOf = ({ enum: values, type, description }: JsonObject): readonly CompletionItem[] => {
  const offered = Array.isArray(values) ? values : type === 'boolean' ? [true, false] : [];
  return offered.map((value) => ({
    label: String(value),
    kind: 'value',
    type: typeof value,
    description: typeof description === 'string' ? description.replaceAll('`', '') : '',
    isRequired: false,
  }));
};

const typeText = (nodes: readonly JsonObject[]): string =>
  [...new Set(nodes.flatMap(({ type }) => (Array.isArray(type) ? type : type === undefined ? [] : [type])))].join(
    ' or ',
  );

const unique = (items: readonly CompletionItem[]): readonly CompletionItem[] => [
  ...new Map(items.map((item) => [item.label, item])).values(),
];
