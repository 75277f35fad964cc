import { expect, test } from 'vitest';
import {
  configMapKeyErrors,
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  dns1123SubdomainWithUnderscore,
  environmentVariableName,
  labelValueErrors,
  pathSegmentName,
  portName,
  portNumber,
  qualifiedNameErrors,
  type TextCheck,
} from '../../../src/machinery/meta/names.ts';

const x = (count: number): string => 'x'.repeat(count);
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const namePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** The texts are those of apimachinery pkg/util/validation/validation.go; the longer ones were also recorded in the wild. */
test.each<readonly [string, TextCheck, string, readonly string[]]>([
  ['a label', dns1123Label, 'a-1', []],
  ['a label with dots hears of the dots', dns1123Label, 'a.b', ['must not contain dots']],
  ['an upper case label', dns1123Label, 'A', [label]],
  ['a label of 63', dns1123Label, x(63), []],
  ['a label of 64', dns1123Label, x(64), ['must be no more than 63 characters']],
  ['a label counts bytes', dns1123Label, 'ä'.repeat(32), ['must be no more than 63 characters', label]],
  ['a subdomain', dns1123Subdomain, 'a.b-c', []],
  ['a subdomain with an empty part', dns1123Subdomain, 'a..b', [subdomain]],
  ['a subdomain of 253', dns1123Subdomain, x(253), []],
  [
    'a subdomain with underscores of 254',
    dns1123SubdomainWithUnderscore,
    x(254),
    ['must be no more than 253 characters'],
  ],
  ['a DNS-1035 label of 64', dns1035Label, x(64), ['must be no more than 63 characters']],
  ['a subdomain of 254', dns1123Subdomain, x(254), ['must be no more than 253 characters']],
  [
    'a DNS-1035 label starts with a letter',
    dns1035Label,
    '1a',
    [
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  ['a qualified name', qualifiedNameErrors, 'example.com/My_name.1', []],
  ['a qualified name with a tilde', qualifiedNameErrors, '~t', [namePart]],
  ['a qualified name of 64', qualifiedNameErrors, x(64), ['name part must be no more than 63 bytes']],
  ['a prefix of 254', qualifiedNameErrors, `${x(254)}/a`, ['prefix part must be no more than 253 bytes']],
  ['a label value of 63', labelValueErrors, x(63), []],
  [
    'a label value counts bytes',
    labelValueErrors,
    'ä'.repeat(32),
    ['must be no more than 63 bytes', expect.stringContaining('a valid label must be')],
  ],
  ['a ConfigMap key of 253', configMapKeyErrors, x(253), []],
  ['a ConfigMap key of 254', configMapKeyErrors, x(254), ['must be no more than 253 characters']],
  ['a label value of 64', labelValueErrors, x(64), ['must be no more than 63 bytes']],
  ['no name', qualifiedNameErrors, '', ['name part must be non-empty', namePart]],
  ['an empty prefix', qualifiedNameErrors, '/a', ['prefix part must be non-empty']],
  ['a bad prefix', qualifiedNameErrors, 'A/a', [`prefix part ${subdomain}`]],
  [
    'two slashes',
    qualifiedNameErrors,
    'a/b/c',
    [
      "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ],
  ],
  ['an empty label value', labelValueErrors, '', []],
  ['a ConfigMap key', configMapKeyErrors, 'a.b_C-1', []],
  ['a ConfigMap key of dots', configMapKeyErrors, '..', ["must not be '..'"]],
  ['a ConfigMap key that climbs', configMapKeyErrors, '..a', ["must not start with '..'"]],
  ['an environment variable may hold almost anything', environmentVariableName, 'a b#', []],
  ['a port name', portName, 'http-2', []],
  [
    'a bad port name hears all of it',
    portName,
    '-1--',
    [
      'must contain at least one letter (a-z)',
      'must not contain consecutive hyphens',
      'must not begin or end with a hyphen',
    ],
  ],
  ['a name in a path', pathSegmentName, 'system:a', []],
  ['the folder itself', pathSegmentName, '.', ["may not be '.'"]],
  ['a name with a slash and a percent sign', pathSegmentName, 'a/b%', ["may not contain '/'", "may not contain '%'"]],
])('%s', (_sentence, check, text, errors) => {
  expect(check(text)).toEqual(errors);
});

test.each<readonly [number, readonly string[]]>([
  [1, []],
  [65535, []],
  [0, ['must be between 1 and 65535, inclusive']],
  [65536, ['must be between 1 and 65535, inclusive']],
])('port %s', (port, errors) => {
  expect(portNumber(port)).toEqual(errors);
});

/** The expressions that upstream's texts name: apimachinery pkg/util/validation/validation.go. */
const named = {
  subdomain: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  underscored: /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/,
};

test('a subdomain is what the expressions match that its complaints name', () => {
  const check = (text: string): void => {
    expect([text, dns1123Subdomain(text).length === 0]).toEqual([text, named.subdomain.test(text)]);
    expect([text, dns1123SubdomainWithUnderscore(text).length === 0]).toEqual([text, named.underscored.test(text)]);
    if (text.length < 5) for (const letter of 'a0-._A\n') check(text + letter);
  };
  check('');
});
