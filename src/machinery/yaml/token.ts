import type { YamlFault } from './cursor.ts';
import type { Directive, Tag } from './scan-tag.ts';

export type Token = { readonly line: number } & (
  | { readonly type: SimpleToken }
  | { readonly type: 'anchor' | 'alias'; readonly name: string }
  | { readonly type: 'tag'; readonly tag: Tag }
  | { readonly type: 'directive'; readonly directive: Directive }
  | { readonly type: 'scalar'; readonly value: string; readonly isPlain: boolean }
  /** What could not be read here. */
  | { readonly type: 'fault'; readonly fault: YamlFault }
);

export type SimpleToken =
  | ('list-start' | 'map-start' | 'block-end' | 'entry' | 'key' | 'value')
  | ('[' | ']' | '{' | '}' | ',')
  | ('document-start' | 'document-end' | 'stream-end');
