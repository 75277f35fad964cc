/** `in` and `notin` are identifiers wherever a key or value may stand; `operator` reads them as what they are. */
export interface Tokens {
  readonly peek: () => Token;
  readonly take: () => Token;
  readonly operator: () => Token;
}

export type TokenType = 'end' | 'identifier' | ')' | ',' | '!' | '==' | '=' | '>' | '<' | '!=' | '(' | 'in' | 'notin';

export interface Token {
  readonly type: TokenType;
  readonly text: string;
}

/** The words of a selector, with an endless supply of `end` behind them. Follows apimachinery pkg/labels/selector.go Lexer. */
export function tokenize(text: string): Tokens {
  const tokens = [...scan(text)];
  let position = 0;
  const at = (index: number): Token => tokens[Math.min(index, tokens.length - 1)] ?? { type: 'end', text: '' };
  const asName = (token: Token): Token =>
    token.type === 'in' || token.type === 'notin' ? { type: 'identifier', text: token.text } : token;
  const operator = (): Token => {
    position += 1;
    return at(position - 1);
  };
  return { peek: () => asName(at(position)), take: () => asName(operator()), operator };
}

function* scan(text: string): Generator<Token> {
  for (const [word] of text.matchAll(/[=!(),><]+|[^=!(),><\s]+/g)) {
    if (/^[=!(),><]/.test(word)) yield* scanSymbols(word);
    else yield { type: word === 'in' || word === 'notin' ? word : 'identifier', text: word };
  }
  yield { type: 'end', text: '' };
}

const symbols: readonly TokenType[] = ['==', '!=', ')', ',', '!', '=', '>', '<', '('];

/** Takes the longest symbol first, so `!==` is `!=` and `=`. */
function* scanSymbols(word: string): Generator<Token> {
  for (let rest = word; rest !== '';) {
    const symbol = symbols.find((candidate) => rest.startsWith(candidate)) ?? '(';
    yield { type: symbol, text: symbol };
    rest = rest.slice(symbol.length);
  }
}
