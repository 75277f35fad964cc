import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../src/apiserver/request/api-request.ts';
import { serveMap } from '../../../src/app/server/serve-map.ts';
import { parseMappings } from '../../harness/parse-mappings.ts';

const first = { from: 'a/b', url: 'http://127.0.0.1:1' };

type Row = [fact: string, asked: readonly [method: string, body: string], answer: readonly object[] | string];
const rows: readonly Row[] = [
  ['the list', ['GET', ''], [first]],
  ['one more', ['POST', '{"set":"*=https://x.io"}'], [first, { from: '*', url: 'https://x.io' }]],
  ['another place', ['POST', '{"set":"a/b=http://127.0.0.1:2"}'], [{ from: 'a/b', url: 'http://127.0.0.1:2' }]],
  [
    'the program that listens',
    ['POST', '{"set":"a/b=http://127.0.0.1:2","program":"hook, start 2"}'],
    [{ from: 'a/b', url: 'http://127.0.0.1:2', program: 'hook, start 2' }],
  ],
  [
    'no program',
    ['POST', '{"set":"a/b=http://127.0.0.1:2","program":7}'],
    [{ from: 'a/b', url: 'http://127.0.0.1:2' }],
  ],
  [
    'a program with a long name',
    ['POST', `{"set":"a/b=http://x","program":"${'x'.repeat(300)}"}`],
    [{ from: 'a/b', url: 'http://x', program: 'x'.repeat(200) }],
  ],
  ['gone', ['POST', '{"remove":"a/b"}'], []],
  ['not there', ['POST', '{"remove":"a/c"}'], '400 there is no entry a/c'],
  ['nothing that can be mapped', ['POST', '{"set":"a=http://x"}'], '400 "a=http://x" is not NAMESPACE/SERVICE'],
  ['both at once', ['POST', '{"set":"a/c=http://x","remove":"a/b"}'], '400 send {"set"'],
  ['neither', ['POST', '[]'], '400 send {"set"'],
  ['no JSON', ['POST', '{'], '400 the body is no JSON'],
];

test.each(rows)('%s', (_fact, [method, body], answer) => {
  const serve = serveMap(parseMappings('a/b=http://127.0.0.1:1'));
  const response = serve({ method, path: '/kadmit/v1/map', body: new TextEncoder().encode(body) });
  expect(toldBy(response)).toMatch(typeof answer === 'string' ? answer : listText(answer));
});

test('other paths and methods are left to others', () => {
  const serve = serveMap(parseMappings());
  expect(serve({ method: 'GET', path: '/kadmit/v1/maps', body: new Uint8Array() })).toBeUndefined();
  expect(serve({ method: 'DELETE', path: '/kadmit/v1/map', body: new Uint8Array() })).toBeUndefined();
});

const listText = (map: readonly object[]): string => `200 ${JSON.stringify({ map })}`;

function toldBy(response: ApiResponse | undefined): string {
  if (response?.type === 'document')
    return `${response.code} ${typeof response.body === 'string' ? response.body : ''}`;
  return response?.type === 'status' ? `${response.status.code} ${response.status.message}` : '';
}
