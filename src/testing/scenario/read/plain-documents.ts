import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { plainValue } from '../../../machinery/json/json-reader.ts';
import { readYaml } from '../../../machinery/yaml/read-yaml.ts';

/** A document of a text as it stands there. */
export interface PlainDocument {
  readonly text: string;
  /** On which line it begins, from 1. */
  readonly line: number;
  /** What it says; undefined: somebody who knows YAML better has to look. */
  readonly value: JsonValue | undefined;
}

/**
 * The documents of a YAML (or JSON) text, empty ones too, by readers that know nothing of places and are much faster than the
 * one that does. Undefined for a text whose documents cannot be told apart by their first lines.
 */
export function plainDocuments(text: string): readonly PlainDocument[] | undefined {
  if (hasOtherMarks.test(text)) return undefined;
  let line = 1;
  return text.split(documentStart).map((part) => {
    const document = { text: part, line, value: valueOf(part) };
    line += linesOf(part);
    return document;
  });
}

/** Directives, ends of documents, and line breaks that not everybody takes for some. */
const hasOtherMarks = /^%|^\.\.\.|[\u0085\u2028\u2029]|\r(?!\n)/m;

/** At the beginning of a line it is that, whatever stands before it. */
const documentStart = /^(?=---(?:[ \t\r\n]|$))/m;

function linesOf(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function valueOf(text: string): JsonValue | undefined {
  if (mayAlias.test(text)) return undefined;
  const reading = readYaml(text);
  if (reading.outcome === 'unreadable' || !reading.isAll || reading.duplicates.length > 0) return undefined;
  const value = plainValue(reading.value);
  return isDeeper(value, deepest) ? undefined : value;
}

/** Anchors, aliases and tags stand where a value does. */
const mayAlias = /(?:^|[-:?,[{])[ \t]*[&*!]/m;

/** Who looks for places calls himself for each level. */
const deepest = 100;

function isDeeper(value: JsonValue, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((one) => isDeeper(one, levels - 1));
  return isJsonObject(value) && Object.values(value).some((one) => isDeeper(one ?? null, levels - 1));
}
