import type { JsonValue } from '../../apimachinery/json.ts';
import type { Steps } from '../../apimachinery/pause.ts';
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

/** What is left to do of it, where it is not done at once: lists, objects and branches are checked in steps. */
export type CheckValue = (checked: Checked, schema: ValueSchema, findings: Findings) => Steps<void> | undefined;

/** So many small values are a step. */
export const valuesAStep = 64;
