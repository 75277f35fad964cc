import { expect, test } from 'vitest';
import { atOnce } from '../../src/apimachinery/pause.ts';
import { jsonPieces } from '../../src/http/json-pieces.ts';
import { writeJson } from '../../src/apimachinery/json-writer.ts';

test.each([{}, { a: 1 }, { a: {} }, { a: {}, b: [] }, { a: { x: 1, y: { z: 'ä "' } }, b: 'c', 'd"': { 'e"': null } }])(
  'the pieces of %j are its JSON',
  (object) => {
    expect(Buffer.concat(atOnce(jsonPieces(object))).toString()).toBe(writeJson(object));
  },
);
