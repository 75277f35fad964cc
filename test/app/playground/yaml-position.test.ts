import { expect, test } from 'vitest';
import { findYamlPosition } from '../../../src/app/playground/yaml-position.ts';

/** `|` is the offset, `path role`. */
test.each<[string, string | undefined]>([
  ['ap|', ' key'],
  ['apiVersion: v1\nki|', ' key after apiVersion'],
  ['apiVersion: |', 'apiVersion value'],
  ['spec:\n  |', 'spec key'],
  ['spec:\n  a: 1\n  b|', 'spec key after a'],
  ['spec:\n  a:\n    b: 1\n  c|', 'spec key after a'],
  ['spec:\n  containers:\n    - na|', 'spec.containers.[] item'],
  ['spec:\n  containers:\n  - name: x\n    im|', 'spec.containers.[] key after name'],
  ['spec:\n  containers:\n  - name: x\n  - |', 'spec.containers.[] item'],
  ['spec:\n  containers:\n  - name: x\n  no|', 'spec key after containers'],
  ['spec:\n  containers:\n  - name: x\n    image: ng|', 'spec.containers.[].image value'],
  ['spec: { a: 1, co|', 'spec key after a'],
  ['spec: { a: |', 'spec.a value'],
  ['spec: { a: { b: 1 }, c|', 'spec key after a'],
  ['rules: [{ operations: [CREATE], api|', 'rules.[] key after operations'],
  ['rules: [{ operations: [CR|', 'rules.[].operations.[] item'],
  ['rules: [{ operations: [CREATE] }]\nf|', ' key after rules'],
  ['spec: {\n  a: 1,\n  b|', 'spec key after a'],
  ['a: "x: y, z"\nb|', ' key after a'],
  ['a: x # { b:\nc|', ' key after a'],
  ['- create: &pod\n    ki|', '[].create key'],
  ['- create:\n    kind: Pod\n  ex|', '[] key after create'],
  ['kind: A\n---\nki|', ' key'],
  ['kind: A\n--- # next\nmetadata:\n  na|', 'metadata key'],
  ['a: |\n  text\nb@', ' key after a'],
  ['a: |-\n  te@\n', undefined],
  ['a: >\n  x: y\n\n  te@', undefined],
  ['a: |@', undefined],
  ['# ki|', undefined],
  ['a: b # ki|', undefined],
])('%s', (marked, place) => {
  const mark = marked.includes('@') ? '@' : '|';
  const offset = marked.lastIndexOf(mark);
  const found = findYamlPosition(marked.slice(0, offset) + marked.slice(offset + 1), offset);
  const after = found?.siblings.length ? ` after ${found.siblings.join(' ')}` : '';
  expect(found && `${found.path.join('.')} ${found.role}${after}`).toBe(place);
});
