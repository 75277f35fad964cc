import type { Drawer } from '../../harness/drawer.ts';
import { spoiled } from '../../harness/hostile-value.ts';
import { request } from '../case.ts';
import type { Target } from '../case.ts';
import { expression } from '../expression.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

/** CEL expressions: compiled when they are stored, evaluated when somebody writes what they match. */
export const celExpressions: Target = {
  name: 'cel',
  draw: (draw, { webhook }) => {
    const count = draw.chance(0.9) ? 1 + draw.upTo(3) : draw.upTo(70);
    const conditions = Array.from({ length: count }, (_none, index) => ({
      name: `c${index}`,
      expression: textOf(draw),
    }));
    const hook = {
      name: 'w.example.com',
      clientConfig: webhook,
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 1,
      failurePolicy: draw.one(['Fail', 'Ignore']),
      matchConditions: conditions,
    };
    const path = `${admission}/validatingwebhookconfigurations`;
    const size = draw.chance(0.9) ? 3 : Math.floor(20_000 / 10 ** (draw.upTo(400) / 100));
    const data = Object.fromEntries(Array.from({ length: size }, (_none, index) => [`k${index}`, 'value 1 a.b']));
    return [
      request('POST', path, { metadata: { name: 'a' }, webhooks: [hook] }),
      request('POST', configMaps, { metadata: { name: 'a', labels: { a: 'b' } }, data }),
      request('DELETE', `${configMaps}/a`),
    ];
  },
};

function textOf(draw: Drawer): string {
  const text = expression(draw, 1 + draw.upTo(5));
  if (draw.chance(0.06)) return longest(draw, text);
  return draw.chance(0.15) ? spoiled(draw, text) : text;
}

/** Whatever is long, deep or repeated, most of it above what upstream reads. */
function longest(draw: Drawer, text: string): string {
  const count = Math.floor(100_000 / 10 ** (draw.upTo(400) / 100)) + 1;
  return draw.one([
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
