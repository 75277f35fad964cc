import { parseQuantity } from '../../../machinery/meta/quantity.ts';
import { parseUrl } from '../../../cel/index.ts';
import { isCidr, isIpAddress } from '../../validation/core/ip-address.ts';
import { isCreditCard, isIsbn10, isIsbn13 } from './checksums.ts';
import { isEmail } from './email.ts';
import { isStrictIpv6 } from './strict-ip.ts';
import { isDate, isDateTime, isDuration } from './times.ts';

export type FormatCheck = (text: string) => boolean;

const matches =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

const byteOfRgb = String.raw`\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const shortName = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const checks: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', matches(/^[\da-fA-F]{24}$/)],
  ['uri', (text) => typeof parseUrl(text) === 'object'],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', (text) => isIpAddress(text) && text.includes('.')],
  ['ipv6', isStrictIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', matches(/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i)],
  ['uuid3', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', matches(new RegExp(`^rgb\\(${byteOfRgb},${byteOfRgb},${byteOfRgb}\\)$`))],
  ['byte', matches(base64)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['quantity', (text) => !('error' in parseQuantity(text))],
  ['k8sshortname', (text) => text.length <= 63 && new RegExp(`^${shortName}$`).test(text)],
  ['k8slongname', (text) => text.length <= 253 && new RegExp(`^${shortName}(\\.${shortName})*$`).test(text)],
]);

/**
 * The check of a format of strings; undefined for one that is not checked. Dashes in its name do not count.
 * Follows apiextensions-apiserver pkg/apiserver/validation/formats.go and kube-openapi pkg/validation/strfmt.
 */
export const knownFormat = (format: string): FormatCheck | undefined => checks.get(format.replaceAll('-', ''));

const part = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
const dashed = String.raw`[a-zA-Z0-9\-\p{S}\p{L}]`;
const hostname = new RegExp(
  `^(${part}((-?${part}{0,62})?)|(${part}((${dashed}{0,61}${part})?)(\\.)){1,}(${part})(-?${part}){1,62})$`,
  'u',
);

/** Upstream's pattern wants two letters of the last label, if there are several. */
function isHostname(text: string): boolean {
  return text.length <= 255 && hostname.test(text) && text.split('.').every((label) => label.length <= 63);
}

/** 6, 8 or 20 bytes. Follows go src/net/mac.go. */
function isMac(text: string): boolean {
  const byColons = /^[\da-f]{2}([:-])[\da-f]{2}(\1[\da-f]{2})*$/i.test(text);
  const byDots = /^[\da-f]{4}(\.[\da-f]{4})+$/i.test(text);
  return (byColons || byDots) && [12, 16, 40].includes(text.replaceAll(/[:.-]/g, '').length);
}
