import type { JsonValue } from '../../../machinery/json/json.ts';

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

export type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';
