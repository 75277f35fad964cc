import { faultAt } from './cursor.ts';
import type { Scanner } from './scanner.ts';
import { createTagHandles } from './tag-handles.ts';
import type { TagHandles } from './tag-handles.ts';
import type { Token } from './token.ts';

/** What a node of the document is known by. */
export interface NodeProperties {
  /** '' for none. */
  readonly anchor: string;
  /** The whole tag, '' for none. */
  readonly tag: string;
  readonly line: number;
}

export type YamlEvent =
  | ({ readonly type: 'scalar'; readonly value: string; readonly isPlain: boolean } & NodeProperties)
  | { readonly type: 'alias'; readonly name: string; readonly line: number }
  | ({ readonly type: 'list' | 'map' } & NodeProperties)
  | { readonly type: 'end' };

interface Events {
  readonly scanner: Scanner;
  readonly handles: TagHandles;
  readonly states: State[];
}

/** What comes next in one place of the grammar. */
type State = (events: Events) => YamlEvent;

/**
 * The events of the first document of a text, one for each call; undefined at its end. It throws a YamlFault.
 * Follows goyaml.v2 parserc.go, its grammar and the texts of its errors.
 */
export function createEvents(scanner: Scanner): () => YamlEvent | undefined {
  const handles = createTagHandles();
  const events: Events = { scanner, handles, states: [] };
  let hasBegun = false;
  return () => {
    if (!hasBegun) {
      hasBegun = true;
      if (!beginDocument(events)) return undefined;
    }
    const state = events.states.pop();
    if (state) return state(events);
    scanner.peek(); // Upstream looks for what follows the document.
    return undefined;
  };
}

/** Is there a document? Its first node is what comes next then. */
function beginDocument({ scanner, handles, states }: Events): boolean {
  const first = scanner.peek();
  if (first.type === 'stream-end') return false;
  const isExplicit = first.type === 'directive' || first.type === 'document-start';
  for (let token = scanner.peek(); token.type === 'directive'; token = scanner.peek()) {
    handles.read(token.directive, token.line);
    scanner.next();
  }
  const token = scanner.peek();
  if (isExplicit && token.type !== 'document-start')
    throw faultAt(token.line, 'did not find expected <document start>');
  if (isExplicit) scanner.next();
  const { type } = scanner.peek();
  const isEmpty = isExplicit && ['directive', 'document-start', 'document-end', 'stream-end'].includes(type);
  states.push(isEmpty ? ({ scanner: at }) => empty(at.peek().line) : blockNode);
  return true;
}

const empty = (line: number): YamlEvent => ({ type: 'scalar', value: '', isPlain: true, anchor: '', tag: '', line });

const end: YamlEvent = { type: 'end' };

const blockNode: State = (events) => readNode(events, { isBlock: true, mayBeIndentless: false });
const valueNode: State = (events) => readNode(events, { isBlock: true, mayBeIndentless: true });
const flowNode: State = (events) => readNode(events, { isBlock: false, mayBeIndentless: false });

interface Context {
  readonly isBlock: boolean;
  /** As the value of a key, a list may stand at the indentation of the key. */
  readonly mayBeIndentless: boolean;
}

function readNode(events: Events, context: Context): YamlEvent {
  const { scanner } = events;
  const first = scanner.peek();
  if (first.type === 'alias') {
    scanner.next();
    return { type: 'alias', name: first.name, line: first.line };
  }
  const properties = readProperties(events);
  const token = scanner.peek();
  if (token.type === 'scalar') {
    scanner.next();
    const isPlain = (properties.tag === '' && token.isPlain) || properties.tag === '!';
    return { type: 'scalar', value: token.value, ...properties, isPlain };
  }
  const collection = collectionAt(token, context);
  if (collection) {
    events.states.push(collection.state);
    if (collection.isOpened) scanner.next();
    return { type: collection.type, ...properties };
  }
  if (properties.anchor !== '' || properties.tag !== '')
    return { type: 'scalar', value: '', ...properties, isPlain: properties.tag === '' };
  throw faultAt(token.line, 'did not find expected node content');
}

interface Collection {
  readonly type: 'list' | 'map';
  readonly state: State;
  /** Has it a token of its own that begins it? */
  readonly isOpened: boolean;
}

function collectionAt({ type }: Token, { isBlock, mayBeIndentless }: Context): Collection | undefined {
  if (type === '[') return { type: 'list', state: firstFlowItem, isOpened: true };
  if (type === '{') return { type: 'map', state: firstFlowKey, isOpened: true };
  if (isBlock && type === 'list-start') return { type: 'list', state: blockItem, isOpened: true };
  if (isBlock && type === 'map-start') return { type: 'map', state: blockKey, isOpened: true };
  return mayBeIndentless && type === 'entry' ? { type: 'list', state: indentlessItem, isOpened: false } : undefined;
}

/** An anchor and a tag, in either order. */
function readProperties({ scanner, handles }: Events): NodeProperties {
  const { line } = scanner.peek();
  let anchor = readAnchorToken(scanner);
  const token = scanner.peek();
  let tag = '';
  if (token.type === 'tag') {
    tag = handles.expand(token.tag, token.line);
    scanner.next();
    if (anchor === '') anchor = readAnchorToken(scanner);
  }
  return { anchor, tag, line };
}

function readAnchorToken(scanner: Scanner): string {
  const token = scanner.peek();
  if (token.type !== 'anchor') return '';
  scanner.next();
  return token.name;
}

/** An empty value if one of `ends` comes, else a node; then `after`. */
function nodeUnless(events: Events, node: State, after: State, ends: readonly Token['type'][]): YamlEvent {
  const { type, line } = events.scanner.peek();
  events.states.push(after);
  return ends.includes(type) ? empty(line) : node(events);
}

/** Takes the token if it is of this type. */
function takes(scanner: Scanner, type: Token['type']): boolean {
  if (scanner.peek().type !== type) return false;
  scanner.next();
  return true;
}

const blockItem: State = (events) => {
  const { scanner } = events;
  if (takes(scanner, 'entry')) return nodeUnless(events, blockNode, blockItem, ['entry', 'block-end']);
  if (takes(scanner, 'block-end')) return end;
  throw faultAt(scanner.peek().line, "did not find expected '-' indicator");
};

const indentlessItem: State = (events) => {
  if (!takes(events.scanner, 'entry')) return end;
  return nodeUnless(events, blockNode, indentlessItem, ['entry', 'key', 'value', 'block-end']);
};

const blockKey: State = (events) => {
  const { scanner } = events;
  if (takes(scanner, 'key')) return nodeUnless(events, valueNode, blockValue, ['key', 'value', 'block-end']);
  if (takes(scanner, 'block-end')) return end;
  throw faultAt(scanner.peek().line, 'did not find expected key');
};

const blockValue: State = (events) => {
  if (takes(events.scanner, 'value')) return nodeUnless(events, valueNode, blockKey, ['key', 'value', 'block-end']);
  events.states.push(blockKey);
  return empty(events.scanner.peek().line);
};

const firstFlowItem: State = (events) => (takes(events.scanner, ']') ? end : flowItemHere(events));

const flowItem: State = (events) => {
  const { scanner } = events;
  if (takes(scanner, ']')) return end;
  if (!takes(scanner, ',')) throw faultAt(scanner.peek().line, "did not find expected ',' or ']'");
  return takes(scanner, ']') ? end : flowItemHere(events);
};

/** `a: b` without braces is a mapping of one key. */
function flowItemHere(events: Events): YamlEvent {
  const { scanner, states } = events;
  const { line } = scanner.peek();
  if (!takes(scanner, 'key')) return nodeUnless(events, flowNode, flowItem, []);
  states.push(flowItem, pairKey);
  return { type: 'map', anchor: '', tag: '', line };
}

const pairKey: State = (events) => {
  const { scanner, states } = events;
  const { type, line } = scanner.peek();
  if (type !== 'value' && type !== ',' && type !== ']') return nodeUnless(events, flowNode, pairValue, []);
  scanner.next(); // Upstream, too, loses the token here.
  states.push(pairValue);
  return empty(line);
};

const pairValue: State = (events) => {
  if (takes(events.scanner, 'value')) return nodeUnless(events, flowNode, pairEnd, [',', ']']);
  events.states.push(pairEnd);
  return empty(events.scanner.peek().line);
};

const pairEnd: State = () => end;

const firstFlowKey: State = (events) => (takes(events.scanner, '}') ? end : flowKeyHere(events));

const flowKey: State = (events) => {
  const { scanner } = events;
  if (takes(scanner, '}')) return end;
  if (!takes(scanner, ',')) throw faultAt(scanner.peek().line, "did not find expected ',' or '}'");
  return takes(scanner, '}') ? end : flowKeyHere(events);
};

function flowKeyHere(events: Events): YamlEvent {
  if (takes(events.scanner, 'key')) return nodeUnless(events, flowNode, flowValue, ['value', ',', '}']);
  return nodeUnless(events, flowNode, noValue, []);
}

const flowValue: State = (events) => {
  if (takes(events.scanner, 'value')) return nodeUnless(events, flowNode, flowKey, [',', '}']);
  return noValue(events);
};

const noValue: State = (events) => {
  events.states.push(flowKey);
  return empty(events.scanner.peek().line);
};
