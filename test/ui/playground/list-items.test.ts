import { expect, test } from 'vitest';
import { listItems } from '../../../src/ui/playground/list-items.ts';

test.each<[string, string, readonly string[]]>([
  ['nothing', '', []],
  ['one item', '- a\n', ['- a']],
  ['items with mappings', '- a: 1\n  b: 2\n- c: 3', ['- a: 1\n  b: 2', '- c: 3']],
  ['an indented list', '  - a\n  - b\n', ['- a', '- b']],
  ['a list within an item', '- a:\n  - b\n  - c\n- d', ['- a:\n  - b\n  - c', '- d']],
  ['a dash alone', '-\n  a: 1\n- b', ['-\n  a: 1', '- b']],
  ['comments before an item belong to no item', '# one\n- a\n\n# two\n- b\n# three\n', ['- a', '- b']],
  ['comments inside an item belong to it', '- a\n  # more\n- b', ['- a\n  # more', '- b']],
  [
    'a block scalar with what looks like a comment',
    '- |\n  # text\n\n  - more\n- b',
    ['- |\n  # text\n\n  - more', '- b'],
  ],
  ['a mapping is no list', 'a: 1\n- b', []],
  ['a list that ends in a mapping is none', '- a\nb: 1', []],
  ['a flow list is no block list', '[a, b]', []],
])('%s', (_, text, items) => {
  expect(listItems(text).map(({ from, to }) => text.slice(from, to))).toEqual(items);
});
