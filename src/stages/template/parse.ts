import { TemplateFault } from './fault.ts';
import { parsePipe } from './parse-pipe.ts';
import type { Known } from './parse-pipe.ts';
import { scan } from './scan.ts';
import type { Piece, Token } from './scan.ts';
import type { Branch, Node } from './tree.ts';

export type TemplateReading =
  | { readonly outcome: 'read'; readonly nodes: readonly Node[] }
  | { readonly outcome: 'wrong'; readonly error: string };

const deepest = 100;

/** A template of Go, without `define`, `template` and `block`. Follows go src/text/template/parse/parse.go. */
export function parseTemplate(source: string, isFunction: (name: string) => boolean): TemplateReading {
  try {
    const reader = createReader(scan(source.trim()));
    const { nodes, stop } = parseList(reader, { isFunction, variables: [], isInRange: false, depth: 0 });
    if (stop) throw new TemplateFault(`line ${stop.line}: unexpected {{${stop.word}}}`);
    return { outcome: 'read', nodes };
  } catch (error) {
    if (error instanceof TemplateFault) return { outcome: 'wrong', error: error.message };
    throw error;
  }
}

interface Reader {
  readonly next: () => Piece | undefined;
}

function createReader(pieces: readonly Piece[]): Reader {
  let at = 0;
  return { next: () => pieces[at++] };
}

interface Scope extends Known {
  readonly isInRange: boolean;
  readonly depth: number;
}

/** The `{{end}}` or `{{else …}}` that a list of nodes ended with. */
interface Stop {
  readonly word: 'end' | 'else';
  readonly rest: readonly Token[];
  readonly line: number;
}

interface List {
  readonly nodes: readonly Node[];
  readonly stop: Stop | undefined;
}

/** Variables made in a list are known to its end. */
function parseList(reader: Reader, outer: Scope): List {
  if (outer.depth > deepest) throw new TemplateFault(`there are more than ${deepest} levels`);
  const scope = { ...outer, variables: [...outer.variables] };
  const nodes: Node[] = [];
  for (let piece = reader.next(); piece; piece = reader.next()) {
    if (piece.type === 'text') nodes.push(piece);
    else {
      const [first, ...rest] = piece.tokens;
      const word = first?.type === 'word' ? first.text : '';
      if (word === 'end' || word === 'else') return { nodes, stop: { word, rest, line: piece.line } };
      nodes.push(parseAction(reader, scope, piece));
    }
  }
  return { nodes, stop: undefined };
}

type Action = Extract<Piece, { readonly type: 'action' }>;

function parseAction(reader: Reader, scope: Scope & { variables: string[] }, { tokens, line }: Action): Node {
  const [first, ...rest] = tokens;
  const word = first?.type === 'word' ? first.text : '';
  if (word === 'if' || word === 'range' || word === 'with') {
    return parseBranch(reader, scope, { type: word, tokens: rest, line });
  }
  if (word === 'break' || word === 'continue') {
    if (!scope.isInRange) throw new TemplateFault(`line ${line}: {{${word}}} outside {{range}}`);
    return { type: word };
  }
  if (unsupported.has(word)) {
    throw new TemplateFault(`line ${line}: {{${word}}} is not supported; write its content where it is needed`);
  }
  const pipe = parsePipe(tokens, scope, line);
  if (pipe.declares) scope.variables.push(...pipe.variables);
  return { type: 'print', pipe };
}

const unsupported: ReadonlySet<string> = new Set(['define', 'template', 'block']);

interface Opening {
  readonly type: Branch['type'];
  readonly tokens: readonly Token[];
  readonly line: number;
}

function parseBranch(reader: Reader, scope: Scope, { type, tokens, line }: Opening): Branch {
  const pipe = parsePipe(tokens, scope, line, type === 'range');
  const variables = [...scope.variables, ...(pipe.declares ? pipe.variables : [])];
  const inner = { ...scope, variables, depth: scope.depth + 1 };
  const { nodes, stop } = parseList(reader, { ...inner, isInRange: scope.isInRange || type === 'range' });
  if (!stop) throw new TemplateFault(`line ${line}: {{${type}}} has no {{end}}`);
  return { type, pipe, body: nodes, otherwise: stop.word === 'end' ? [] : parseElse(reader, inner, { type, stop }) };
}

/** `{{else}}`, or `{{else if …}}` and `{{else with …}}`, which end with the branch around them. */
function parseElse(
  reader: Reader,
  scope: Scope,
  { type, stop: { rest, line } }: { readonly type: Branch['type']; readonly stop: Stop },
): readonly Node[] {
  const [first, ...tokens] = rest;
  const chained = first?.text === 'if' || first?.text === 'with' ? first.text : undefined;
  if (chained && type !== 'range') return [parseBranch(reader, scope, { type: chained, tokens, line })];
  if (first) throw new TemplateFault(`line ${line}: unexpected ${JSON.stringify(first.text)} in {{else}}`);
  const { nodes, stop } = parseList(reader, scope);
  if (stop?.word !== 'end') throw new TemplateFault(`line ${line}: {{else}} has no {{end}}`);
  return nodes;
}
