import { expect, test } from 'vitest';
import { admitVisit, type PageVisit, tokenCookie } from '../../../src/adapters/http/page/page-server.ts';

const port = 6480;
const token = 'the-token';
const plain: PageVisit = {
  method: 'GET',
  url: new URL('http://127.0.0.1:6480/'),
  host: '127.0.0.1:6480',
  origin: undefined,
  cookie: undefined,
};
const withToken = { url: new URL('http://127.0.0.1:6480/?token=the-token') };
const withCookie = { cookie: 'other=1; kadmit-6480=the-token' };

const rows: readonly [fact: string, visit: Partial<PageVisit>, outcome: object][] = [
  ['without a token', {}, { outcome: 'unauthorized' }],
  ['the token in the URL, kept as a cookie', withToken, { outcome: 'admitted', setCookie: true }],
  ['the cookie', withCookie, { outcome: 'admitted', setCookie: false }],
  ['a wrong token', { url: new URL('http://127.0.0.1:6480/?token=the-tokeN') }, { outcome: 'unauthorized' }],
  ['a part of the token', { url: new URL('http://127.0.0.1:6480/?token=the') }, { outcome: 'unauthorized' }],
  ['the cookie of another port', { cookie: 'kadmit-6481=the-token' }, { outcome: 'unauthorized' }],
  [
    'localhost is this machine too',
    { ...withCookie, host: 'localhost:6480' },
    { outcome: 'admitted', setCookie: false },
  ],
  [
    'a rebound name',
    { ...withToken, host: 'evil.example:6480' },
    { outcome: 'foreign', what: 'Host "evil.example:6480"' },
  ],
  ['another port in Host', { ...withToken, host: '127.0.0.1:80' }, { outcome: 'foreign' }],
  ['no Host', { ...withToken, host: undefined }, { outcome: 'foreign', what: 'Host missing' }],
  [
    'the script of another site',
    { ...withCookie, origin: 'https://evil.example' },
    { outcome: 'foreign', what: 'Origin "https://evil.example"' },
  ],
  ['a sandboxed frame', { ...withCookie, origin: 'null' }, { outcome: 'foreign' }],
  ['the page itself', { ...withCookie, origin: 'http://127.0.0.1:6480' }, { outcome: 'admitted' }],
  ['a POST without Origin', { ...withCookie, method: 'POST' }, { outcome: 'foreign', what: 'Origin missing' }],
  ['a POST of the page', { ...withCookie, method: 'POST', origin: 'http://127.0.0.1:6480' }, { outcome: 'admitted' }],
];

test.each(rows)('%s', (_fact, visit, outcome) => {
  expect(admitVisit({ ...plain, ...visit }, port, token)).toMatchObject(outcome);
});

test('no script can read the cookie, and no other site sends it', () => {
  expect(tokenCookie(port, token)).toBe('kadmit-6480=the-token; HttpOnly; SameSite=Strict; Path=/');
});
