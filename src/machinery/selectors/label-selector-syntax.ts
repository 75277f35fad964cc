import type { Requirement, SelectorOperator } from './label-requirement.ts';

/** The requirements before the first syntax error. */
export interface SelectorSyntax {
  /** As written: keys and values are not validated. */
  readonly requirements: readonly Requirement[];
  /** The key before the syntax error, if any: errors of the key are reported first. */
  readonly lastKey: string | undefined;
  /** '' for a valid selector. */
  readonly problem: string;
}

/** Follows apimachinery pkg/labels/selector.go Parser. */
export function parseSelectorSyntax(text: string): SelectorSyntax {
  const tokens = tokenize(text);
  const requirements: Requirement[] = [];
  const wrong = (problem: string, lastKey?: string): SelectorSyntax => ({ requirements, lastKey, problem });
  for (;;) {
    const first = tokens.peek();
    if (first.type === 'end') return wrong('');
    if (first.type !== 'identifier' && first.type !== '!') {
      return wrong(`found '${first.text}', expected: !, identifier, or 'end of string'`);
    }
    const read = parseRequirement(tokens);
    if ('error' in read) return wrong(`unable to parse requirement: ${read.error}`, read.key);
    requirements.push(read);
    const problem = afterRequirement(tokens);
    if (problem !== '') return wrong(problem);
  }
}

function afterRequirement(tokens: Tokens): string {
  const separator = tokens.peek();
  if (separator.type === 'end') return '';
  tokens.take();
  if (separator.type !== ',') return `found '${separator.text}', expected: ',' or 'end of string'`;
  const next = tokens.peek();
  if (next.type === 'identifier' || next.type === '!') return '';
  return `found '${next.text}', expected: identifier after ','`;
}

type RequirementReading = Requirement | { readonly error: string; readonly key?: string };

function parseRequirement(tokens: Tokens): RequirementReading {
  let token = tokens.take();
  const isNegated = token.type === '!';
  if (isNegated) token = tokens.take();
  if (token.type !== 'identifier') return { error: `found '${token.text}', expected: identifier` };
  const key = token.text;
  const next = tokens.peek().type;
  if (isNegated) return { key, operator: '!', values: [] };
  if (next === 'end' || next === ',') return { key, operator: 'exists', values: [] };
  return parseComparison(key, tokens);
}

function parseComparison(key: string, tokens: Tokens): RequirementReading {
  const token = tokens.operator();
  const operator = binaryOperators[token.type];
  if (operator === undefined) return { key, error: `found '${token.text}', expected: in, notin, =, ==, !=, gt, lt` };
  const isSet = operator === 'in' || operator === 'notin';
  const values = isSet ? parseValues(tokens) : parseExactValue(tokens);
  return typeof values === 'string' ? { key, error: values } : { key, operator, values };
}

const binaryOperators: Readonly<Partial<Record<TokenType, SelectorOperator>>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

function parseExactValue(tokens: Tokens): readonly string[] | string {
  const next = tokens.peek();
  if (next.type === 'end' || next.type === ',') return [''];
  tokens.take();
  return next.type === 'identifier' ? [next.text] : `found '${next.text}', expected: identifier`;
}

function parseValues(tokens: Tokens): readonly string[] | string {
  const open = tokens.take();
  if (open.type !== '(') return `found '${open.text}' expected: '('`;
  const first = tokens.peek();
  if (first.type === ')') {
    tokens.take();
    return [''];
  }
  if (first.type !== 'identifier' && first.type !== ',') {
    return `found '${first.text}', expected: ',', ')' or identifier`;
  }
  const values = parseIdentifiers(tokens);
  if (typeof values !== 'string') tokens.take();
  return values;
}

/** Everything up to the closing parenthesis; `(,a,,)` has empty values in it. */
function parseIdentifiers(tokens: Tokens): readonly string[] | string {
  const values: string[] = [];
  for (;;) {
    const token = tokens.take();
    const next = tokens.peek();
    if (token.type === 'identifier') {
      values.push(token.text);
      if (next.type === ')') return values;
      if (next.type !== ',') return `found '${next.text}', expected: ',' or ')'`;
    } else if (token.type === ',') {
      if (values.length === 0 || next.type === ')' || next.type === ',') values.push('');
      if (next.type === ')') return values;
      if (next.type === ',') tokens.take();
    } else {
      return `found '${token.text}', expected: ',', or identifier`;
    }
  }
}

/** `in` and `notin` are identifiers at the position of a key or value; `operator` reads them as operators. */
interface Tokens {
  readonly peek: () => Token;
  readonly take: () => Token;
  readonly operator: () => Token;
}

type TokenType = 'end' | 'identifier' | ')' | ',' | '!' | '==' | '=' | '>' | '<' | '!=' | '(' | 'in' | 'notin';

interface Token {
  readonly type: TokenType;
  readonly text: string;
}

/** The words of a selector, with an endless supply of `end` behind them. Follows apimachinery pkg/labels/selector.go Lexer. */
function tokenize(text: string): Tokens {
  const rest = scan(text);
  const next = (): Token => rest.next().value ?? endToken;
  let first = next();
  const operator = (): Token => {
    const taken = first;
    first = next();
    return taken;
  };
  return { peek: () => asIdentifier(first), take: () => asIdentifier(operator()), operator };
}

const endToken: Token = { type: 'end', text: '' };

const asIdentifier = (token: Token): Token =>
  token.type === 'in' || token.type === 'notin' ? { type: 'identifier', text: token.text } : token;

function* scan(text: string): Generator<Token, undefined> {
  for (const [word] of text.matchAll(/[=!(),><]+|[^=!(),><\s]+/g)) {
    if (/^[=!(),><]/.test(word)) yield* scanSymbols(word);
    else yield { type: word === 'in' || word === 'notin' ? word : 'identifier', text: word };
  }
  return undefined;
}

const symbols: readonly TokenType[] = ['==', '!=', ')', ',', '!', '=', '>', '<', '('];

/** Takes the longest symbol first, so `!==` is `!=` and `=`. */
function* scanSymbols(word: string): Generator<Token, void> {
  for (let rest = word; rest !== '';) {
    const symbol = symbols.find((candidate) => rest.startsWith(candidate)) ?? '(';
    yield { type: symbol, text: symbol };
    rest = rest.slice(symbol.length);
  }
}
