import type { Ast } from '../syntax/ast.ts';
import type { Reference } from './checker.ts';
import type { Type } from './type.ts';

/** An expression with the type of every part and the meaning of every name. */
export interface Checked {
  readonly ast: Ast;
  readonly type: Type;
  readonly typeOf: (id: number) => Type;
  readonly references: ReadonlyMap<number, Reference>;
}
