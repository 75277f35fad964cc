import { asObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { jsonInSteps } from '../../apimachinery/json-in-steps.ts';
import { writeJson } from '../../apimachinery/json-writer.ts';
import type { Steps } from '../../apimachinery/pause.ts';
import type { OwnOpenapi } from './own-openapi.ts';

/**
 * The JSON, in pieces, of one document made of those of a group and version. Hundreds of definitions may share one: of each
 * only the text is kept.
 */
export function* mergedOpenapi(
  builtin: readonly JsonObject[],
  own: readonly OwnOpenapi[],
): Steps<readonly string[] | undefined> {
  let first: JsonObject | undefined;
  const [paths, schemas] = [new Map<string, readonly string[]>(), new Map<string, readonly string[]>()];
  const add = function* (document: JsonObject): Steps<void> {
    first ??= { ...document, paths: {}, components: {} };
    yield* addTexts(paths, document['paths']);
    yield* addTexts(schemas, asObject(document['components'])['schemas']);
  };
  for (const document of builtin) yield* add(document);
  for (const { v3 } of own) yield* add(yield* v3());
  if (!first) return undefined;
  const texts: string[] = [];
  const isMerged = own.length > 0;
  let before = '{';
  for (const [field, value = null] of Object.entries(first)) {
    texts.push(`${before}${JSON.stringify(field)}:`);
    before = ',';
    if (field === 'paths') yield* putTexts(texts, paths, isMerged);
    else if (field === 'components') {
      texts.push('{"schemas":');
      yield* putTexts(texts, schemas, isMerged);
      texts.push('}');
    } else texts.push(writeJson(value));
  }
  texts.push('}');
  return texts;
}

type Texts = Map<string, readonly string[]>;

function* addTexts(all: Texts, more: JsonObject[string]): Steps<void> {
  for (const [name, value] of Object.entries(asObject(more))) {
    if (value !== undefined) all.set(name, yield* jsonInSteps(value));
    yield;
  }
}

function* putTexts(texts: string[], all: Texts, isSorted: boolean): Steps<void> {
  const named = isSorted ? [...all].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) : [...all];
  let before = '{';
  for (const [name, pieces] of named) {
    texts.push(`${before}${JSON.stringify(name)}:`);
    before = ',';
    for (const piece of pieces) texts.push(piece);
    yield;
  }
  texts.push(before === '{' ? '{}' : '}');
}
