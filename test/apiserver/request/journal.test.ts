import { expect, test } from 'vitest';
import { createJournal } from '../../../src/apiserver/request/journal.ts';
import type { AdmissionResult } from '../../../src/apiserver/admission/chain/outcome.ts';
import type { ConversionRecord } from '../../../src/apiserver/custom-resources/converter.ts';

test('a journal keeps a hundred conversions, and every one that failed', () => {
  const journal = createJournal(() => 0);
  const record: ConversionRecord = {
    definition: 'things.x.dev',
    kind: 'Thing',
    namespace: 'ns',
    name: 'a',
    from: 'x.dev/v1',
    to: 'x.dev/v2',
    strategy: 'None',
    startedAt: 0,
    finishedAt: 0,
  };
  for (let count = 0; count < 99; count += 1) journal.conversion(record);
  const reported = (): number => journal.entries().length;
  const after = (next: ConversionRecord): number => {
    journal.conversion(next);
    return reported();
  };
  const failed = { ...record, error: 'no' };
  expect([reported(), after(record), after(record), after(failed), after(record), after(failed)]).toEqual([
    99, 100, 100, 101, 101, 102,
  ]);
});

test('what was admitted is kept with its collection item, if it has one', () => {
  const journal = createJournal(() => 0);
  const result: AdmissionResult = {
    verdict: { outcome: 'admitted', object: null },
    records: [],
    warnings: [],
    annotations: [],
  };
  const item = { object: 'a', again: 'removal' } as const;
  journal.admission('mutating', result);
  journal.item(item);
  journal.admission('mutating', result);
  const kept = { type: 'admission', phase: 'mutating', result };
  expect(journal.entries()).toEqual([kept, { ...kept, item }]);
});
