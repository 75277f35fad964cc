import {
  type ANTLRErrorListener,
  CharStream,
  CommonTokenStream,
  DefaultErrorStrategy,
  type Parser,
  type ParseTreeListener,
} from 'antlr4ng';
import { storedVersion } from '../admission/admission-environment.ts';
import { createEnvironment } from '../check/environment.ts';
import { CELLexer } from '../grammar/generated/CELLexer.ts';
import { CELParser, type StartContext } from '../grammar/generated/CELParser.ts';
import { type Ast, type Expr, qualifiedName, walk } from './ast.ts';
import { buildAst } from './build-ast.ts';
import { codePointLength } from './code-points.ts';
import { createIssues, type Issue, type Issues, ParserGaveUp, recursionLimit, tooDeeplyNested } from './issues.ts';
import type { Expand } from './macro-fold.ts';
import { createSource, noLocation, type Source } from './source-text.ts';

export type Parsing =
  | { readonly outcome: 'parsed'; readonly ast: Ast }
  | { readonly outcome: 'invalid'; readonly issues: readonly Issue[] };

const sizeLimit = 100_000;

/** Text to expression, macros expanded. `macros` is by macroKey. Follows cel-go parser/parser.go. */
export function parse(source: Source, macros: ReadonlyMap<string, Expand>): Parsing {
  const issues = createIssues(source);
  const size = codePointLength(source.text);
  if (size > sizeLimit) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${sizeLimit}`;
    return { outcome: 'invalid', issues: [{ location: noLocation, message }] };
  }
  const ast = buildUnlessGivenUp(() => parseAst(source, macros, issues), issues);
  const parseIssues = issues.list();
  return ast === undefined || parseIssues.length > 0
    ? { outcome: 'invalid', issues: parseIssues }
    : { outcome: 'parsed', ast };
}

const parseAst = ({ text }: Source, macros: ReadonlyMap<string, Expand>, issues: Issues): Ast =>
  buildAst(parseTree(text, issues), macros, issues);

function buildUnlessGivenUp(build: () => Ast, issues: Issues): Ast | undefined {
  try {
    return build();
  } catch (error) {
    // The stack may overflow a few levels before the limit.
    const gaveUp = error instanceof RangeError ? new ParserGaveUp(tooDeeplyNested) : error;
    if (!(gaveUp instanceof ParserGaveUp)) throw error;
    if (gaveUp.message !== '') issues.at(noLocation, gaveUp.message);
    return undefined;
  }
}

const recoveryLimit = 30;
const reportLimit = 100;

/**
 * Runs the generated parser. Syntax errors go to `issues`. It gives up at 250 levels of nesting, 30 recoveries or 100
 * errors. Follows cel-go parser/parser.go.
 */
function parseTree(text: string, issues: Issues): StartContext {
  const listener = syntaxListener(text, issues);
  const lexer = new CELLexer(CharStream.fromString(text));
  lexer.removeErrorListeners();
  lexer.addErrorListener(listener);
  const parser = new CELParser(new CommonTokenStream(lexer));
  parser.removeErrorListeners();
  parser.addErrorListener(listener);
  parser.addParseListener(depthListener());
  parser.errorHandler = limitedRecovery();
  return parser.start();
}

function syntaxListener(text: string, issues: Issues): ANTLRErrorListener {
  let reports = 0;
  const ignore = (): void => {};
  return {
    // oxlint-disable-next-line max-params -- the parser's runtime decides
    syntaxError: (_recognizer, _token, line, column, message) => {
      reports += 1;
      if (reports > reportLimit) throw new ParserGaveUp(`More than ${reportLimit} syntax errors`);
      // Go's runtime counts the end of an empty text as one before its first column.
      issues.at({ line, column: text === '' ? -1 : column }, `Syntax error: ${message}`);
    },
    reportAmbiguity: ignore,
    reportAttemptingFullContext: ignore,
    reportContextSensitivity: ignore,
  };
}

function depthListener(): ParseTreeListener {
  const depths = new Map<number, number>();
  const move = (rule: number, by: number): void => {
    const depth = (depths.get(rule) ?? 0) + by;
    depths.set(rule, depth);
    if (depth > recursionLimit) throw new ParserGaveUp(tooDeeplyNested);
  };
  const ignore = (): void => {};
  return {
    enterEveryRule: (context) => move(context.ruleIndex, 1),
    exitEveryRule: (context) => move(context.ruleIndex, -1),
    visitTerminal: ignore,
    visitErrorNode: ignore,
  };
}

/** The default recovery, which stops after 30 attempts. */
function limitedRecovery(): DefaultErrorStrategy {
  const strategy = new DefaultErrorStrategy();
  const recover = strategy.recover.bind(strategy);
  const recoverInline = strategy.recoverInline.bind(strategy);
  let attempts = 0;
  const attempt = (parser: Parser): void => {
    if (attempts >= recoveryLimit) {
      attempts += 1;
      parser.notifyErrorListeners(
        `error recovery attempt limit exceeded: ${recoveryLimit}`,
        parser.getCurrentToken(),
        null,
      );
      throw new ParserGaveUp();
    }
    attempts += 1;
  };
  strategy.recover = (parser, error) => {
    attempt(parser);
    recover(parser, error);
  };
  strategy.recoverInline = (parser) => {
    attempt(parser);
    return recoverInline(parser);
  };
  return strategy;
}

/** The tree of an expression, macros expanded; undefined for one that cannot be parsed. Names and types are not checked. */
export function parseExpression(text: string): Expr | undefined {
  const { macros } = createEnvironment({ version: storedVersion, variables: new Map() });
  const parsing = parse(createSource(text), macros);
  return parsing.outcome === 'parsed' ? parsing.ast.root : undefined;
}

/** Whether the expression reads this name, such as `request.operation`; false for an expression that cannot be parsed. */
export const mentionsName = (expression: string, name: string): boolean =>
  someExpr(expression, (part) => qualifiedName(part) === name);

/** Whether the expression selects a field of this name from any value. */
export const selectsField = (expression: string, field: string): boolean =>
  someExpr(expression, (part) => part.type === 'select' && part.field === field);

function someExpr(expression: string, expected: (part: Expr) => boolean): boolean {
  const tree = parseExpression(expression);
  let isFound = false;
  if (tree !== undefined)
    walk(tree, (part) => {
      isFound ||= expected(part);
    });
  return isFound;
}
