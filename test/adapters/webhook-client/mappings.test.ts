import { expect, test } from 'vitest';
import { normalizeMappingSource } from '../../../src/adapters/config/mapping.ts';
import { parseMappings } from '../../harness/parse-mappings.ts';

const everywhere = [
  '*=http://127.0.0.1:1',
  'shop/*=http://127.0.0.1:2',
  'shop/hooks=http://127.0.0.1:3',
  'shop/hooks:8443=http://127.0.0.1:4',
  'https://hooks.example.com=http://127.0.0.1:5',
  'https://hooks.example.com:9443/=https://127.0.0.1:6/base',
];

const services: readonly [wanted: string, port: number, led: string | undefined][] = [
  ['shop/hooks', 8443, 'http://127.0.0.1:4/'],
  ['shop/hooks', 443, 'http://127.0.0.1:3/'],
  ['shop/others', 443, 'http://127.0.0.1:2/'],
  ['default/hooks', 443, 'http://127.0.0.1:1/'],
];

test.each(services)('the narrowest mapping of Service %s:%d', (wanted, port, led) => {
  const [namespace = '', name = ''] = wanted.split('/');
  expect(parseMappings(...everywhere).forService({ namespace, name, port })?.url.href).toBe(led);
});

const hosts: readonly [
  fact: string,
  target: readonly [scheme: string, host: string, port: number],
  led: string | undefined,
][] = [
  ['a host', ['https', 'hooks.example.com', 443], 'http://127.0.0.1:5/'],
  ['a host and port', ['https', 'hooks.example.com', 9443], 'https://127.0.0.1:6/base'],
  ['another port', ['https', 'hooks.example.com', 1], undefined],
  ['another scheme', ['http', 'hooks.example.com', 443], undefined],
  ['another host: * is for Services', ['https', 'example.com', 443], undefined],
  ['the name of a Service', ['https', 'hooks.shop.svc', 443], 'http://127.0.0.1:3/'],
  ['its long name', ['https', 'hooks.shop.svc.cluster.local', 8443], 'http://127.0.0.1:4/'],
  ['a Service that only * leads', ['https', 'a.b.svc', 443], 'http://127.0.0.1:1/'],
  ['a name below a Service', ['https', 'pod.a.b.svc', 443], undefined],
  ['an IPv6 address', ['https', '::1', 443], undefined],
];

test.each(hosts)('a url with %s', (_fact, [scheme, host, port], led) => {
  expect(parseMappings(...everywhere).forHost({ scheme, host, port })?.url.href).toBe(led);
});

test('a mapping is replaced and removed', () => {
  const mappings = parseMappings('a/b=http://127.0.0.1:1');
  mappings.set({ from: 'a/b', url: 'http://127.0.0.1:2' });
  expect(mappings.list()).toEqual([{ from: 'a/b', url: 'http://127.0.0.1:2' }]);
  expect(mappings.remove('a/c')).toBe(false);
  expect(mappings.remove('a/b')).toBe(true);
  expect(mappings.forService({ namespace: 'a', name: 'b', port: 443 })).toBeUndefined();
});

const mapped: readonly [from: string, read: string | undefined][] = [
  ['a/b', 'a/b'],
  ['a/b:443', 'a/b:443'],
  ['a/*', 'a/*'],
  ['*', '*'],
  ['https://x.io:443/', 'https://x.io'],
  ['https://x.io/path', undefined],
  ['a', undefined],
  ['a/b:web', undefined],
  ['ftp://x.io', undefined],
  ['', undefined],
];

test.each(mapped)('what is mapped: %s', (from, read) => {
  expect(normalizeMappingSource(from)).toBe(read);
});
