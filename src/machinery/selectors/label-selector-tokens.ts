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
  const rest = scan(text);
  const next = (): Token => rest.next().value ?? end;
  let first = next();
  const operator = (): Token => {
    const taken = first;
    first = next();
    return taken;
  };
  return { peek: () => asName(first), take: () => asName(operator()), operator };
}

const end: Token = { type: 'end', text: '' };

const asName = (token: Token): Token =>
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
