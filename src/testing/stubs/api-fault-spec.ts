import type { JsonValue } from '../../machinery/json/json.ts';
import { apiFaultFields, type ApiFaultReading, readApiFault } from './read-api-fault.ts';

const maxCalls = 10_000;

/**
 * Reads `KIND[:FIELD=VALUE]…`, such as `conflict:verbs=update:resources=configmaps:calls=1,3`. Names as in a program; commas separate
 * values, and `2-4` means three calls.
 */
export function readApiFaultSpec(text: string): ApiFaultReading {
  const [type = '', ...texts] = text.split(':');
  const fields = new Map<string, JsonValue>();
  for (const field of texts) {
    const equals = field.indexOf('=');
    const [name, value] = [field.slice(0, Math.max(equals, 0)), field.slice(equals + 1)];
    if (name === '' || value === '')
      return wrong(`${JSON.stringify(field)} is not FIELD=VALUE, such as resources=pods`);
    if (fields.has(name)) return wrong(`${name} is given twice`);
    fields.set(name, valueOf(name, value));
  }
  const own = Object.entries(apiFaultFields).find(([kind]) => kind === type)?.[1] ?? {};
  const when = [...fields].filter(([name]) => !Object.hasOwn(own, name));
  const what = [...fields].filter(([name]) => Object.hasOwn(own, name));
  return readApiFault({ what: { type, ...Object.fromEntries(what) }, ...Object.fromEntries(when) });
}

const wrong = (problem: string): ApiFaultReading => ({ outcome: 'wrong', problem });

function valueOf(name: string, text: string): JsonValue {
  switch (name) {
    case 'verbs':
    case 'resources':
    case 'namespaces':
      return text.split(',');
    case 'calls':
      return text.split(',').flatMap(callsOf);
    default:
      return numberOf(text);
  }
}

function callsOf(text: string): readonly JsonValue[] {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  const count = Number(last) - Number(first) + 1;
  if (!(count >= 1 && count <= maxCalls)) return [numberOf(text)];
  return Array.from({ length: count }, (_one, index) => Number(first) + index);
}

/** Other texts are reported by the check. */
const numberOf = (text: string): JsonValue => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
