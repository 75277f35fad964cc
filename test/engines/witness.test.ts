import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWitness } from '../../src/engines/data-dir/witness.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kadmit-witness-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('it remembers what it was told last', () => {
  const witness = createWitness(folder);
  expect(witness.seen()).toBe(0);
  witness.note(7);
  witness.note(9);
  expect(createWitness(folder).seen()).toBe(9);
  expect(readdirSync(folder)).toEqual(['REVISION']);
});

test('what cannot be written ends nobody, and leaves nothing', () => {
  mkdirSync(join(folder, 'REVISION'));
  const witness = createWitness(folder);
  witness.note(7);
  expect(witness.seen()).toBe(0);
  expect(readdirSync(folder)).toEqual(['REVISION']);
  rmSync(folder, { recursive: true });
  witness.note(8);
  expect(witness.seen()).toBe(0);
});
