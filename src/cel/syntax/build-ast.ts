import type { ParserRuleContext, Token } from 'antlr4ng';
import {
  CalcContext,
  ConjunctionContext,
  DisjunctionContext,
  ExprContext,
  LogicalNotContext,
  MemberContext,
  MemberPrimaryContext,
  NegateContext,
  NestedContext,
  PlainContext,
  RelationContext,
  type StartContext,
  UnaryContext,
} from '../grammar/generated/CELParser.ts';
import type { Ast, Expr } from './ast.ts';
import { type Builder, buildMember } from './build-member.ts';
import { type Issues, ParserGaveUp, recursionLimit } from './issues.ts';
import type { Expand } from './macro-fold.ts';
import { macroKey } from './macros.ts';
import { call, constant, createNodeFactory, memberCall, type NodeFactory, unspecified } from './node-factory.ts';
import { noLocation } from './source-text.ts';

/** Parse tree to expression, macros expanded. Complaints go to `issues`. Follows cel-go parser/parser.go. */
export function buildAst(tree: StartContext, macros: ReadonlyMap<string, Expand>, issues: Issues): Ast {
  const nodes = createNodeFactory();
  const report = (id: number, message: string): void => issues.atOffset(nodes.offsetOf(id), message);
  let depth = 1;
  const builder: Builder = {
    nodes,
    build: (context) => {
      const step = isWrapper(context) ? 0 : 1;
      depth += step;
      if (depth > recursionLimit) throw new ParserGaveUp('max recursion depth exceeded');
      const expr = build(builder, context);
      depth -= step;
      return expr;
    },
    fail: (place, message) => {
      const id = nodes.id(place);
      report(id, message);
      return unspecified(id);
    },
    missing: () => {
      if (issues.list().length === 0) issues.at(noLocation, 'unknown parse element encountered');
      return unspecified(nodes.id(0));
    },
    call: (id, name, target, args) => callOrMacro({ nodes, macros, report }, { id, name, target, args }),
  };
  return nodes.finish(builder.build(tree._root));
}

interface Expansion {
  readonly nodes: NodeFactory;
  readonly macros: ReadonlyMap<string, Expand>;
  readonly report: (id: number, message: string) => void;
}

interface CallParts {
  readonly id: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

function callOrMacro({ nodes, macros, report }: Expansion, { id, name, target, args }: CallParts): Expr {
  const expand = macros.get(macroKey(name, args.length, target !== undefined));
  if (expand === undefined) return target === undefined ? call(id, name, ...args) : memberCall(id, name, target, args);
  const context = {
    id: () => nodes.id(nodes.offsetOf(id)),
    copy: (expr: Expr) => copyExpr(expr, (old) => nodes.id(nodes.offsetOf(old))),
  };
  const expanded = expand(context, target ?? unspecified(id), args);
  if (expanded.type !== 'macro-error') return expanded;
  report(expanded.id, expanded.message);
  return unspecified(id);
}

/** A context with a single child does not count as a level. */
function isWrapper(context: ParserRuleContext | null | undefined): boolean {
  if (context instanceof ExprContext) return !context._question;
  if (context instanceof DisjunctionContext || context instanceof ConjunctionContext)
    return context._operators.length === 0;
  if (context instanceof RelationContext || context instanceof CalcContext) return !context._operator;
  if (context instanceof MemberPrimaryContext) return context.primary() instanceof NestedContext;
  return context instanceof PlainContext;
}

function build(builder: Builder, context: ParserRuleContext | null | undefined): Expr {
  if (context instanceof ExprContext) return buildConditional(builder, context);
  if (context instanceof DisjunctionContext) return buildTerms(builder, '_||_', context);
  if (context instanceof ConjunctionContext) return buildTerms(builder, '_&&_', context);
  if (context instanceof RelationContext) return buildRelation(builder, context);
  if (context instanceof CalcContext) return buildCalc(builder, context);
  if (context instanceof UnaryContext) return buildUnary(builder, context);
  if (context instanceof MemberContext) return buildMember(builder, context);
  return builder.missing();
}

function buildConditional(builder: Builder, context: ExprContext): Expr {
  const condition = builder.build(context._condition);
  if (!context._question) return condition;
  const id = builder.nodes.id(context._question.start);
  return call(id, '_?_:_', condition, builder.build(context._truthy), builder.build(context._falsy));
}

/** `a || b || c …` becomes a balanced tree, so that long chains do not nest deeply. */
function buildTerms(builder: Builder, name: string, context: DisjunctionContext | ConjunctionContext): Expr {
  const [first, ...rest] = context._terms;
  const terms = [builder.build(first)];
  const ids: number[] = [];
  for (const [index, term] of rest.entries()) {
    const operator = context._operators[index];
    if (operator === undefined) return builder.missing();
    ids.push(builder.nodes.id(operator.start));
    terms.push(builder.build(term));
  }
  return balanceTerms(name, terms, ids);
}

function balanceTerms(name: string, terms: readonly Expr[], ids: readonly number[]): Expr {
  const [only] = terms;
  if (terms.length === 1 && only !== undefined) return only;
  const middle = Math.floor((ids.length - 1 + 1) / 2);
  const id = ids[middle] ?? 0;
  const left = balanceTerms(name, terms.slice(0, middle + 1), ids.slice(0, middle));
  const right = balanceTerms(name, terms.slice(middle + 1), ids.slice(middle + 1));
  return call(id, name, left, right);
}

const operators: Readonly<Record<string, string>> = {
  '<': '_<_',
  '<=': '_<=_',
  '>=': '_>=_',
  '>': '_>_',
  '==': '_==_',
  '!=': '_!=_',
  in: '@in',
  '*': '_*_',
  '/': '_/_',
  '%': '_%_',
  '+': '_+_',
  '-': '_-_',
};

function buildRelation(builder: Builder, context: RelationContext): Expr {
  const single = context.calc();
  if (single !== null) return builder.build(single);
  return buildBinary(builder, context._operator, [context.relation(0), context.relation(1)]);
}

function buildCalc(builder: Builder, context: CalcContext): Expr {
  const single = context.unary();
  if (single !== null) return builder.build(single);
  return buildBinary(builder, context._operator, [context.calc(0), context.calc(1)]);
}

type Sides = readonly [ParserRuleContext | null, ParserRuleContext | null];

function buildBinary(builder: Builder, token: Token | null | undefined, [lhs, rhs]: Sides): Expr {
  const name = operators[token?.text ?? ''];
  if (!token || name === undefined) return builder.missing();
  const left = builder.build(lhs);
  const id = builder.nodes.id(token.start);
  return call(id, name, left, builder.build(rhs));
}

function buildUnary(builder: Builder, context: UnaryContext): Expr {
  if (context instanceof PlainContext) return builder.build(context.member());
  if (context instanceof LogicalNotContext) return buildPrefix(builder, '!_', context);
  if (context instanceof NegateContext) return buildPrefix(builder, '-_', context);
  return constant(builder.nodes.id(context.start?.start ?? 0), { type: 'string', value: '<<error>>' });
}

/** An even number of `!` or `-` cancels out. */
function buildPrefix(builder: Builder, name: string, context: LogicalNotContext | NegateContext): Expr {
  const [first] = context._operators;
  if (first === undefined || context._operators.length % 2 === 0) return builder.build(context.member());
  const id = builder.nodes.id(first.start);
  return call(id, name, builder.build(context.member()));
}

/** A copy of the expression with every id replaced by `renew`. */
function copyExpr(expr: Expr, renew: (id: number) => number): Expr {
  const copy = (child: Expr): Expr => copyExpr(child, renew);
  const id = renew(expr.id);
  switch (expr.type) {
    case 'constant':
    case 'ident':
    case 'unspecified':
      return { ...expr, id };
    case 'select':
      return { ...expr, id, operand: copy(expr.operand) };
    case 'call':
      return {
        ...expr,
        id,
        target: expr.target === undefined ? undefined : copy(expr.target),
        args: expr.args.map(copy),
      };
    case 'list':
      return { ...expr, id, elements: expr.elements.map(copy) };
    case 'map':
      return {
        ...expr,
        id,
        entries: expr.entries.map((entry) => ({
          ...entry,
          id: renew(entry.id),
          key: copy(entry.key),
          value: copy(entry.value),
        })),
      };
    case 'struct':
      return {
        ...expr,
        id,
        entries: expr.entries.map((entry) => ({ ...entry, id: renew(entry.id), value: copy(entry.value) })),
      };
    case 'comprehension':
      return {
        ...expr,
        id,
        range: copy(expr.range),
        init: copy(expr.init),
        condition: copy(expr.condition),
        step: copy(expr.step),
        result: copy(expr.result),
      };
  }
}
