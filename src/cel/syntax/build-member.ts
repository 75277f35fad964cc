import type { ParserRuleContext, Token } from 'antlr4ng';
import {
  ConstantContext,
  CreateListContext,
  CreateMapContext,
  CreateStructContext,
  EscapedFieldContext,
  type ExpressionsContext,
  type FieldNameContext,
  GlobalCallContext,
  IdentifierContext,
  IndexContext,
  MemberCallContext,
  type MemberContext,
  MemberPrimaryContext,
  NestedContext,
  PlainFieldContext,
  type PrimaryContext,
  SelectContext,
} from '../grammar/generated/CELParser.ts';
import type { Expr, FieldEntry, MapEntryExpr } from './ast.ts';
import { call, constant, ident, list, mapExpr, type NodeFactory, select, struct, unspecified } from './node-factory.ts';
import { parseLiteral } from './unescape.ts';

/** State that the builders of the tree's parts share. */
export interface Builder {
  readonly nodes: NodeFactory;
  readonly build: (context: ParserRuleContext | null | undefined) => Expr;
  /** Complains about an offset. */
  readonly fail: (offset: number, message: string) => Expr;
  /** A hole left by a syntax error. */
  readonly missing: () => Expr;
  /** A call, or the expansion of the macro of that name. */
  readonly call: (id: number, name: string, target: Expr | undefined, args: readonly Expr[]) => Expr;
}

/** `a.b`, `a.b()`, `a[b]` and primary expressions. Follows cel-go parser/parser.go. */
export function buildMember(builder: Builder, context: MemberContext): Expr {
  if (context instanceof MemberPrimaryContext) return buildPrimary(builder, context.primary());
  if (context instanceof SelectContext) return buildSelect(builder, context);
  if (context instanceof MemberCallContext) return buildMemberCall(builder, context);
  if (context instanceof IndexContext) return buildIndex(builder, context);
  return builder.missing();
}

const startOffset = (context: ParserRuleContext): number => context.start?.start ?? 0;

function buildSelect(builder: Builder, context: SelectContext): Expr {
  const operand = builder.build(context.member());
  if (!context._field || !context._operator) return unspecified(builder.nodes.id(startOffset(context)));
  const field = fieldName(builder, context._field);
  const id = builder.nodes.id(context._operator.start);
  if (!context._optional) return select(id, operand, field);
  const name = constant(builder.nodes.id(startOffset(context._field)), { type: 'string', value: field });
  return call(id, '_?._', operand, name);
}

/** Kubernetes does not enable escaped field names. */
function fieldName(builder: Builder, context: FieldNameContext): string {
  if (context instanceof PlainFieldContext) return context._name?.text ?? '';
  if (context instanceof EscapedFieldContext) builder.fail(startOffset(context), "unsupported syntax: '`'");
  return '';
}

function buildMemberCall(builder: Builder, context: MemberCallContext): Expr {
  const operand = builder.build(context.member());
  if (!context._open || !context._name) return unspecified(builder.nodes.id(startOffset(context)));
  const id = builder.nodes.id(context._open.start);
  return builder.call(id, context._name.text ?? '', operand, buildArguments(builder, context._arguments));
}

const buildArguments = (builder: Builder, context: ExpressionsContext | undefined): readonly Expr[] =>
  (context?._items ?? []).map(builder.build);

function buildIndex(builder: Builder, context: IndexContext): Expr {
  const operand = builder.build(context.member());
  if (!context._operator || !context._key) return unspecified(builder.nodes.id(startOffset(context)));
  const id = builder.nodes.id(context._operator.start);
  return call(id, context._optional ? '_[?_]' : '_[_]', operand, builder.build(context._key));
}

function buildPrimary(builder: Builder, context: PrimaryContext | null): Expr {
  if (context instanceof NestedContext) return builder.build(context._inner);
  if (context instanceof IdentifierContext) return buildIdentifier(builder, context);
  if (context instanceof GlobalCallContext) return buildGlobalCall(builder, context);
  if (context instanceof CreateListContext) return buildList(builder, context);
  if (context instanceof CreateMapContext) return buildMap(builder, context);
  if (context instanceof CreateStructContext) return buildStruct(builder, context);
  if (context instanceof ConstantContext) return buildConstant(builder, context);
  return builder.missing();
}

const reserved: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);

function buildName(builder: Builder, context: IdentifierContext | GlobalCallContext): string | Expr {
  const name = context._name?.text;
  if (name === undefined) return unspecified(builder.nodes.id(startOffset(context)));
  if (reserved.has(name)) return builder.fail(startOffset(context), `reserved identifier: ${name}`);
  return context._leadingDot ? `.${name}` : name;
}

function buildIdentifier(builder: Builder, context: IdentifierContext): Expr {
  const name = buildName(builder, context);
  return typeof name === 'string' ? ident(builder.nodes.id(context._name?.start ?? 0), name) : name;
}

function buildGlobalCall(builder: Builder, context: GlobalCallContext): Expr {
  const name = buildName(builder, context);
  if (typeof name !== 'string') return name;
  const id = builder.nodes.id(context._operator?.start ?? startOffset(context));
  return builder.call(id, name, undefined, buildArguments(builder, context._arguments));
}

function buildConstant(builder: Builder, context: ConstantContext): Expr {
  const literal = context.literal();
  if (literal === null) return builder.missing();
  const value = parseLiteral(literal);
  if (typeof value === 'string') return builder.fail(startOffset(literal), value);
  return constant(builder.nodes.id(startOffset(literal)), value);
}

const openingId = (builder: Builder, token: Token | null | undefined): number => builder.nodes.id(token?.start ?? 0);

function buildList(builder: Builder, context: CreateListContext): Expr {
  const id = openingId(builder, context._operator);
  const items = context._elements?._items ?? [];
  const optional = items.flatMap((item, index) => (item._optional ? [index] : []));
  const elements = items.map((item) => builder.build(item._item));
  return list(id, elements, optional);
}

function buildMap(builder: Builder, context: CreateMapContext): Expr {
  const id = openingId(builder, context._operator);
  const { _keys: keys = [], _colons: colons = [], _values: values = [] } = context._entries ?? {};
  const entries = colons.map((colon, index): MapEntryExpr => {
    const entryId = builder.nodes.id(colon.start);
    const key = builder.build(keys[index]?._item);
    return { id: entryId, key, value: builder.build(values[index]), optional: Boolean(keys[index]?._optional) };
  });
  return mapExpr(id, entries);
}

function buildStruct(builder: Builder, context: CreateStructContext): Expr {
  const name = context._names.map((part) => part.text).join('.');
  const id = openingId(builder, context._operator);
  const { _fields: fields = [], _colons: colons = [], _values: values = [] } = context._entries ?? {};
  const entries = colons.flatMap((colon, index): readonly FieldEntry[] => {
    const field = fields[index]?.fieldName();
    if (!field) return [];
    const entryId = builder.nodes.id(colon.start);
    const fieldText = fieldName(builder, field);
    return [
      {
        id: entryId,
        field: fieldText,
        value: builder.build(values[index]),
        optional: Boolean(fields[index]?._optional),
      },
    ];
  });
  return struct(id, context._leadingDot ? `.${name}` : name, entries);
}
