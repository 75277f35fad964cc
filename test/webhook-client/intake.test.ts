import { expect, test } from 'vitest';
import { createIntakes } from '../../src/webhook-client/intake.ts';

/** Answers of which each piece has ten bytes, and which of them are let come in the next turn of the loop. */
function intakes(limits: { readonly ofEach: number; readonly ofAll: number; readonly piecesATurn: number }) {
  const later: (() => void)[] = [];
  let came: string[] = [];
  const open = createIntakes(limits, (work) => void later.push(work));
  return {
    open: (name: string) => {
      const intake = open({ stop: () => undefined, goOn: () => void came.push(name) });
      return { piece: () => intake.piece(10), end: intake.end };
    },
    turn: () => {
      came = [];
      later.shift()?.();
      return came.join(' ');
    },
  };
}

test('in a turn of the loop so many pieces come, in the order in which those before them came', () => {
  const { open, turn } = intakes({ ofEach: 1_000, ofAll: 1_000, piecesATurn: 2 });
  for (const name of ['a', 'b', 'c']) open(name).piece();
  expect([turn(), turn(), turn()]).toEqual(['a b', 'c', '']);
});

test('without room one answer after the other goes on, and there is room for a few bytes of each', () => {
  const { open, turn } = intakes({ ofEach: 10, ofAll: 30, piecesATurn: 9 });
  const [a, b, c] = ['a', 'b', 'c'].map(open);
  a?.piece();
  b?.piece();
  c?.piece();
  expect(turn()).toBe('a b c');
  b?.piece();
  a?.piece();
  c?.piece();
  expect(turn()).toBe('b');
  open('d').piece();
  b?.piece();
  expect(turn()).toBe('d b');
  b?.end();
  expect(turn()).toBe('a');
  a?.end();
  expect(turn()).toBe('c');
});

test('one that is over is not let come', () => {
  const { open, turn } = intakes({ ofEach: 10, ofAll: 10, piecesATurn: 9 });
  const [a, b] = ['a', 'b'].map(open);
  a?.piece();
  b?.piece();
  b?.end();
  b?.end();
  expect(turn()).toBe('a');
});

test('what is over leaves its room to those that wait', () => {
  const { open, turn } = intakes({ ofEach: 0, ofAll: 20, piecesATurn: 9 });
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(open);
  for (const one of [a, b, c, d]) one?.piece();
  expect(turn()).toBe('a b c');
  a?.end();
  b?.end();
  expect(turn()).toBe('d');
});
