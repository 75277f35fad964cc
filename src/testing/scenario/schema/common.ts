import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';

/** The part of JSON Schema (draft-07) that docs/reference/scenario.schema.json uses. */
export interface SchemaNode {
  /** `#/definitions/faults`; other fields beside it are documentation. */
  readonly $ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  /** Markdown, for editors and docs/reference/scenario-format.md. */
  readonly description?: string;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly enum?: readonly JsonValue[];
  readonly pattern?: string;
  /** For messages: `a time such as 5s, 250ms or 1m30s`. */
  readonly patternDescription?: string;
  /** Beside an `enum`, for messages: other forms of the value: `delay: 5s`. */
  readonly otherForms?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  /** Branches differ in type, so that a message can name the intended one. */
  readonly anyOf?: readonly SchemaNode[];
  readonly dependencies?: Readonly<Record<string, readonly string[]>>;
  readonly definitions?: Readonly<Record<string, SchemaNode>>;
}

type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

export const text = (description: string, ...examples: readonly string[]): SchemaNode => ({
  type: 'string',
  description,
  ...(examples.length > 0 ? { examples } : {}),
});

export const choice = (description: string, choices: readonly string[]): SchemaNode => ({
  type: 'string',
  description,
  enum: choices,
});

export const arraySchema = (description: string, items: SchemaNode): SchemaNode => ({
  type: 'array',
  description,
  items,
});

/** `item` may be a reference to `one`, for a smaller schema. */
export const oneOrMore = (description: string, one: SchemaNode, item: SchemaNode = one): SchemaNode => ({
  description,
  anyOf: [...(one.anyOf ?? [one]), { type: 'array', items: item }],
});

export const anyObject = (description: string, ...examples: readonly JsonObject[]): SchemaNode => ({
  type: 'object',
  description,
  examples,
});

export const textMap = (description: string): SchemaNode => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string' },
});

export const names = (description: string, ...examples: readonly string[]): SchemaNode => ({
  ...arraySchema(description, { type: 'string' }),
  ...(examples.length > 0 ? { examples: [examples] } : {}),
});

export const duration = (description: string, ...examples: readonly string[]): SchemaNode => ({
  type: 'string',
  description,
  pattern: '^(\\d+(\\.\\d+)?(ms|s|m|h))+$',
  patternDescription: 'a time with its unit, such as 5s, 250ms or 1m30s',
  examples: examples.length > 0 ? examples : ['5s', '250ms', '1m30s'],
});

/** A definition of scenario-schema.ts. Never directly in `anyOf`: check-schema.ts could not distinguish the branches. */
export const reference = (name: string, description?: string): SchemaNode => ({
  ...(description === undefined ? {} : { description }),
  $ref: `#/definitions/${name}`,
});

export const textExpectationSchema: SchemaNode = {
  description: 'The exact text, `/a pattern/`, or `{contains: …}`.',
  anyOf: [
    { type: 'string', examples: ['/privileged/'] },
    {
      type: 'object',
      properties: {
        matches: text('A regular expression that some part of the text matches.', 'too many (pods|jobs)'),
        contains: text('A part of the text.', 'privileged'),
      },
      minProperties: 1,
      additionalProperties: false,
    },
  ],
};

export const textExpectation = (description: string): SchemaNode =>
  reference('text', `${description} The exact text, \`/a pattern/\`, or \`{contains: …}\`.`);

export const jsonPatch = (description: string): SchemaNode =>
  arraySchema(description, {
    type: 'object',
    properties: {
      op: choice('What the operation does (RFC 6902).', ['add', 'remove', 'replace', 'move', 'copy', 'test']),
      path: text('Where: a JSON Pointer; `/-` at the end appends to a list.', '/metadata/labels/team'),
      from: text('With move and copy: where the value is taken from.', '/metadata/labels/owner'),
      value: { description: 'With add, replace and test: the value, of any type.', examples: ['a'] },
    },
    required: ['op', 'path'],
    additionalProperties: false,
  });

export const callNumbers = (description: string): SchemaNode => ({
  description,
  anyOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', pattern: '^\\d+-\\d+$', patternDescription: 'a range such as 2-4' },
    { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1 },
  ],
});

export const probability: SchemaNode = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: 'How likely it happens, from 0 to 1, drawn with the seed of the scenario.',
  examples: [0.5],
};
