import { expect, test } from 'vitest';
import {
  type DoctorCheck,
  expiryCheck,
  nodeCheck,
  backendCheck,
  kubeconfigChecks,
} from '../../../../src/app/cli/doctor/checks.ts';
import { doctorText } from '../../../../src/app/cli/doctor/doctor.ts';
import type { ServerAccess } from '../../../../src/adapters/config/kubeconfig/call-server.ts';
import { plain } from '../../../../src/explain/render/explain-page.ts';
import type { ChainBackend } from '../../../../src/explain/trace/chain-document.ts';

const now = Date.UTC(2026, 0, 1);
const day = 86_400_000;

const webhook: ChainBackend = { phase: 'validating', name: 'a.x.io', within: 'checks', failurePolicy: 'Fail' };
const gone = { outcome: 'unreachable', phase: 'resolve', error: 'service "a" not found' } as const;
const there = { outcome: 'reachable', address: 'http://127.0.0.1:1' } as const;

const access = (kubeconfig: string): ServerAccess => ({
  kubeconfig,
  url: 'https://127.0.0.1:6443',
  ca: undefined,
  certificate: undefined,
  key: undefined,
  token: undefined,
  serverName: undefined,
  insecure: false,
  namespace: 'default',
});
const own = '.kadmit/kubeconfig';

const rows: readonly [fact: string, check: DoctorCheck | undefined, level: DoctorCheck['level'], text: RegExp][] = [
  ['the oldest Node', nodeCheck('20.20.0', '1'), 'ok', /Node 20\.20\.0/],
  ['a newer one', nodeCheck('22.1.0', '1'), 'ok', /Node 22/],
  ['an older minor', nodeCheck('20.19.9', '1'), 'problem', /Node 20\.19/],
  ['an older one', nodeCheck('18.20.0', '1'), 'problem', /Node 18/],
  [
    'a certificate',
    expiryCheck('server-certificate', 'it', { notAfter: now + 31 * day, now }),
    'ok',
    /it is valid until 2026-02-01/,
  ],
  [
    'one that ends soon',
    expiryCheck('server-certificate', 'it', { notAfter: now + 29 * day, now }),
    'warning',
    /2026-01-30/,
  ],
  [
    'one that has ended',
    expiryCheck('server-certificate', 'it', { notAfter: now, now }),
    'problem',
    /it expired on 2026-01-01/,
  ],
  ['a webhook that is there', backendCheck({ ...webhook, health: there }, now), 'ok', /accepts connections/],
  ['one that is not', backendCheck({ ...webhook, health: gone }, now), 'problem', /UNREACHABLE \(resolve\)/],
  [
    'one that is not, and fails open',
    backendCheck({ ...webhook, failurePolicy: 'Ignore', health: gone }, now),
    'problem',
    /UNREACHABLE/,
  ],
  ['one that does not run', backendCheck({ ...webhook, assumed: 'deny' }, now), 'note', /assumed to deny/],
  ['no kubeconfig', kubeconfigChecks(own, undefined, {})[0], 'problem', /no server runs/],
  ['that of the folder', kubeconfigChecks(own, access(own), {})[0], 'ok', /it is in this folder/],
  [
    'one of KUBECONFIG',
    kubeconfigChecks(own, access('/x/kc'), { KUBECONFIG: '/x/kc' })[0],
    'ok',
    /selected by KUBECONFIG/,
  ],
  ['kubectl uses it too', kubeconfigChecks(own, access('/x/kc'), { KUBECONFIG: '/x/kc' })[1], 'ok', /the same/],
  ['one that was asked for', kubeconfigChecks('/y', access('/y'), {})[0], 'ok', /selected by --kubeconfig/],
  [
    'kubectl goes elsewhere',
    kubeconfigChecks(own, access(own), { KUBECONFIG: '/z' })[1],
    'warning',
    /would use \/z, selected by KUBECONFIG/,
  ],
];

test.each(rows)('%s', (_fact, check, level, text) => {
  expect(check).toMatchObject({ level, text: expect.stringMatching(text) });
});

test('the last line counts the problems', () => {
  const check = (level: DoctorCheck['level']): DoctorCheck => ({ code: 'node', level, text: 'x', hint: 'do it' });
  const text = (...levels: readonly DoctorCheck['level'][]): string | undefined =>
    doctorText(levels.map(check), { paint: plain, width: Infinity }).split('\n').at(-1);
  expect(text('ok', 'note')).toBe('no problems found');
  expect(text('problem', 'warning', 'problem')).toBe('2 problems, 1 warning');
});
