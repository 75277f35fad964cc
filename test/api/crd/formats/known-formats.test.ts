import { expect, test } from 'vitest';
import { knownFormat } from '../../../../src/api/crd/formats/known-formats.ts';

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
  expect(knownFormat(format)?.(text)).toBe(isTaken);
});
