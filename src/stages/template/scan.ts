import { TemplateFault } from './fault.ts';

export type TokenType = 'string' | 'number' | 'field' | 'dot' | 'variable' | 'word' | 'sign';

export interface Token {
  readonly type: TokenType;
  readonly text: string;
  /** Nothing stands between it and the token before. */
  readonly joined: boolean;
}

export type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly tokens: readonly Token[]; readonly line: number };

const comment = /\{\{(?:- )?\/\*[\s\S]*?\*\/(?:\s+-)?\}\}/y;
const space = /\s+/y;
const end = /(?:\s-)?\}\}/y;

const kinds: readonly (readonly [TokenType, RegExp])[] = [
  ['string', /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)+'/y],
  [
    'number',
    /[+-]?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_])/uy,
  ],
  ['field', /\.[\p{L}_][\p{L}\p{N}_]*/uy],
  ['dot', /\./y],
  ['variable', /\$[\p{L}\p{N}_]*/uy],
  ['word', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['sign', /:=|[=|(),]/y],
];

/**
 * The texts and actions of a template. `{{- ` and ` -}}` take the white space beside them away. Throws TemplateFault.
 * Follows go src/text/template/parse/lex.go.
 */
export function scan(source: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let trims = false;
  const text = (upTo: number): void => {
    const raw = source.slice(at, upTo);
    const left = trims ? raw.trimStart() : raw;
    const found = /^\{\{-\s/.test(source.slice(upTo, upTo + 4)) ? left.trimEnd() : left;
    if (found !== '') pieces.push({ type: 'text', text: found });
  };
  for (let open = source.indexOf('{{'); open >= 0; open = source.indexOf('{{', at)) {
    text(open);
    const skipped = match(comment, source, open);
    const line = source.slice(0, open).split('\n').length;
    const action = skipped === '' ? scanAction(source, open, line) : { tokens: undefined, end: open + skipped.length };
    if (action.tokens) pieces.push({ type: 'action', tokens: action.tokens, line });
    at = action.end;
    trims = source.slice(at - 3, at) === '-}}';
  }
  text(source.length);
  return pieces;
}

interface Action {
  readonly tokens: readonly Token[];
  readonly end: number;
}

function scanAction(source: string, open: number, line: number): Action {
  const tokens: Token[] = [];
  let at = open + (/^\{\{-\s/.test(source.slice(open, open + 4)) ? 3 : 2);
  let joined = false;
  for (;;) {
    const closing = match(end, source, at);
    if (closing !== '') return { tokens, end: at + closing.length };
    const gap = match(space, source, at);
    if (gap !== '') {
      // The white space before `-}}` belongs to it.
      at += source.startsWith('-}}', at + gap.length) ? gap.length - 1 : gap.length;
      joined = false;
      const closes = match(end, source, at);
      if (closes !== '') return { tokens, end: at + closes.length };
      continue;
    }
    const token = tokenAt(source, at, joined);
    if (!token)
      throw new TemplateFault(
        `line ${line}: ${at >= source.length ? 'unclosed action' : `unexpected ${JSON.stringify(source.charAt(at))} in an action`}`,
      );
    tokens.push(token);
    at += token.text.length;
    joined = true;
  }
}

function tokenAt(source: string, at: number, joined: boolean): Token | undefined {
  for (const [type, pattern] of kinds) {
    const text = match(pattern, source, at);
    if (text !== '') return { type, text, joined };
  }
  return undefined;
}

function match(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? '';
}
