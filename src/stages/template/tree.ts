import type { JsonValue } from '../../apimachinery/json.ts';

/** What a template works with; undefined: a field that is not there. */
export type Value = JsonValue | undefined;

export type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'print'; readonly pipe: Pipe }
  | Branch
  | { readonly type: 'break' | 'continue' };

export interface Branch {
  readonly type: 'if' | 'range' | 'with';
  readonly pipe: Pipe;
  readonly body: readonly Node[];
  readonly otherwise: readonly Node[];
}

/** `$a, $b := first | second`: each command gets the value of the one before as its last argument. */
export interface Pipe {
  readonly variables: readonly string[];
  /** `:=` makes the variables, `=` sets those that there are. */
  readonly declares: boolean;
  readonly commands: readonly Command[];
}

/** One operand, or a function and its arguments. */
export type Command = readonly Operand[];

export type Operand =
  | { readonly type: 'literal'; readonly value: Value }
  | { readonly type: 'dot'; readonly path: readonly string[] }
  | { readonly type: 'variable'; readonly name: string; readonly path: readonly string[] }
  | { readonly type: 'function'; readonly name: string; readonly path: readonly string[] }
  | { readonly type: 'pipe'; readonly pipe: Pipe; readonly path: readonly string[] };
