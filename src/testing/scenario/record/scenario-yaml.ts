import { Document, isCollection, isPair, isSeq, visit } from 'yaml';
import { bigintAsText } from '../../../machinery/json/json-writer.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';

const maxLength = 100;

/** Values that fit on a line are in flow style, others in block style. YAML 1.1. */
export function scenarioYaml(value: JsonValue): string {
  return laidOut(value, 4);
}

export const manifestYaml = (object: JsonObject): string => laidOut(object, 3);

/** Collections above this depth stay in block style. */
function laidOut(value: JsonValue, depth: number): string {
  const document = new Document(value, { version: '1.1', aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_key, node, path) => {
      if (path.length < depth && !isListOfTexts(node.toJSON())) return undefined; // The fields of the scenario itself.
      if (isAction(node.toJSON(), path)) return undefined;
      if (isLoneEntry(node.toJSON(), path.at(-1)) || !isShort(node.toJSON())) return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
  if (isCollection(document.contents)) document.contents.flow = false;
  if (document.directives) document.directives.yaml.explicit = false;
  return document.toString({ lineWidth: 0, singleQuote: true });
}

/** Actions stay in block style, except configure. */
const isAction = (value: unknown, path: readonly unknown[]): boolean =>
  path.length === 4 &&
  isPair(path[2]) &&
  String(path[2].key) === 'steps' &&
  !(typeof value === 'object' && value !== null && 'configure' in value);

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

/** `- delete: pod/web` needs no braces. */
const isLoneEntry = (value: unknown, parent: unknown): boolean =>
  isSeq(parent) && typeof value === 'object' && value !== null && !Array.isArray(value) && isFlat(value);

const isFlat = (value: object): boolean => {
  const all: readonly unknown[] = Object.values(value);
  return all.length === 1 && typeof all[0] !== 'object';
};

const isShort = (value: unknown): boolean => lengthOf(value) <= maxLength && depthOf(value) <= 3;

const lengthOf = (value: unknown): number => JSON.stringify(value, bigintAsText).length;

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
