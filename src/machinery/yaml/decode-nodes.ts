import { setOwn } from '../json/json.ts';
import type { JsonDocument } from '../json/json.ts';
import { YamlFault } from './cursor.ts';
import { jsonScalar, mapKey } from './map-key.ts';
import type { MapKey } from './map-key.ts';
import type { YamlAlias, YamlCollection, YamlNode } from './nodes.ts';
import { resolveScalar } from './resolve-scalar.ts';
import { standardTag } from './tag-handles.ts';

/** Decodes nodes, one for each `step`, until `result` is there. It throws a YamlFault. */
export interface Decoding {
  readonly step: () => void;
  readonly result: () => JsonDocument | undefined;
  /** Go's complaints of keys given twice, the last of which holds: `line 4: key "a" already set in map`. */
  readonly duplicates: readonly string[];
  /** How many there are so far, as their JSON would have them: what aliases stand for counts each time. */
  readonly values: () => number;
}

/** A collection or an alias that is not done, and where its value goes. */
type Frame = ListFrame | MapFrame | MergeFrame | AliasFrame;

interface ListFrame {
  readonly type: 'list';
  readonly node: YamlCollection;
  readonly values: JsonDocument[];
  readonly put: Put;
  next: number;
}

interface MapFrame {
  readonly type: 'map';
  readonly node: YamlCollection;
  readonly fields: Fields;
  readonly put: Put;
  next: number;
}

/** `<<: [*a, *b]`: what is left of the list; earlier ones win, so they come last. */
interface MergeFrame {
  readonly type: 'merge';
  readonly left: YamlNode[];
  readonly fields: Fields;
}

interface AliasFrame {
  readonly type: 'alias';
  readonly node: YamlAlias;
}

interface Fields {
  readonly object: { [field: string]: JsonDocument };
  /** Those of the object, in its order. */
  readonly names: string[];
  /** By Go's notation, which tells 1 from "1". */
  readonly seen: Set<string>;
}

type Put = (value: JsonDocument) => void;

interface State {
  readonly frames: Frame[];
  readonly followed: Set<YamlAlias>;
  readonly duplicates: string[];
  decoded: number;
  throughAliases: number;
  values: number;
}

/**
 * Follows goyaml.v2 decode.go without its recursion: how much aliases may multiply, merge keys, keys given twice; and
 * sigs.k8s.io/yaml yaml.go for keys that are no strings.
 */
export function decodeNodes(root: YamlNode): Decoding {
  const state: State = { frames: [], followed: new Set(), duplicates: [], decoded: 1, throughAliases: 0, values: 0 };
  let result: JsonDocument | undefined;
  enter(state, root, (value) => (result = value));
  return {
    step: () => step(state),
    result: () => (state.frames.length === 0 ? result : undefined),
    duplicates: state.duplicates,
    values: () => state.values,
  };
}

function step(state: State): void {
  const frame = state.frames.at(-1);
  switch (frame?.type) {
    case undefined:
      return undefined;
    case 'list':
      return stepList(state, frame);
    case 'map':
      return stepMap(state, frame);
    case 'merge': {
      const node = frame.left.pop();
      return node ? enter(state, node, ignore, frame.fields) : leave(state);
    }
    case 'alias':
      state.followed.delete(frame.node);
      return leave(state);
  }
}

const leave = ({ frames }: State): void => void frames.pop();

const ignore: Put = () => undefined;

function stepList(state: State, frame: ListFrame): void {
  const child = frame.node.children[frame.next];
  frame.next += 1;
  if (child) return enter(state, child, (value) => frame.values.push(value));
  leave(state);
  frame.put(frame.values);
}

function stepMap(state: State, frame: MapFrame): void {
  const { node, fields, next } = frame;
  const key = node.children[next];
  const value = node.children[next + 1];
  frame.next += 2;
  if (!key || !value) {
    leave(state);
    return frame.put(fields.object);
  }
  if (isMerge(key)) return merge(state, value, fields);
  const { text, go } = readKey(state, key, value);
  if (fields.seen.has(go)) state.duplicates.push(`line ${value.line + 1}: key ${go} already set in map`);
  fields.seen.add(go);
  enter(state, value, (decoded) => {
    if (!Object.hasOwn(fields.object, text)) fields.names.push(text);
    setOwn(fields.object, text, decoded);
  });
}

function readKey(state: State, key: YamlNode, value: YamlNode): MapKey {
  count(state);
  if (key.type === 'alias') count(state);
  return mapKey(key.type === 'alias' ? key.target : key, value);
}

const isMerge = (node: YamlNode): boolean =>
  node.type === 'scalar' &&
  node.value === '<<' &&
  ((node.isPlain && node.tag === '') || node.tag === `${standardTag}merge`);

function merge(state: State, value: YamlNode, fields: Fields): void {
  const all = value.type === 'list' ? value.children : [value];
  if (!all.every(isMapping)) throw new YamlFault('map merge requires map or sequence of maps as the value');
  state.frames.push({ type: 'merge', left: [...all], fields });
}

const isMapping = (node: YamlNode): boolean => (node.type === 'alias' ? node.target : node).type === 'map';

/** Begins with a node; a scalar is done at once. */
function enter(state: State, node: YamlNode, put: Put, into?: Fields): void {
  count(state);
  if (node.type !== 'alias') state.values += 1;
  switch (node.type) {
    case 'scalar':
      return put(jsonScalar(resolveScalar(node)));
    case 'alias': {
      if (state.followed.has(node)) throw new YamlFault(`anchor '${node.name}' value contains itself`);
      state.followed.add(node);
      state.frames.push({ type: 'alias', node });
      return enter(state, node.target, put, into);
    }
    case 'list':
      state.frames.push({ type: 'list', node, values: [], put, next: 0 });
      return undefined;
    case 'map':
      state.frames.push({
        type: 'map',
        node,
        fields: into ?? { object: {}, names: [], seen: new Set() },
        put,
        next: 0,
      });
  }
}

/** Nodes may be read again through aliases, but not too often. */
function count(state: State): void {
  state.decoded += 1;
  if (state.followed.size > 0) state.throughAliases += 1;
  const { decoded, throughAliases } = state;
  if (throughAliases > 100 && decoded > 1000 && throughAliases / decoded > allowedRatio(decoded))
    throw new YamlFault('document contains excessive aliasing');
}

const ratioFalls = { from: 400_000, to: 4_000_000 } as const;

/** 99 % of a small document may come from aliases, 10 % of a large one. */
function allowedRatio(decoded: number): number {
  const { from, to } = ratioFalls;
  return 0.99 - 0.89 * Math.min(1, Math.max(0, (decoded - from) / (to - from)));
}
