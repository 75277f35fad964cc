import { expect, test } from 'vitest';
import { isEmail } from '../../../../src/api/crd/formats/email.ts';
import { findFormat } from '../../../../src/api/crd/formats/known-formats.ts';

// Source: go src/net/mail/message.go ParseAddress and message_test.go.
const facts: readonly [text: string, isAddress: boolean][] = [
  ['a@b', true],
  ['a.b+c@d.e', true],
  [' \ta@b ', true],
  ['', false],
  ['a', false],
  ['@b', false],
  ['a@', false],
  ['a @b', false],
  ['a@ b', true],
  ['a@b c', false],
  ['a@b\n', false],
  ['.a@b', false],
  ['a.@b', false],
  ['a..b@c', false],
  ['a@b.', false],
  ['a@b..c', false],
  ['"a b"@c', true],
  [String.raw`"a\"b"@c`, true],
  ['""@c', false],
  ['"a@c', false],
  ['"a\u0001"@c', false],
  ['jörg@müller.de', true],
  ['a\u007f@b', false],
  ['A <a@b>', true],
  ['A B. <a@b>', true],
  ['"A, B" <a@b>', true],
  ['A, B <a@b>', false],
  ['A (the first) <a@b>', true],
  ['A (the first <a@b>', false],
  ['<a@b>', true],
  ['<a@b', false],
  ['<a@b >', false],
  ['A <a@b> c', false],
  ['a@b (A (the first))', true],
  [String.raw`a@b (A \) B)`, true],
  ['a@b (A', false],
  ['a@[127.0.0.1]', true],
  ['a@[::1]', true],
  ['a@[127.0.0.01]', false],
  ['a@[b]', false],
  ['g: a@b;', true],
  ['g: A <a@b> (first) ; (all)', true],
  ['g: a@b, c@d;', false],
  ['g:;', false],
  ['g: h: a@b;;', false],
  ['=?utf-8?q?J=C3=B6rg?= <a@b>', true],
  ['=?koi8-r?q?=C1?= <a@b>', false],
  ['A =?koi8-r?b?wQ==?= <a@b>', true],
  ['=?koi8-r?b?wQ=?= <a@b>', true],
  ['a@b (=?koi8-r?q?=C1?=)', false],
  ['a@b, c@d', false],
];

test.each(facts)('is %j an e-mail address? %j', (text, isAddress) => {
  expect(isEmail(text)).toBe(isAddress);
});

// Source: kube-openapi pkg/validation/strfmt/default.go, where ipv4 and cidr are read as before Go 1.17 and ipv6 is not.
test.each([
  ['ipv4', '01.2.3.4', true],
  ['ipv4', '0001.2.3.04', true],
  ['ipv4', '1.2.3.256', false],
  ['ipv4', '::ffff:01.2.3.4', true],
  ['ipv4', '00001::1.2.3.4', true],
  ['ipv4', '::1', false],
  ['ipv6', '::1', true],
  ['ipv6', '::ffff:1.2.3.4', true],
  ['ipv6', '::ffff:01.2.3.4', false],
  ['ipv6', '::ffff:1.2.3.04', false],
  ['ipv6', '00001::', false],
  ['ipv6', '1.2.3.4', false],
  ['cidr', '01.2.3.4/08', true],
  ['cidr', '00001::/0064', true],
  ['cidr', '1.2.3.4/33', false],
  ['cidr', '1.2.3.4', false],
])('as %s, %s is taken: %j', (format, text, isTaken) => {
  expect(findFormat(format)?.(text)).toBe(isTaken);
});
