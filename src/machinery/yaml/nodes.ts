import { deepestNesting } from '../json/json-walk.ts';
import { YamlFault } from './cursor.ts';
import type { YamlEvent } from './events.ts';

/** A part of a YAML document, its aliases not followed yet. */
export type YamlNode = YamlScalar | YamlCollection | YamlAlias;

export interface YamlScalar {
  readonly type: 'scalar';
  readonly value: string;
  /** Without quotes: what it looks like says what it is. */
  readonly isPlain: boolean;
  readonly tag: string;
  readonly line: number;
}

export interface YamlCollection {
  readonly type: 'list' | 'map';
  /** Of a mapping: a key, its value, the next key … */
  readonly children: YamlNode[];
  readonly line: number;
}

export interface YamlAlias {
  readonly type: 'alias';
  readonly name: string;
  readonly target: YamlScalar | YamlCollection;
  readonly line: number;
}

/** Puts events together to a node; undefined while it is not complete. */
export interface NodeBuilder {
  readonly add: (event: YamlEvent) => YamlNode | undefined;
}

/** Follows goyaml.v2 decode.go, type parser, without its recursion. */
export function createNodeBuilder(): NodeBuilder {
  const open: YamlCollection[] = [];
  const anchors = new Map<string, YamlScalar | YamlCollection>();
  const finished = (node: YamlNode): YamlNode | undefined => {
    const parent = open.at(-1);
    parent?.children.push(node);
    return parent ? undefined : node;
  };
  const anchored = <T extends YamlScalar | YamlCollection>(node: T, anchor: string): T => {
    if (anchor !== '') anchors.set(anchor, node);
    return node;
  };
  return {
    add: (event) => {
      switch (event.type) {
        case 'alias': {
          const target = anchors.get(event.name);
          if (!target) throw new YamlFault(`unknown anchor '${event.name}' referenced`);
          return finished({ type: 'alias', name: event.name, target, line: event.line });
        }
        case 'scalar': {
          const { value, isPlain, tag, line, anchor } = event;
          return finished(anchored({ type: 'scalar', value, isPlain, tag, line }, anchor));
        }
        case 'list':
        case 'map':
          if (open.length === deepestNesting) throw new YamlFault(`exceeded max depth of ${deepestNesting}`);
          open.push(anchored({ type: event.type, children: [], line: event.line }, event.anchor));
          return undefined;
        case 'end': {
          const node = open.pop();
          return node && finished(node);
        }
      }
    },
  };
}
