import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { once } from '../../../machinery/once.ts';
import { fieldPath, locateRead, readLocated } from './located.ts';
import type { Located, YamlDocuments } from './located.ts';
import { plainDocuments } from './plain-documents.ts';
import type { PlainDocument } from './plain-documents.ts';

/**
 * Reads a YAML (or JSON) text as `readLocated` does, for who asks for few of its places: those of a document are looked for when
 * the first of them is asked for. What is wrong with a text is always said by `readLocated`.
 */
export function readLocatedOnDemand(file: string, text: string): YamlDocuments {
  const plain = plainDocuments(text) ?? [];
  const documents: Located[] = [];
  for (const document of plain) {
    const read = documentOf(file, document);
    if (read === undefined) return readLocated(file, text);
    documents.push(...read);
  }
  return plain.length === 0 ? readLocated(file, text) : { documents, problems: [] };
}

/** None for an empty document; undefined when something is wrong with it. */
function documentOf(file: string, { text, line, value }: PlainDocument): readonly Located[] | undefined {
  if (value === null) return [];
  if (value === undefined) {
    const { documents, problems } = readLocated(file, text, line);
    return problems.length > 0 ? undefined : documents;
  }
  const nowhere = { value, path: '', place: { file, line, column: 1 } };
  const find = once(() => locateRead({ file, text, firstLine: line }, value) ?? without(nowhere));
  return [onDemand({ value, path: '' }, find)];
}

/** A value whose place nobody can tell but by its document's. */
const without = (at: Pick<Located, 'value' | 'path' | 'place'>): Located => ({
  ...at,
  keyPlace: at.place,
  get: () => undefined,
  items: () => [],
  entries: () => [],
});

interface Spot {
  readonly value: JsonValue;
  readonly path: string;
}

function onDemand({ value, path }: Spot, find: () => Located): Located {
  const field = (name: string, of: JsonValue): Located =>
    onDemand({ value: of, path: fieldPath(path, name) }, () => find().get(name) ?? find());
  return {
    value,
    path,
    get place() {
      return find().place;
    },
    get keyPlace() {
      return find().keyPlace;
    },
    get: (name) => (isJsonObject(value) && Object.hasOwn(value, name) ? field(name, value[name] ?? null) : undefined),
    items: () =>
      Array.isArray(value)
        ? value.map((item: JsonValue, index) =>
            onDemand({ value: item, path: `${path}[${index}]` }, () => find().items()[index] ?? find()),
          )
        : [],
    entries: () =>
      isJsonObject(value) ? Object.entries(value).map(([name, of]) => [name, field(name, of ?? null)] as const) : [],
  };
}
