// What stands for the modules that record in a server that records nothing. Webhooks need their own records: whether
// there is a second round depends on them.
import { createAdmissionChain as chainWithTimes } from '../../src/apiserver/admission/chain/create-chain.ts';
import { createPassLog as passLogWithRecords } from '../../src/apiserver/admission/chain/pass-log.ts';
import { createJournal as journalWithEntries } from '../../src/apiserver/request/journal.ts';
import { createMetrics as countingMetrics } from '../../src/adapters/telemetry/metrics.ts';
import { createTracing as keptTraces } from '../../src/app/server/record-traces.ts';

const nothing = () => undefined;

export const createTracing = (...args) => ({ ...keptTraces(...args), record: nothing });

export const createMetrics = (now) => ({ ...countingMetrics(now), record: nothing });

export function createJournal(now) {
  const journal = journalWithEntries(now);
  const admission = (_phase, { warnings }) => warnings.forEach(journal.warn);
  return { ...journal, stage: nothing, admission };
}

export function createPassLog() {
  const log = passLogWithRecords();
  const record = (one) => (one.type === 'webhook' ? log.record(one) : undefined);
  return { ...log, record };
}

export const createAdmissionChain = (ports) => chainWithTimes({ ...ports, clock: { ...ports.clock, now: () => 0 } });
