import type { Trace } from '../trace/trace.ts';
import { type Finding, type FindingRule, findingRules, type Severity } from './finding.ts';
import { createTraceView, type TraceView } from './trace-view.ts';
import {
  uselessReinvocation,
  calledAgain,
  calledTooEarly,
  changedNothing,
  notIdempotent,
} from './rules/reinvocation.ts';
import {
  overwroteClient,
  defaultRestored,
  overwritten,
  pluginOverrode,
  replacedList,
  revertedChanges,
} from './rules/conflicting-writes.ts';
import { dropped } from './rules/dropped.ts';
import { duplicateItem } from './rules/duplicate-item.ts';
import { noLongerLast } from './rules/no-longer-last.ts';
import { refusedByObject, refusedByPlugin, invalidField, missingField } from './rules/refusals.ts';
import { refusedOthersWork, refusedOwnWork } from './rules/denials.ts';
import { skippedTooEarly } from './rules/skipped-too-early.ts';
import { staleIndex } from './rules/stale-index.ts';
import { nearTimeout, slowest, timeUsedUp } from './rules/timing.ts';
import { unchecked } from './rules/unchecked.ts';

type Check = (view: TraceView) => readonly Finding[];

const checks: Readonly<Record<FindingRule, Check>> = {
  'refused-own-work': refusedOwnWork,
  'refused-others-work': refusedOthersWork,
  'stale-index': staleIndex,
  'duplicate-item': duplicateItem,
  'missing-field': missingField,
  'invalid-field': invalidField,
  'refused-by-object': refusedByObject,
  'refused-by-plugin': refusedByPlugin,
  'time-used-up': timeUsedUp,
  'skipped-too-early': skippedTooEarly,
  'called-too-early': calledTooEarly,
  'called-again-in-vain': uselessReinvocation,
  'replaced-list': replacedList,
  undone: revertedChanges,
  'not-idempotent': notIdempotent,
  overwritten,
  'plugin-overrode': pluginOverrode,
  'default-came-back': defaultRestored,
  dropped,
  unchecked,
  'near-timeout': nearTimeout,
  'no-longer-last': noLongerLast,
  'overwrote-client': overwroteClient,
  'changed-nothing': changedNothing,
  'called-again': calledAgain,
  slowest,
};

const severities: readonly Severity[] = ['error', 'warning', 'note'];

/** The findings of a request, errors first. */
export function findingsOf(trace: Trace): readonly Finding[] {
  const view = createTraceView(trace);
  return findingRules
    .flatMap((rule) => checks[rule](view))
    .toSorted((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity));
}
