import { expect, test } from 'vitest';
import { pemBlocks } from '../../../src/machinery/go/pem.ts';

const a = '-----BEGIN A-----\nYQ==\n-----END A-----\n';
const b = '-----BEGIN B C-----\r\nYg\r\n==\r\n-----END B C-----\r\n';

test.each([
  ['nothing', '', []],
  ['one', a, [{ type: 'A', hasHeaders: false, base64: 'YQ==' }]],
  [
    'two, with words around them',
    `x\n${a}y\n${b}z`,
    [
      { type: 'A', hasHeaders: false, base64: 'YQ==' },
      { type: 'B C', hasHeaders: false, base64: 'Yg==' },
    ],
  ],
  ['empty', '-----BEGIN A-----\n-----END A-----', [{ type: 'A', hasHeaders: false, base64: '' }]],
  [
    'headers',
    '-----BEGIN A-----\nProc-Type: 4\n\nYQ==\n-----END A-----',
    [{ type: 'A', hasHeaders: true, base64: 'YQ==' }],
  ],
  ['a beginning that has no end', `-----BEGIN X-----\nYQ==\n${a}`, [{ type: 'A', hasHeaders: false, base64: 'YQ==' }]],
  ['the end of another', '-----BEGIN A-----\nYQ==\n-----END B-----\n', []],
  ['no base64', '-----BEGIN A-----\nY!==\n-----END A-----\n', []],
  ['half a group', '-----BEGIN A-----\nYQ\n-----END A-----\n', []],
  ['a beginning inside a line', `x${a}`, []],
  ['more on the line of the beginning', '-----BEGIN A----- x\nYQ==\n-----END A-----\n', []],
])('%s', (_what, text, blocks) => {
  expect([...pemBlocks(text)]).toEqual(blocks);
});
