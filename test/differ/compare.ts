import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../src/machinery/json/json.ts';
import { normalise } from './normalise.ts';
import type { Answer } from './server-client.ts';

/** The differences of two responses, each as a text that identifies its cause. */
export function differences(real: Answer, ours: Answer): readonly string[] {
  const [a, b] = [normalise(real.body), normalise(ours.body)];
  if (real.status !== ours.status) {
    const refusal = real.status >= 400 ? a : b;
    return [`status ${real.status} | ${ours.status}: ${generalise(messageOf(refusal)).slice(0, 160)}`];
  }
  return [...headerDifferences(real, ours), ...(a === b ? [] : bodyDifferences(a, b))];
}

const compared = ['content-type', 'warning', 'retry-after', 'allow', 'vary', 'cache-control', 'content-encoding'];

const headerDifferences = (real: Answer, ours: Answer): readonly string[] =>
  compared.flatMap((name) => {
    const [a, b] = [real, ours].map(({ headers }) => generalise(normalise(String(headers[name] ?? ''))));
    return a === b ? [] : [`${name}: ${a?.slice(0, 120)} | ${b?.slice(0, 120)}`];
  });

function bodyDifferences(a: string, b: string): readonly string[] {
  const [real, ours] = [parseOrUndefined(a), parseOrUndefined(b)];
  if (real === undefined || ours === undefined) return ['text'];
  const [request, found] = [causesOf(real), causesOf(ours)];
  if (request.length === 0 || found.length === 0)
    return [...new Set(differingPaths(real, ours, '').map(generalise))].slice(0, maxDifferences);
  const missing = request.filter((cause) => !found.includes(cause));
  const extra = found.filter((cause) => !request.includes(cause));
  if (missing.length + extra.length === 0)
    return [`order or number of causes: ${generalise(request[0] ?? '').slice(0, 80)}`];
  return [
    ...missing.map((cause) => `only real: ${generalise(cause).slice(0, 200)}`),
    ...extra.map((cause) => `only ours: ${generalise(cause).slice(0, 200)}`),
  ];
}

const maxDifferences = 20;

function parseOrUndefined(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

const messageOf = (body: string): string => asString(asObject(parseOrUndefined(body))['message']) || body;

const causesOf = (value: JsonValue): readonly string[] =>
  asList(asObject(asObject(value)['details'])['causes'])
    .map(asObject)
    .map(({ field, message }) => `${asString(field)}: ${asString(message)}`);

/** The paths at which two values differ, with both values. */
function differingPaths(a: JsonValue | undefined, b: JsonValue | undefined, path: string): readonly string[] {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  if (left === right) return [];
  if (!isContainer(a) || !isContainer(b)) return [`${path}: ${left?.slice(0, 100)} | ${right?.slice(0, 100)}`];
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  const step = (field: string): string => (Array.isArray(a) ? `${path}[${field}]` : `${path}.${field}`);
  const found = [...fields].flatMap((field) => differingPaths(a[field], b[field], step(field)));
  return found.length > 0 ? found : [`${path}: order of fields`];
}

const isContainer = (value: JsonValue | undefined): value is JsonObject =>
  isJsonObject(value) || (Array.isArray(value) as boolean);

/** Removes values that differ from object to object. */
const generalise = (text: string): string =>
  text
    .replaceAll(/\[\d+\]/g, '[i]')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\d+/g, '#');
