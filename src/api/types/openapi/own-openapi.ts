import { asObject, type JsonObject } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';

/** Shared by all rows of one version of a definition. */
export interface ForeignOpenapi {
  /** Changes with the documents. */
  readonly hash: () => string;
  readonly v3: () => JsonObject;
  /** Its `paths`, `definitions` and `parameters`. */
  readonly v2: () => JsonObject;
}

export const collectOwnOpenapi = (
  rows: readonly { readonly openapi?: ForeignOpenapi }[],
): readonly ForeignOpenapi[] => [...new Set(rows.flatMap(({ openapi }) => (openapi ? [openapi] : [])))];

/**
 * The merged document of a group version as pieces of JSON; keeps only the texts, since hundreds of definitions may
 * share one.
 */
export function mergeOpenapi(
  builtin: readonly JsonObject[],
  own: readonly ForeignOpenapi[],
): readonly string[] | undefined {
  let first: JsonObject | undefined;
  const [paths, schemas] = [new Map<string, string>(), new Map<string, string>()];
  const add = (document: JsonObject): void => {
    first ??= { ...document, paths: {}, components: {} };
    addTexts(paths, document['paths']);
    addTexts(schemas, asObject(document['components'])['schemas']);
  };
  for (const document of builtin) add(document);
  for (const { v3 } of own) add(v3());
  if (!first) return undefined;
  const texts: string[] = [];
  const isMerged = own.length > 0;
  let before = '{';
  for (const [field, value = null] of Object.entries(first)) {
    texts.push(`${before}${JSON.stringify(field)}:`);
    before = ',';
    if (field === 'paths') putTexts(texts, paths, isMerged);
    else if (field === 'components') {
      texts.push('{"schemas":');
      putTexts(texts, schemas, isMerged);
      texts.push('}');
    } else texts.push(writeJson(value));
  }
  texts.push('}');
  return texts;
}

type DocumentTexts = Map<string, string>;

function addTexts(all: DocumentTexts, more: JsonObject[string]): void {
  for (const [name, value] of Object.entries(asObject(more))) {
    if (value !== undefined) all.set(name, writeJson(value));
  }
}

function putTexts(texts: string[], all: DocumentTexts, isSorted: boolean): void {
  const named = isSorted ? [...all].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) : [...all];
  let before = '{';
  for (const [name, text] of named) {
    texts.push(`${before}${JSON.stringify(name)}:${text}`);
    before = ',';
  }
  texts.push(before === '{' ? '{}' : '}');
}
