import { setOwn } from './json.ts';
import type { JsonScalar, JsonVisitor } from './json-walk.ts';

/** A document whose scalars are kept in a form of their own. */
export type JsonTree<Scalar> =
  | Scalar
  | null
  | readonly JsonTree<Scalar>[]
  | { readonly [field: string]: JsonTree<Scalar> };

interface JsonBuilder<Scalar> {
  readonly visitor: JsonVisitor;
  readonly value: () => JsonTree<Scalar>;
  readonly hasDuplicates: () => boolean;
}

/** Makes the document of what walkJson shows its visitor. The last of repeated keys wins, in the place of the first. */
export function createJsonBuilder<Scalar>(
  keep: (value: JsonScalar, start: number, end: number) => Scalar,
): JsonBuilder<Scalar> {
  type Container = JsonTree<Scalar>[] | Record<string, JsonTree<Scalar>>;
  const root: JsonTree<Scalar>[] = [];
  const open: { readonly container: Container; readonly key: string; readonly names: string[] }[] = [];
  let container: Container = root;
  let names: string[] = [];
  let key = '';
  let duplicates = false;
  const put = (value: JsonTree<Scalar>): void => {
    if (Array.isArray(container)) container.push(value);
    else setOwn(container, key, value);
  };
  const visitor: JsonVisitor = {
    open: (type) => {
      const made: Container = type === 'array' ? [] : {};
      put(made);
      open.push({ container, key, names });
      container = made;
      names = [];
    },
    close: () => {
      const outer = open.pop();
      if (outer) ({ container, key, names } = outer);
    },
    key: (name) => {
      if (Object.hasOwn(container, name)) duplicates = true;
      else names.push(name);
      key = name;
    },
    scalar: (value, start, end) => put(keep(value, start, end)),
  };
  return { visitor, value: () => root[0] ?? null, hasDuplicates: () => duplicates };
}
