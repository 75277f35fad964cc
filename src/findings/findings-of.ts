import type { Trace } from '../trace/trace.ts';
import { findingRules } from './finding.ts';
import type { Finding, FindingRule, Severity } from './finding.ts';
import { readTrace } from './reading.ts';
import type { Reading } from './reading.ts';
import { calledAgainInVain } from './rules/called-again-in-vain.ts';
import { calledTooEarly } from './rules/called-too-early.ts';
import { duplicateItem } from './rules/duplicate-item.ts';
import { notIdempotent } from './rules/not-idempotent.ts';
import { overwritten } from './rules/overwritten.ts';
import { replacedList } from './rules/replaced-list.ts';
import { undone } from './rules/undone.ts';

/** What one rule finds in a request. */
type Check = (reading: Reading) => readonly Finding[];

const checks: Readonly<Record<FindingRule, Check>> = {
  'duplicate-item': duplicateItem,
  'called-too-early': calledTooEarly,
  'called-again-in-vain': calledAgainInVain,
  'not-idempotent': notIdempotent,
  'replaced-list': replacedList,
  undone,
  overwritten,
};

const severities: readonly Severity[] = ['error', 'warning', 'note'];

/** What is worth knowing about a request, the gravest and most telling first. Pure: the same trace, the same findings. */
export function findingsOf(trace: Trace): readonly Finding[] {
  const reading = readTrace(trace);
  return findingRules
    .flatMap((rule) => checks[rule](reading))
    .toSorted((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity));
}
