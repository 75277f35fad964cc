import { CharStream, CommonTokenStream, DefaultErrorStrategy } from 'antlr4ng';
import type { ANTLRErrorListener, Parser, ParseTreeListener } from 'antlr4ng';
import { CELLexer } from '../grammar/generated/CELLexer.ts';
import { CELParser } from '../grammar/generated/CELParser.ts';
import type { StartContext } from '../grammar/generated/CELParser.ts';
import { ParserGaveUp, recursionLimit, tooDeeplyNested } from './parser-gave-up.ts';
import type { Issues } from './issues.ts';

const recoveryLimit = 30;
const reportLimit = 100;

/**
 * Runs the generated parser. Syntax errors go to `issues`. It gives up at 250 levels of nesting, 30 recoveries or 100
 * errors. Follows cel-go parser/parser.go.
 */
export function parseTree(text: string, issues: Issues): StartContext {
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
