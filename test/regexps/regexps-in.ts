import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Argument, type Expression, parseSync, Visitor } from 'oxc-parser';

/** A regular expression in a source file, a literal or a `new RegExp`. */
export interface FoundRegexp {
  /** `src/…` and the line. */
  readonly place: string;
  readonly file: string;
  /** Its source text. */
  readonly code: string;
  /** With an `x` for each part that is only known at run time. */
  readonly source: string;
  readonly flags: string;
  readonly isKnown: boolean;
}

const root = new URL('../..', import.meta.url).pathname;

/** Every regular expression of `src/`. */
export function regexpsOfSources(): readonly FoundRegexp[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .toSorted()
    .flatMap((file) => regexpsIn(`src/${file}`, readFileSync(join(root, 'src', file), 'utf8')));
}

export function regexpsIn(file: string, text: string): readonly FoundRegexp[] {
  const { program } = parseSync(file, text);
  const found: FoundRegexp[] = [];
  const constants = new Map<string, Expression>();
  const add = (node: { readonly start: number; readonly end: number }, source: string, rest: Rest): void => {
    const line = text.slice(0, node.start).split('\n').length;
    found.push({ place: `${file}:${line}`, file, code: text.slice(node.start, node.end), source, ...rest });
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null) constants.set(id.name, init);
    },
  }).visit(program);
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) add(node, node.regex.pattern, { flags: node.regex.flags, isKnown: true });
    },
    NewExpression: (node) => {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
      const [source, flags] = node.arguments.map((argument) => textOf(argument, constants));
      const isKnown = source?.isKnown !== false && flags?.isKnown !== false;
      add(node, source?.text ?? '', { flags: flags?.isKnown === true ? flags.text : '', isKnown });
    },
  }).visit(program);
  return found;
}

type Rest = Pick<FoundRegexp, 'flags' | 'isKnown'>;

interface Text {
  readonly text: string;
  readonly isKnown: boolean;
}

/** The value of an expression, as far as its file determines it. */
function textOf(expression: Argument, constants: ReadonlyMap<string, Expression>): Text {
  if (expression.type === 'Literal') {
    return { text: 'regex' in expression ? expression.regex.pattern : String(expression.value), isKnown: true };
  }
  if (expression.type === 'TemplateLiteral') {
    const texts = expression.quasis.map(({ value }) => value.cooked ?? '');
    return joined(texts, expression.expressions, constants);
  }
  if (expression.type === 'TaggedTemplateExpression') {
    const { quasis, expressions } = expression.quasi;
    return joined(
      quasis.map(({ value }) => value.raw),
      expressions,
      constants,
    );
  }
  if (expression.type === 'BinaryExpression' && expression.operator === '+') {
    return together([textOf(expression.left, constants), textOf(expression.right, constants)]);
  }
  if (
    expression.type === 'MemberExpression' &&
    'name' in expression.property &&
    expression.property.name === 'source'
  ) {
    return textOf(expression.object, constants);
  }
  const init = expression.type === 'Identifier' ? constants.get(expression.name) : undefined;
  return init === undefined ? { text: 'x', isKnown: false } : textOf(init, constants);
}

const joined = (
  texts: readonly string[],
  expressions: readonly Expression[],
  constants: ReadonlyMap<string, Expression>,
): Text =>
  together(
    texts.flatMap((text, at) => {
      const next = expressions[at];
      return [{ text, isKnown: true }, ...(next ? [textOf(next, constants)] : [])];
    }),
  );

const together = (parts: readonly Text[]): Text => ({
  text: parts.map(({ text }) => text).join(''),
  isKnown: parts.every(({ isKnown }) => isKnown),
});
