import { expect, test } from 'vitest';
import { parseGoUrl, unescapeUrl } from '../../../src/machinery/go/go-url.ts';

// Source: go src/net/url/url.go and url_test.go
test.each<
  [
    text: string,
    parts: readonly [scheme: string, host: string, userinfo: string | undefined, query: string, fragment: string],
  ]
>([
  ['https://host/path', ['https', 'host', undefined, '', '']],
  ['HTTPS://host:8443', ['https', 'host:8443', undefined, '', '']],
  ['https://u:p@host/', ['https', 'host', 'u:p', '', '']],
  ['https://host/p?q=1#f', ['https', 'host', undefined, 'q=1', 'f']],
  ['https://[::1]:443/', ['https', '[::1]:443', undefined, '', '']],
  ['https:///path', ['https', '', undefined, '', '']],
  ['/just/a/path', ['', '', undefined, '', '']],
  ['mailto:someone', ['mailto', '', undefined, '', '']],
  ['', ['', '', undefined, '', '']],
])('%s parses', (text, [scheme, host, userinfo, query, fragment]) => {
  expect(parseGoUrl(text)).toEqual({ outcome: 'parsed', url: { scheme, host, userinfo, query, fragment } });
});

test.each<[text: string, error: string]>([
  ['::', 'parse "::": missing protocol scheme'],
  ['https://host/%zz', 'parse "https://host/%zz": invalid URL escape "%zz"'],
  ['https://a b/', 'parse "https://a b/": invalid character " " in host name'],
  ['https://host:x/', 'parse "https://host:x/": invalid port ":x" after host'],
  ['https://[::1/', 'parse "https://[::1/": missing \']\' in host'],
  ['1:2', 'parse "1:2": first path segment in URL cannot contain colon'],
  ['https://host/\u0001', 'parse "https://host/\\x01": net/url: invalid control character in URL'],
])('%j does not parse', (text, error) => {
  expect(parseGoUrl(text)).toEqual({ outcome: 'unparsable', error });
});

test.each([
  ['plain', 'plain'],
  ['a%2Fb', 'a/b'],
  ['caf%C3%A9', 'café'],
  ['100%', '100%'],
  ['a%2Fb%zz', 'a%2Fb%zz'],
  ['%ff', '%ff'],
  ['', ''],
])('%j is %j', (text, expected) => {
  expect(unescapeUrl(text)).toBe(expected);
});
