import type { JsonValue } from '../../../machinery/json/json.ts';

/** The part of JSON Schema (draft-07) that docs/reference/scenario.schema.json uses. */
export interface SchemaNode {
  /** `#/definitions/faults`; what stands beside it is for the reader only. */
  readonly $ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  /** What it is, for the editor and docs/reference/scenario-format.md; in Markdown. */
  readonly description?: string;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly enum?: readonly JsonValue[];
  readonly pattern?: string;
  /** What a text of this pattern is, for messages: `a time such as 5s, 250ms or 1m30s`. */
  readonly patternDescription?: string;
  /** Beside an `enum`: what can stand here in another form, or instead of the field, for messages: `delay: 5s`. */
  readonly otherForms?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  /** Each for another type of value, so that a message can speak of the one that was meant. */
  readonly anyOf?: readonly SchemaNode[];
  readonly dependencies?: Readonly<Record<string, readonly string[]>>;
  readonly definitions?: Readonly<Record<string, SchemaNode>>;
}

export type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';
