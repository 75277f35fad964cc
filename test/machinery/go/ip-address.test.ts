import { isIPv4 as isNodeIPv4, isIPv6 as isNodeIPv6 } from 'node:net';
import { expect, test } from 'vitest';
import { isIPv4, isIPv6 } from '../../../src/machinery/go/ip-address.ts';

test.each([
  '10.0.0.1',
  '255.255.255.255',
  '256.0.0.1',
  '01.2.3.4',
  '1.2.3',
  '1.2.3.4.',
  '',
  'localhost',
  '::',
  '::1',
  '2001:db8::7',
  '::ffff:10.0.0.1',
  'fe80::1%eth0',
  '1::2::3',
  ':::',
  '[::1]',
  '12345::',
  '1:2:3:4:5:6:7:8:9',
])('%s is an address as Node knows them', (text) => {
  expect([isIPv4(text), isIPv6(text)]).toEqual([isNodeIPv4(text), isNodeIPv6(text)]);
});
