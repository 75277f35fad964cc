import { perChar, perPatternChar, scaleCost } from '../estimate/estimator.ts';
import type { CelOperation } from '../run/frame.ts';
import { readTimestamp } from '../value/time.ts';
import { box, isBox, noSuchOverload } from '../value/value.ts';
import { type FunctionCost, type FunctionRow, sizeOf, tenth, unitCost } from './cel-function.ts';
import type { NamedFormat } from './opaque-values.ts';
import { parseUrl } from './url.ts';

type Validate = (text: string) => readonly string[];

const tooLong = (max: number): string => `must be no more than ${max} bytes`;
const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** A pattern with the sentence about it and the longest text allowed. Follows apimachinery pkg/util/validation. */
interface Rule {
  readonly pattern: string;
  readonly regex: RegExp;
  readonly sentence: string;
  readonly examples: readonly string[];
  readonly max: number;
}

const explain = ({ pattern, sentence, examples }: Rule): string => {
  const listed = examples.map((example, index) => (index === 0 ? `'${example}', ` : ` or '${example}', `)).join('');
  return `${sentence} (e.g. ${listed}regex used for validation is '${pattern}')`;
};

const validateRule =
  (rule: Rule): Validate =>
  (text) => [
    ...(byteLength(text) > rule.max ? [tooLong(rule.max)] : []),
    ...(rule.regex.test(text) ? [] : [explain(rule)]),
  ];

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const name = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const dns1123Label: Rule = {
  pattern: label,
  regex: new RegExp(`^(?:${label})$`),
  sentence:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
  max: 63,
};

const dns1123Subdomain: Rule = {
  pattern: subdomain,
  regex: new RegExp(`^(?:${subdomain})$`),
  sentence:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
  max: 253,
};

const dns1035Label: Rule = {
  pattern: label1035,
  regex: new RegExp(`^(?:${label1035})$`),
  sentence:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
  max: 63,
};

const qualified: Rule = {
  pattern: name,
  regex: new RegExp(`^(?:${name})$`),
  sentence:
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyName', 'my.name', '123-abc'],
  max: 63,
};

const labelValue: Rule = {
  pattern: `(${name})?`,
  regex: new RegExp(`^(?:(${name})?)$`),
  sentence:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
  max: 63,
};

/** A trailing dash is allowed in a prefix, to which something will be added. */
const asPrefix =
  (validate: Validate): Validate =>
  (text) =>
    validate(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

const qualifiedName: Validate = (text) => {
  const parts = text.split('/');
  if (parts.length > 2) {
    const sentence = `a valid label key ${explain(qualified)}`;
    return [`${sentence} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const last = parts.at(-1) ?? '';
  return [
    ...(prefix === undefined ? [] : prefixErrors(prefix)),
    ...(last === '' ? ['name part must be non-empty'] : []),
    ...validateRule(qualified)(last).map((error) => `name part ${error}`),
  ];
};

const prefixErrors: Validate = (prefix) =>
  prefix === ''
    ? ['prefix part must be non-empty']
    : validateRule(dns1123Subdomain)(prefix).map((error) => `prefix part ${error}`);

const uri: Validate = (text) => {
  const parsed = parseUrl(text);
  return typeof parsed === 'string' ? [parsed] : [];
};

const validateBy =
  (test: (text: string) => boolean, error: string): Validate =>
  (text) =>
    test(text) ? [] : [error];

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && readTimestamp(`${text}T00:00:00Z`) !== undefined;

const rows: readonly (readonly [name: string, maxRegexSize: number, validate: Validate])[] = [
  ['dns1123Label', 30, validateRule(dns1123Label)],
  ['dns1123Subdomain', 60, validateRule(dns1123Subdomain)],
  ['dns1035Label', 30, validateRule(dns1035Label)],
  ['qualifiedName', 60, qualifiedName],
  ['dns1123LabelPrefix', 30, asPrefix(validateRule(dns1123Label))],
  ['dns1123SubdomainPrefix', 60, asPrefix(validateRule(dns1123Subdomain))],
  ['dns1035LabelPrefix', 30, asPrefix(validateRule(dns1035Label))],
  ['labelValue', 40, validateRule(labelValue)],
  ['uri', 1000, uri],
  ['uuid', 70, validateBy((text) => uuid.test(text), 'does not match the UUID format')],
  ['byte', 90, validateBy((text) => base64.test(text), 'invalid base64')],
  ['date', 72, validateBy(isDate, 'invalid date')],
  ['datetime', 72, validateBy((text) => readTimestamp(text) !== undefined, 'invalid datetime')],
];

/** The named formats. Follows apiserver pkg/cel/library/format.go. */
const namedFormats: ReadonlyMap<string, NamedFormat> = new Map(
  rows.map(([text, maxRegexSize, validate]) => [text, { text, maxRegexSize, validate }]),
);

/** `format.named('x')`: an optional. */
const named: CelOperation = (name) => {
  if (typeof name !== 'string') return noSuchOverload;
  const format = namedFormats.get(name);
  return box('optional', format && box('format', format));
};

/** The errors as an optional list; none for a valid text. */
const validate: CelOperation = (format, text) => {
  if (!isBox(format, 'format') || typeof text !== 'string') return noSuchOverload;
  const errors = format.value.validate(text);
  return box('optional', errors.length === 0 ? undefined : errors);
};

const maxFormatPatternLength = 128;

const validateCost: FunctionCost = {
  runtime: (format, text) => {
    const size = isBox(format, 'format') ? format.value.maxRegexSize : 1;
    return tenth(sizeOf(text) + 1) * Math.ceil(size * 0.25);
  },
  estimate: ({ size }) => ({ cost: scaleCost(scaleCost(size(1), perChar), maxFormatPatternLength * perPatternChar) }),
};

/** Named string formats. Follows apiserver pkg/cel/library/format.go. */
export const formatFunctions: readonly FunctionRow[] = [
  ['format.named', named, unitCost],
  ['validate', validate, validateCost],
  ...[...namedFormats].map(([name, format]): FunctionRow => {
    const value = box('format', format);
    return [`format.${name}`, () => value, unitCost];
  }),
];
