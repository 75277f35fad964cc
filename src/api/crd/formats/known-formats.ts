import { parseUrl, readStrfmtDuration, readTimestamp } from '../../../cel/index.ts';
import { isCidr, isIpAddress } from '../../validation/core/ip-address.ts';
import { isEmail, isStrictIpv6 } from './email.ts';

const creditCardRegex =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|(222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11}|6[27]\d{14})$/;

/** Follows govalidator IsCreditCard. */
function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D+/g, '');
  if (!creditCardRegex.test(digits)) return false;
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, index) => total + luhnDigit(Number(digit), index), 0);
  return sum % 10 === 0;
}

function luhnDigit(digit: number, index: number): number {
  if (index % 2 === 0) return digit;
  return digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
}

const withoutDashes = (text: string): string => text.replaceAll(/[\s-]+/g, '');

/** Follows govalidator IsISBN. */
function isIsbn10(text: string): boolean {
  const digits = withoutDashes(text);
  if (!/^(?:\d{9}X|\d{10})$/.test(digits)) return false;
  const sum = digits
    .split('')
    .reduce((total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = withoutDashes(text);
  if (!/^\d{13}$/.test(digits)) return false;
  return (
    digits.split('').reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
  );
}

/** `2006-01-02`. Follows kube-openapi pkg/validation/strfmt/date.go. */
const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && readTimestamp(`${text}T00:00:00Z`) !== undefined;

/** Follows kube-openapi pkg/validation/strfmt/time.go. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hour = '99', minute = '', second = ''] =
    /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/.exec(time) ?? [];
  return isDate(date) && hour <= '23' && minute <= '59' && second <= '59';
}

/** Go durations and `3 days`. Follows kube-openapi pkg/validation/strfmt/duration.go. */
const isDuration = (text: string): boolean => readStrfmtDuration(text) !== undefined;

export type FormatCheck = (text: string) => boolean;

const createRegexCheck =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

const rgbByte = String.raw`\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
const base64Regex = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const shortName = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const formatChecks: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', createRegexCheck(/^[\da-fA-F]{24}$/)],
  ['uri', (text) => typeof parseUrl(text) === 'object'],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', (text) => isIpAddress(text) && text.includes('.')],
  ['ipv6', isStrictIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', createRegexCheck(/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i)],
  ['uuid3', createRegexCheck(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', createRegexCheck(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', createRegexCheck(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', createRegexCheck(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', createRegexCheck(new RegExp(`^rgb\\(${rgbByte},${rgbByte},${rgbByte}\\)$`))],
  ['byte', createRegexCheck(base64Regex)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && new RegExp(`^${shortName}$`).test(text)],
  ['k8slongname', (text) => text.length <= 253 && new RegExp(`^${shortName}(\\.${shortName})*$`).test(text)],
]);

/**
 * undefined for an unchecked format. Follows apiextensions-apiserver pkg/apiserver/validation/formats.go and
 * kube-openapi pkg/validation/strfmt.
 */
export const findFormat = (format: string): FormatCheck | undefined => formatChecks.get(format.replaceAll('-', ''));

const hostnamePart = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
const hostnameDashedPart = String.raw`[a-zA-Z0-9\-\p{S}\p{L}]`;
const hostnameRegex = new RegExp(
  `^(${hostnamePart}((-?${hostnamePart}{0,62})?)|(${hostnamePart}((${hostnameDashedPart}{0,61}${hostnamePart})?)(\\.)){1,}(${hostnamePart})(-?${hostnamePart}){1,62})$`,
  'u',
);

/** Upstream's pattern requires two letters in the last of several labels. */
function isHostname(text: string): boolean {
  return text.length <= 255 && hostnameRegex.test(text) && text.split('.').every((label) => label.length <= 63);
}

/** 6, 8 or 20 bytes. Follows go src/net/mac.go. */
function isMac(text: string): boolean {
  const byColons = /^[\da-f]{2}([:-])[\da-f]{2}(\1[\da-f]{2})*$/i.test(text);
  const byDots = /^[\da-f]{4}(\.[\da-f]{4})+$/i.test(text);
  return (byColons || byDots) && [12, 16, 40].includes(text.replaceAll(/[:.-]/g, '').length);
}
