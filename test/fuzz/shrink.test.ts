import { expect, test } from 'vitest';
import { bytesOf, type Case, request } from './case.ts';
import { payloads } from './payloads.ts';
import { shrink } from './shrink.ts';

const textsOf = (acts: Case): readonly string[] => payloads(acts).map((bytes) => new TextDecoder().decode(bytes));

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

const limits = { tries: 1000, milliseconds: 10_000 };

const rows: readonly [
  what: string,
  acts: Case,
  shows: (texts: readonly string[]) => boolean,
  smallest: readonly string[],
][] = [
  [
    'acts that are not needed go',
    [request('GET', '/a'), request('POST', '/b', 'x'), request('GET', '/c')],
    (texts) => texts.includes('x'),
    ['x'],
  ],
  [
    'fields and items go as long as the value shows it',
    [request('POST', '/', { a: [1, 2, { deep: 'needle', other: 1 }], b: 'c' })],
    ([text = '']) => isJson(text) && text.startsWith('{"a":[{') && text.includes('needle'),
    ['{"a":[{"":"needle"}]}'],
  ],
  [
    'long lists are halved',
    [request('POST', '/', { list: Array.from({ length: 1000 }, (_none, index) => index) })],
    ([text = '']) => /\b777\b/.test(text) && text.startsWith('{"list":['),
    ['{"list":[777'],
  ],
  [
    'bytes that are no JSON go by halves, then one by one',
    [{ act: 'bytes', protocol: 'h2', chunks: [bytesOf('aaaaaaXaaaaaaaYaaa')] }],
    ([text = '']) => /X.*Y/.test(text),
    ['XY'],
  ],
];

test.each(rows)('%s', async (_what, acts, shows, smallest) => {
  expect(textsOf(await shrink(acts, async (smaller) => shows(textsOf(smaller)), limits))).toEqual(smallest);
});

test('when the tries are over, what was reached is kept', async () => {
  const acts = [request('POST', '/', 'a'.repeat(64))];
  const smallest = await shrink(acts, async (smaller) => (textsOf(smaller)[0] ?? '').length >= 10, {
    ...limits,
    tries: 2,
  });
  expect(textsOf(smallest)).toEqual(['a'.repeat(32)]);
});
