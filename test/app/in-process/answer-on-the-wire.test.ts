import { expect, test } from 'vitest';
import type { FaultKind } from '../../../src/testing/stubs/webhook-spec.ts';
import {
  configuration,
  failuresOf,
  play,
  runOptions,
  scenarioOf,
  step,
  manifest,
  webhook,
} from '../../harness/scenario.ts';
import type { ScenarioOutcome } from '../../../src/testing/scenario/outcome.ts';
import type { TracedWebhook } from '../../../src/explain/trace/trace.ts';

const kinds: readonly FaultKind[] = [
  { type: 'refuse' },
  { type: 'reset' },
  { type: 'dns' },
  { type: 'hang' },
  { type: 'slow-body', delay: { type: 'fixed', milliseconds: 60_000 } },
  { type: 'status', code: 503, body: 'later' },
  { type: 'garbage' },
  { type: 'wrong-uid' },
  { type: 'wrong-version' },
  { type: 'tls-expired' },
  { type: 'tls-wrong-name' },
  { type: 'tls-unknown-ca' },
  { type: 'tls-old-protocol' },
];

const nameOf = (index: number): string => `w${String(index).padStart(2, '0')}.example.com`;
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };

/** One request through a stub with each fault, all fail-open (a patch that does not apply never is), and one without that labels. */
const story = (clock: 'virtual' | 'real'): Promise<ScenarioOutcome> =>
  play(
    {
      ...scenarioOf({ clock }),
      webhooks: [
        ...kinds.map((what, index) => webhook(nameOf(index), { faults: [{ what }] })),
        webhook('last.example.com', { does: [{ type: 'label', labels: { seen: 'yes' } }] }),
      ],
      load: [
        manifest(
          configuration('Mutating', 'all', [
            ...kinds.map(({ type }, index) => ({
              name: nameOf(index),
              failurePolicy: 'Ignore',
              timeoutSeconds: type === 'hang' || type === 'slow-body' ? 1 : 30,
            })),
            { name: 'last.example.com' },
          ]),
        ),
      ],
      steps: [step({ type: 'create', object: configMap }, { outcome: 'admitted' })],
    },
    runOptions(),
  );

const toldBy = ({ steps }: ScenarioOutcome): readonly unknown[] =>
  (steps[0]?.trace?.admission ?? []).flatMap((one) =>
    one.type === 'webhook' && one.round === 0
      ? [[one.name, one.outcome, one.failurePhase, one.failureCause, ...textsOf(one), one.patch]]
      : [],
  );

/** Without the time of the run: that of the call is rounded up to whole seconds, and a busy machine uses some. */
const textsOf = ({ error = '', failureDetail = '' }: TracedWebhook): readonly string[] =>
  [error, failureDetail].map((text) => text.replace(/(?<=current time )\S+/, 'NOW').replace(/(?<=timeout=)\d+s/, 'Ns'));

// Issue 5, part 4: the same outcome, order and texts in virtual time as in real time.
test('in real time stubs respond over TLS with the same result', async () => {
  const [virtual, real] = await Promise.all([story('virtual'), story('real')]);
  expect([virtual, real].flatMap(failuresOf)).toEqual([]);
  expect([virtual.outcome, real.outcome]).toEqual(['passed', 'passed']);
  expect(toldBy(virtual)).toHaveLength(kinds.length + 1);
  expect(toldBy(real)).toEqual(toldBy(virtual));
}, 20_000);
