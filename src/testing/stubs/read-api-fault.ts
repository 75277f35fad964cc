import { inspect } from 'node:util';
import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import type { ApiFault, ApiFaultKind } from './api-fault.ts';

export type ApiFaultReading =
  | { readonly outcome: 'read'; readonly fault: ApiFault }
  /** Follows the name of the fault: `calls: 0 is not …`. */
  | { readonly outcome: 'wrong'; readonly problem: string };

/** The problem, or undefined. */
type Check = (value: JsonValue) => string | undefined;

/** Fields of `what` per kind. */
export const apiFaultFields: Readonly<Record<ApiFaultKind['type'], Readonly<Record<string, Check>>>> = {
  conflict: {},
  'too-many-requests': { retryAfterSeconds: (value) => checkWhole(value, 1) },
  'drop-watch': { afterMs: (value) => checkWhole(value, 0), afterEvents: (value) => checkWhole(value, 0) },
  'expire-watch': {},
};

const knownVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** A create with a used name is another 409, and a read never conflicts. */
const conflictVerbs = ['update', 'patch', 'delete'];

const whenFields: Readonly<Record<string, Check>> = {
  verbs: (value) => checkList(value, (verb) => checkChoice(knownVerbs, verb)),
  resources: (value) => checkList(value, checkResource),
  namespaces: (value) => checkList(value, checkNamespace),
  calls: (value) => checkList(value, checkCall),
  probability: (value) =>
    typeof value === 'number' && value >= 0 && value <= 1 ? undefined : `${formatValue(value)} is not between 0 and 1`,
};

/** Untrusted input: `{ what: { type }, verbs … }`. */
export function readApiFault(value: JsonValue | undefined): ApiFaultReading {
  const problem = findProblem(value);
  // The checks cover every field.
  return problem === undefined
    ? { outcome: 'read', fault: value as unknown as ApiFault }
    : { outcome: 'wrong', problem };
}

function findProblem(value: JsonValue | undefined): string | undefined {
  if (!isJsonObject(value) || !isJsonObject(value['what'])) return noKind;
  const { what, ...when } = value;
  const { type, ...own } = asObject(what);
  const kind = kindOf(asString(type));
  if (!kind) return type === undefined || type === '' ? noKind : `there is no ${formatValue(type)}: it is ${kindList}`;
  const ownFields = apiFaultFields[kind];
  const unknown = Object.keys(when).find((name) => !Object.hasOwn(whenFields, name));
  if (unknown !== undefined) return unknownField(unknown, kind);
  const foreign = Object.keys(own).find((name) => !Object.hasOwn(ownFields, name));
  if (foreign !== undefined) return `what: ${kind} has no ${foreign}${knownNamesHint(Object.keys(ownFields))}`;
  return fieldProblem(own, ownFields) ?? fieldProblem(when, whenFields) ?? verbsError(kind, when);
}

const kinds = Object.keys(apiFaultFields) as readonly ApiFaultKind['type'][]; // Object.keys forgets the names.
const kindOf = (text: string): ApiFaultKind['type'] | undefined => kinds.find((kind) => kind === text);

const kindList = `one of ${kinds.join(', ')}`;
const noKind = `the kind of fault is missing: ${kindList}`;

function fieldProblem(fields: JsonObject, checks: Readonly<Record<string, Check>>): string | undefined {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const problem = checks[name]?.(value);
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  return undefined;
}

function unknownField(name: string, kind: ApiFaultKind['type']): string {
  const own = Object.keys(apiFaultFields[kind]);
  if (own.includes(name)) return `${name} belongs in what`;
  return `there is no ${name}${knownNamesHint([...own, ...Object.keys(whenFields)])}`;
}

const knownNamesHint = (known: readonly string[]): string =>
  known.length === 0 ? '' : `; there are ${known.join(', ')}`;

/** Verbs that the fault cannot affect. */
function verbsError(kind: ApiFaultKind['type'], { verbs }: JsonObject): string | undefined {
  if (!Array.isArray(verbs)) return undefined;
  const fitting = kind === 'conflict' ? conflictVerbs : kind === 'too-many-requests' ? knownVerbs : ['watch'];
  const other = verbs.map(String).find((verb) => !fitting.includes(verb));
  return other === undefined ? undefined : `verbs: ${kind} does not apply to ${other}, only to ${fitting.join(', ')}`;
}

function checkList(value: JsonValue, check: Check): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return `${formatValue(value)} must be a list of at least one value`;
  const items: readonly JsonValue[] = value;
  return items.map(check).find((problem) => problem !== undefined);
}

const checkChoice = (choices: readonly string[], value: JsonValue): string | undefined =>
  choices.includes(asString(value)) ? undefined : `${formatValue(value)} is none of ${choices.join(', ')}`;

const checkResource: Check = (value) =>
  /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?:\/[a-z]+)?$/.test(asString(value))
    ? undefined
    : `${formatValue(value)} is not a resource: write its plural and group, such as pods, deployments.apps or pods/status`;

const checkNamespace: Check = (value) =>
  /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(asString(value))
    ? undefined
    : `${formatValue(value)} is not a namespace name`;

const checkCall: Check = (value) =>
  isWhole(value, 1) ? undefined : `${formatValue(value)} is not a request number: count from 1`;

const checkWhole = (value: JsonValue, lowest: number): string | undefined =>
  isWhole(value, lowest) ? undefined : `${formatValue(value)} must be an integer of at least ${lowest}`;

const isWhole = (value: JsonValue, lowest: number): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= lowest;

/** Programs may pass any value. */
const formatValue = (value: JsonValue): string =>
  typeof value === 'string'
    ? JSON.stringify(value)
    : inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });

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
    fields.set(name, parseFieldValue(name, value));
  }
  const own = Object.entries(apiFaultFields).find(([kind]) => kind === type)?.[1] ?? {};
  const when = [...fields].filter(([name]) => !Object.hasOwn(own, name));
  const what = [...fields].filter(([name]) => Object.hasOwn(own, name));
  return readApiFault({ what: { type, ...Object.fromEntries(what) }, ...Object.fromEntries(when) });
}

const wrong = (problem: string): ApiFaultReading => ({ outcome: 'wrong', problem });

function parseFieldValue(name: string, text: string): JsonValue {
  switch (name) {
    case 'verbs':
    case 'resources':
    case 'namespaces':
      return text.split(',');
    case 'calls':
      return text.split(',').flatMap(parseCalls);
    default:
      return parseNumber(text);
  }
}

function parseCalls(text: string): readonly JsonValue[] {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  const count = Number(last) - Number(first) + 1;
  if (!(count >= 1 && count <= maxCalls)) return [parseNumber(text)];
  return Array.from({ length: count }, (_one, index) => Number(first) + index);
}

/** Other texts are reported by the check. */
const parseNumber = (text: string): JsonValue => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
