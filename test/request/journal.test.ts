import { expect, test } from 'vitest';
import { createJournal } from '../../src/request/journal.ts';
import type { ConversionRecord } from '../../src/custom/conversion-record.ts';

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
  const told = (): number => journal.entries().length;
  const after = (next: ConversionRecord): number => {
    journal.conversion(next);
    return told();
  };
  const failed = { ...record, error: 'no' };
  expect([told(), after(record), after(record), after(failed), after(record), after(failed)]).toEqual([
    99, 100, 100, 101, 101, 102,
  ]);
});
