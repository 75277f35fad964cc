import type { JsonValue } from '../../../machinery/json/json.ts';
import type { Correlated } from '../correlated.ts';
import type { Findings } from './findings.ts';
import type { ValueSchema } from './value-schema.ts';

/** A value at a place, beside what it replaces, if that can be told. */
export interface Checked {
  readonly value: JsonValue;
  readonly path: string;
  readonly correlated: Correlated | undefined;
  /** How to check what is inside. */
  readonly check: CheckValue;
}

/** Adds what a schema says of a value to the findings. */
export type CheckValue = (checked: Checked, schema: ValueSchema, findings: Findings) => void;
