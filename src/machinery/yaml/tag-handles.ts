import { faultAt } from './cursor.ts';
import type { Directive, Tag } from './scan-tag.ts';

/** What the handles of tags stand for in a document. */
export interface TagHandles {
  readonly read: (directive: Directive, line: number) => void;
  readonly expand: (tag: Tag, line: number) => string;
}

/** What `!!` stands for. */
export const standardTag = 'tag:yaml.org,2002:';

/** Follows goyaml.v2 parserc.go yaml_parser_process_directives. */
export function createTagHandles(): TagHandles {
  const prefixes = new Map<string, string>();
  let hasVersion = false;
  return {
    read: (directive, line) => {
      if (directive.type === 'version') {
        if (hasVersion) throw faultAt(line, 'found duplicate %YAML directive');
        if (directive.version !== '1.1') throw faultAt(line, 'found incompatible YAML document');
        hasVersion = true;
        return;
      }
      if (prefixes.has(directive.handle)) throw faultAt(line, 'found duplicate %TAG directive');
      prefixes.set(directive.handle, directive.prefix);
    },
    expand: ({ handle, suffix }, line) => {
      if (handle === '') return suffix;
      const prefix = prefixes.get(handle) ?? defaults[handle];
      if (prefix === undefined) throw faultAt(line, 'found undefined tag handle');
      return prefix + suffix;
    },
  };
}

const defaults: Readonly<Record<string, string>> = { '!': '!', '!!': standardTag };
