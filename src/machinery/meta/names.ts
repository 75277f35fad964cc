import type { Random } from '../clock.ts';
import { concat, emptyList } from '../lists.ts';
import { type FieldError, goQuote, invalidValue, required, tooLong } from './field-error.ts';

const maxBytes = 128;

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** The errors about the name of a field manager. Follows apimachinery pkg/apis/meta/v1/validation ValidateFieldManager. */
export const fieldManagerErrors = (manager: string, field: string): readonly FieldError[] => [
  ...(byteLength(manager) > maxBytes ? [tooLong(field, maxBytes)] : []),
  ...[...manager.matchAll(unprintable)].map(({ 0: character, index }) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const position = byteLength(manager.slice(0, index));
    return invalidValue(field, manager, `invalid character U+${code} (at position ${position})`);
  }),
];

/** Without vowels and look-alikes, so that no words come up. Follows apimachinery pkg/util/rand/rand.go alphanums. */
export const safeAlphanums = 'bcdfghjklmnpqrstvwxz2456789';

/** Five random letters to append to a name. Follows apiserver pkg/storage/names/generate.go. */
export const randomSuffix = (random: Random): string =>
  Array.from({ length: 5 }, () => safeAlphanums.charAt(Math.floor(random() * safeAlphanums.length))).join('');

/** The rules for names, labels and keys. Each takes a text and returns what is wrong with it; nothing when it is fine. */
export type TextCheck = (text: string) => readonly string[];

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${qualifiedName})?`;
const configMapKey = '[-._a-zA-Z0-9]+';
const httpHeader = '[-A-Za-z0-9]+';

const label1123Regex = new RegExp(`^(?:${label1123})$`);
const label1035Regex = new RegExp(`^(?:${label1035})$`);
const qualifiedNameRegex = new RegExp(`^(?:${qualifiedName})$`);
const labelValueRegex = new RegExp(`^(?:${labelValue})$`);
const configMapKeyRegex = new RegExp(`^(?:${configMapKey})$`);
const httpHeaderRegex = new RegExp(`^(?:${httpHeader})$`);

/** `… (e.g. 'a',  or 'b', regex used for validation is 're')` (rule ENV-8; the rest follows apimachinery pkg/util/validation/validation.go). */
export function regexText(text: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example, index) => (index === 0 ? `'${example}', ` : ` or '${example}', `)).join('');
  return examples.length === 0
    ? `${text} (regex used for validation is '${pattern}')`
    : `${text} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

const tooLongText = (max: number): string => `must be no more than ${max} characters`;

/** Messages for label keys and values count bytes. Follows apimachinery pkg/api/validate/content/kube.go. */
const tooManyBytes = (max: number): string => `must be no more than ${max} bytes`;
const emptyText = 'must be non-empty';

const label1123Text = regexText(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  label1123,
  'my-name',
  '123-abc',
);
const subdomain1123Text = regexText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomain1123,
  'example.com',
);
const underscoredSubdomain = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*';
const underscoredSubdomainText = regexText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  underscoredSubdomain,
  'example.com',
);
const label1035Text = regexText(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  label1035,
  'my-name',
  'abc-123',
);
const qualifiedNameText = regexText(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  qualifiedName,
  'MyName',
  'my.name',
  '123-abc',
);
const labelValueText = regexText(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValue,
  'MyValue',
  'my_value',
  '12345',
);
const configMapKeyText = regexText(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  configMapKey,
  'key.name',
  'KEY_NAME',
  'key-name',
);

/**
 * Is it what `subdomain1123` matches: labels between dots, each of which begins and ends with a letter or a digit? As one
 * regular expression it takes 40 ms for a megabyte of dots.
 */
const isSubdomain1123 = (text: string): boolean => /^[-a-z0-9.]+$/.test(text) && !/^[-.]|[-.]\.|\.-|[-.]$/.test(text);

/** The same for `underscored`: one underscore may stand before a label. */
const isUnderscored = (text: string): boolean =>
  /^[-_a-z0-9.]+$/.test(text) && !/(?:^|\.)(?!_?[a-z0-9])|[-_](?:\.|$)/.test(text);

/** What is wrong with a text that may have `maxLength` bytes at most and must be `right`, which only ASCII is. */
function patternErrors(
  text: string,
  maxLength: number,
  right: boolean,
  isWrong: (text: string) => string,
): readonly string[] {
  if (right && text.length <= maxLength) return emptyList;
  return concat(
    byteLength(text) > maxLength ? [tooLongText(maxLength)] : emptyList,
    right ? emptyList : [isWrong(text)],
  );
}

/** A DNS label of at most 63 characters; a name that is only wrong for its dots gets that error. */
export const dns1123Label: TextCheck = (text) =>
  patternErrors(text, 63, label1123Regex.test(text), (wrong) =>
    isSubdomain1123(wrong) ? 'must not contain dots' : label1123Text,
  );

/** A DNS subdomain of at most 253 characters. */
export const dns1123Subdomain: TextCheck = (text) =>
  patternErrors(text, 253, isSubdomain1123(text), () => subdomain1123Text);

/** The same with underscores, as search paths have them. */
export const dns1123SubdomainWithUnderscore: TextCheck = (text) =>
  patternErrors(text, 253, isUnderscored(text), () => underscoredSubdomainText);

/** A DNS label that starts with a letter. */
export const dns1035Label: TextCheck = (text) =>
  patternErrors(text, 63, label1035Regex.test(text), () => label1035Text);

/** Accepts most names without looking at their parts. */
const commonName =
  /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** `name` or `prefix/name`: label and annotation keys, finalizers, resource names. */
export const qualifiedNameErrors: TextCheck = (text) => {
  if (text.length <= 63 && commonName.test(text)) return emptyList;
  const parts = text.split('/', 3);
  if (parts.length > 2) {
    return [
      `a valid label key ${qualifiedNameText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const prefixErrors = prefix === '' ? [emptyText] : prefix === undefined ? [] : dns1123Subdomain(prefix);
  return [
    ...prefixErrors.map((error) => `prefix part ${error === tooLongText(253) ? tooManyBytes(253) : error}`),
    ...(name === '' ? [`name part ${emptyText}`] : []),
    ...(byteLength(name) > 63 ? [`name part ${tooManyBytes(63)}`] : []),
    ...(qualifiedNameRegex.test(name) ? [] : [`name part ${qualifiedNameText}`]),
  ];
};

export const labelValueErrors: TextCheck = (text) => {
  const right = labelValueRegex.test(text);
  if (right && text.length <= 63) return emptyList;
  return concat(byteLength(text) > 63 ? [tooManyBytes(63)] : emptyList, right ? emptyList : [labelValueText]);
};

/** A key of a ConfigMap or Secret: also a file name, hence the dots. */
export const configMapKeyErrors: TextCheck = (text) => {
  const errors = patternErrors(text, 253, configMapKeyRegex.test(text), () => configMapKeyText);
  if (text === '.') return [...errors, "must not be '.'"];
  if (text === '..') return [...errors, "must not be '..'"];
  return text.startsWith('..') ? [...errors, "must not start with '..'"] : errors;
};

/** Any printable ASCII but `=`: the relaxed rule for environment variables, on since 1.32. */
export const environmentVariableName: TextCheck = (text) => {
  if (text.length === 0) return [`environment variable name ${emptyText}`];
  return /^[ -<>-~]+$/.test(text)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

/** The name of a port: an IANA service name. */
export const portName: TextCheck = (text) => [
  ...(byteLength(text) > 15 ? [tooLongText(15)] : []),
  ...(/^[-a-z0-9]+$/.test(text) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(text) ? [] : ['must contain at least one letter (a-z)']),
  ...(text.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(/^-|-$/.test(text) ? ['must not begin or end with a hyphen'] : []),
];

export const httpHeaderName: TextCheck = (text) =>
  httpHeaderRegex.test(text)
    ? []
    : [regexText("a valid HTTP header must consist of alphanumeric characters or '-'", httpHeader, 'X-Header-Name')];

/** A valid segment of a URL path: the rule for names of RBAC objects. Follows apimachinery pkg/api/validation/path/name.go. */
export const pathSegmentName: TextCheck = (text) => {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return pathSegmentPrefix(text);
};

/** The same for a generateName. */
export const pathSegmentPrefix: TextCheck = (text) =>
  ['/', '%'].filter((char) => text.includes(char)).map((char) => `may not contain '${char}'`);

export const portNumber = (port: number): readonly string[] =>
  port >= 1 && port <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];

/** The length in UTF-8, as Go's len counts. Nothing is written for it: each new megabyte takes a millisecond. */
export function byteLength(text: string): number {
  // oxlint-disable-next-line no-control-regex -- all of ASCII is meant
  if (/^[\u0000-\u007f]*$/.test(text)) return text.length;
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    const isPair = isHigh(char) && isLow(text.charCodeAt(at + 1));
    if (isPair) at += 1;
    length += isPair ? 4 : bytesOf(char);
  }
  return length;
}

const isHigh = (char: number): boolean => char >= 0xd800 && char < 0xdc00;
const isLow = (char: number): boolean => char >= 0xdc00 && char < 0xe000;
const bytesOf = (char: number): number => (char < 0x80 ? 1 : char < 0x800 ? 2 : 3);

/** client-go's error for names that fit no URL. Follows client-go rest/request.go Name. */
export function invalidNameError(name: string): string | undefined {
  if (name === '') return 'resource name may not be empty';
  const errors = pathSegmentName(name);
  return errors.length === 0 ? undefined : `invalid resource name ${goQuote(name)}: [${errors.join(' ')}]`;
}

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathRegex = new RegExp(`^${httpPath}$`);

/** Follows apimachinery pkg/util/validation/validation.go IsDomainPrefixedPath. */
export function prefixedPathErrors(field: string, text: string): readonly FieldError[] {
  if (text === '') return [required(field, '')];
  const slash = text.indexOf('/');
  const [host, path] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 1 || path === '')
    return [invalidValue(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const ofHost = dns1123Subdomain(host).map((error) => invalidValue(field, host, error));
  return httpPathRegex.test(path)
    ? ofHost
    : [...ofHost, invalidValue(field, path, regexText('Invalid path', httpPath))];
}
