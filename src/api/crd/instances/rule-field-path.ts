import { goEscapes } from '../../../machinery/go/strings.ts';
import { additionalSchema, type Structural } from '../structural.ts';

export type ParsedFieldPath =
  | { readonly outcome: 'read'; readonly path: string; readonly schema: Structural | undefined }
  | { readonly outcome: 'wrong'; readonly error: string };

/**
 * Parses a fieldPath, `.spec.x` or `['a-b']`; `brackets: false` for selectable fields. Follows apiextensions-apiserver
 * pkg/apiserver/schema/cel/validation.go ValidFieldPath.
 */
export function parseFieldPath(text: string, schema: Structural, brackets = true): ParsedFieldPath {
  let path = '';
  let at: Structural | undefined = schema;
  const tokens = text.match(/'(?:\\'|[^'])*'|[.[\]]|[^.[\]]+/gs) ?? [];
  let index = 0;
  while (index < tokens.length) {
    const step = parseStep(tokens, index, brackets);
    if ('error' in step) return { outcome: 'wrong', error: step.error };
    const next = enterField(at, step.name);
    if (next === undefined) return { outcome: 'wrong', error: 'does not refer to a valid field' };
    path += next.isProperty ? `${path === '' ? '' : '.'}${step.name}` : `[${step.name}]`;
    if (step.unclosed !== undefined) return { outcome: 'wrong', error: step.unclosed };
    at = next.schema;
    index = step.end;
  }
  return { outcome: 'read', path, schema: at };
}

/** '' for an invalid path. */
export function normalizeFieldPath(text: string, schema: Structural): string {
  const reading = parseFieldPath(text, schema);
  return reading.outcome === 'read' ? reading.path : '';
}

type Step =
  | { readonly name: string; readonly end: number; readonly unclosed?: string | undefined }
  | { readonly error: string };

const unexpectedEndText = 'unexpected end of JSON path';

function parseStep(tokens: readonly string[], index: number, brackets: boolean): Step {
  const token = tokens[index];
  const name = tokens[index + 1];
  if (token === '.') return name === undefined ? { error: unexpectedEndText } : { name, end: index + 2 };
  if (token !== '[') return { error: `expected [ or . but got: ${token}` };
  if (!brackets) return { error: 'array notation is not allowed' };
  if (name === undefined) return { error: unexpectedEndText };
  if (name.length < 2 || !name.startsWith("'") || !name.endsWith("'")) {
    return { error: `expected single quoted string but got ${name}` };
  }
  const plain = unescapeText(name.slice(1, -1));
  if (typeof plain === 'object') return plain;
  const close = tokens[index + 2];
  const unclosed = close === undefined ? unexpectedEndText : close === ']' ? undefined : `expected ] but got ${close}`;
  return { name: plain, end: index + 3, unclosed };
}

const escapes = new Map(Object.entries(goEscapes));

function unescapeText(text: string): string | { readonly error: string } {
  const wrong = [...text.matchAll(/\\(.)/gs)].find(([, char = '']) => !/[abfnrtv'\\]/.test(char));
  if (wrong) return { error: `invalid string literal: invalid escape char ${wrong[0]}` };
  return text.replaceAll(/\\(.)/gs, (_all, char: string) => escapes.get(char) ?? char);
}

function enterField(schema: Structural | undefined, name: string) {
  if (schema === undefined) return undefined;
  if (schema.properties.names.length > 0) {
    const property = schema.properties.get(name);
    return property && { schema: property, isProperty: true };
  }
  return schema.additional === undefined ? undefined : { schema: additionalSchema(schema), isProperty: false };
}
