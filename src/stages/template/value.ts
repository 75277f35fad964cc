import { goPrint } from '../../apimachinery/go-print.ts';
import { isJsonObject, isList } from '../../apimachinery/json.ts';
import { TemplateFault } from './fault.ts';
import type { Value } from './tree.ts';

/** Whether `if` goes in: 0, false, nothing and what is empty do not count. Follows go src/text/template/exec.go IsTrue. */
export function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** The text that a value becomes in the output. */
export function printed(value: Value): string {
  if (value === undefined || value === null) return '<no value>';
  return typeof value === 'string' ? value : goPrint(value);
}

/** The value at a path of fields; of nothing there is nothing. Throws TemplateFault for a field of a text, number or list. */
export function fieldsOf(value: Value, path: readonly string[]): Value {
  let current = value;
  for (const field of path) {
    if (current === undefined || current === null) return undefined;
    if (!isJsonObject(current))
      throw new TemplateFault(`can't evaluate field ${field} in ${printed(current).slice(0, 100)}`);
    current = Object.hasOwn(current, field) ? current[field] : undefined;
  }
  return current;
}

export function textOf(value: Value): string {
  return value === undefined || value === null ? '' : printed(value);
}

/** Throws TemplateFault for what is none. */
export function numberOf(value: Value): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = value === undefined || value === null ? 0 : Number(value);
  if (Number.isNaN(number)) throw new TemplateFault(`${printed(value).slice(0, 100)} is not a number`);
  return number;
}
