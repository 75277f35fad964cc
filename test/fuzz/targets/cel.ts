import type { RandomChoices } from '../../harness/random-choices.ts';
import { corruptText } from '../../harness/hostile-value.ts';
import { request, type Target } from '../case.ts';
import { generateExpression } from '../expression.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

/** CEL expressions: compiled when they are stored, evaluated for matching writes. */
export const celExpressions: Target = {
  name: 'cel',
  generate: (random, { webhook }) => {
    const count = random.chance(0.9) ? 1 + random.upTo(3) : random.upTo(70);
    const conditions = Array.from({ length: count }, (_none, index) => ({
      name: `c${index}`,
      expression: textOf(random),
    }));
    const hook = {
      name: 'w.example.com',
      clientConfig: webhook,
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 1,
      failurePolicy: random.pick(['Fail', 'Ignore']),
      matchConditions: conditions,
    };
    const path = `${admission}/validatingwebhookconfigurations`;
    const large = random.chance(0.08);
    const size = random.chance(0.9) ? 3 : Math.floor(20_000 / 10 ** (random.upTo(400) / 100));
    const values = Object.fromEntries(Array.from({ length: size }, (_none, index) => [`k${index}`, 'value 1 a.b']));
    const data = large ? { ...values, ...largeTexts } : values;
    return [
      request('POST', path, { metadata: { name: 'a' }, webhooks: [hook] }),
      request('POST', configMaps, { metadata: { name: 'a', labels: { a: 'b' } }, data }),
      request('DELETE', `${configMaps}/a`),
    ];
  },
};

/** Values that could grow before their cost is charged. */
const largeTexts = { long: 'a'.repeat(300_000), digits: '9'.repeat(300_000), blanks: `${' '.repeat(300_000)}x` };
const onLargeTexts = [
  "object.data.all(k, object.data.long.charAt(299999) == 'a')",
  'object.data.all(k, size(object.data.long) > 0)',
  "object.data.long.replace('', object.data.long).size() > 0",
  "object.data.long.split('').map(x, object.data.long + x).size() > 0",
  "object.data.long.split('').sort().size() > 0",
  "object.data.long.split('').distinct().size() > 0",
  "sets.equivalent(object.data.long.split(''), object.data.digits.split(''))",
  "object.data.long.split('').all(x, x in object.data.digits.split(''))",
  "'x'.matches(object.data.long)",
  "object.data.long.matches('(a{1,30}){1,33}b')",
  "object.data.long.matches('^(a+)+$x')",
  "object.data.long.find('(a|aa)+b') == ''",
  "object.data.blanks.trim() == 'x'",
  'int(object.data.digits) > 0',
  'quantity(object.data.digits).isInteger()',
  "url('http://a/' + object.data.blanks).getHost() == 'a'",
  "'%s'.format([object.data]) != ''",
  'lists.range(1000000000).size() > 0',
  'object == oldObject',
] as const;

function textOf(random: RandomChoices): string {
  if (random.chance(0.05)) return random.pick(onLargeTexts);
  const text = generateExpression(random, 1 + random.upTo(5));
  if (random.chance(0.06)) return makeLong(random, text);
  return random.chance(0.15) ? corruptText(random, text) : text;
}

/** Long, deep or repeated parts, mostly above upstream's limits. */
function makeLong(random: RandomChoices, text: string): string {
  const count = Math.floor(100_000 / 10 ** (random.upTo(400) / 100)) + 1;
  return random.pick([
    () => '('.repeat(count) + text + ')'.repeat(count),
    () => '!'.repeat(count) + text,
    () => '-'.repeat(count) + '1 < 0',
    () => '['.repeat(count),
    () => `${'{1:'.repeat(count)}1`,
    () => Array.from({ length: count }, () => text).join(' || '),
    () =>
      Array.from({ length: count }, () => '1')
        .join(' + ')
        .concat(' > 0'),
    () => `true ${'? true : true '.repeat(count)}`,
    () => `${'true ? '.repeat(count)}true${' : true'.repeat(count)}`,
    () => `"${'a'.repeat(count)}" == "b"`,
    () => `[${'1,'.repeat(count)}1].exists(x, x == 2)`,
    () => `object${'.metadata'.repeat(count)}`,
    () => `object${'[0]'.repeat(count)}`,
    () => `'a'${'.lowerAscii()'.repeat(count)} == 'a'`,
    () =>
      `"${'(a*)*'.repeat(Math.min(count, 3000))}" == "b" || "aaaaaaaa".matches("${'(a*)*'.repeat(Math.min(count, 1000))}")`,
  ])();
}
