import type { Ast, Constant, Expr, FieldEntry, MapEntryExpr } from './ast.ts';

/** Makes expressions and hands out their ids. */
export interface NodeFactory {
  /** A new id at an offset in the text. */
  readonly id: (offset: number) => number;
  readonly offsetOf: (id: number) => number;
  readonly finish: (root: Expr) => Ast;
}

export function createNodeFactory(): NodeFactory {
  const offsets = new Map<number, number>();
  let last = 0;
  return {
    id: (offset) => {
      last += 1;
      offsets.set(last, offset);
      return last;
    },
    offsetOf: (id) => offsets.get(id) ?? 0,
    finish: (root) => ({ root, offsets }),
  };
}

export const constant = (id: number, value: Constant): Expr => ({ type: 'constant', id, constant: value });
export const ident = (id: number, name: string): Expr => ({ type: 'ident', id, name });
export const select = (id: number, operand: Expr, field: string, testOnly = false): Expr => ({
  type: 'select',
  id,
  operand,
  field,
  testOnly,
});
export const call = (id: number, name: string, ...args: readonly Expr[]): Expr => ({
  type: 'call',
  id,
  name,
  target: undefined,
  args,
});
export const memberCall = (id: number, name: string, target: Expr, args: readonly Expr[]): Expr => ({
  type: 'call',
  id,
  name,
  target,
  args,
});
export const list = (id: number, elements: readonly Expr[], optional: readonly number[] = []): Expr => ({
  type: 'list',
  id,
  elements,
  optional,
});
export const mapExpr = (id: number, entries: readonly MapEntryExpr[]): Expr => ({ type: 'map', id, entries });
export const struct = (id: number, name: string, entries: readonly FieldEntry[]): Expr => ({
  type: 'struct',
  id,
  name,
  entries,
});
export const unspecified = (id: number): Expr => ({ type: 'unspecified', id });
