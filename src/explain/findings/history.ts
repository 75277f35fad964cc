import { asString, type JsonValue } from '../../machinery/json/json.ts';
import { isSameValue } from './conflicts.ts';
import { type FieldPath, pathText } from '../trace/field-path.ts';
import { refusalMessage } from '../trace/trace-summary.ts';
import type { Trace } from '../trace/trace.ts';
import { describeField, describeList, describeValue } from './describe-field.ts';
import { singleChanges } from './trace-view.ts';

/** Findings over several writes of one object; docs/reference/findings.md has a paragraph for each. */
export const historyRules = ['fought-over', 'refused-again', 'written-in-vain'] as const;

export interface HistoryFinding {
  readonly rule: (typeof historyRules)[number];
  readonly severity: 'warning' | 'note';
  readonly title: string;
  readonly evidence: readonly string[];
  readonly remedy: string;
}

/** `traces`: the writes of one object, oldest first. */
export function historyFindings(traces: readonly Trace[]): readonly HistoryFinding[] {
  const stored = traces.filter(({ request, verdict }) => verdict === 'admitted' && !request.dryRun);
  return [...contestedFields(stored), ...refusedAgain(traces), ...unchangedWrites(stored)];
}

const writerName = ({ request }: Trace): string => asString(request.user?.['username']);

interface Setting {
  readonly by: string;
  readonly value: JsonValue | undefined;
}

/** Two users set one field to different values, at least twice each. */
const contestedFields = (stored: readonly Trace[]): readonly HistoryFinding[] =>
  [...settingsIn(stored).values()].flatMap(({ path, settings }) => {
    const returns = settings.filter(
      ({ by, value }, at) => at >= 2 && settings[at - 1]?.by !== by && isSameValue(settings[at - 2]?.value, value),
    );
    if (returns.length < minReturns) return [];
    const writers = [...new Set(settings.map(({ by }) => by))];
    return [
      {
        rule: 'fought-over' as const,
        severity: 'warning' as const,
        title: `${describeList(writers)} set ${describeField(path)} back and forth, ${settings.length} times`,
        evidence: settings.slice(-maxShownSettings).map(({ by, value }) => `${describeValue(value)} by ${by}`),
        remedy: 'let only one of them own the field: remove it from the writes of the others',
      },
    ];
  });

const minReturns = 2;
const maxShownSettings = 4;

/** The writers and values of each field, without the server's own fields. */
function settingsIn(stored: readonly Trace[]): ReadonlyMap<string, { path: FieldPath; settings: readonly Setting[] }> {
  const fields = new Map<string, { path: FieldPath; settings: readonly Setting[] }>();
  for (const trace of stored) {
    const { objectBefore, objectAfter } = trace;
    if (!objectBefore || !objectAfter) continue;
    for (const { path, after } of singleChanges(objectBefore, objectAfter)) {
      if (isServerField(path)) continue;
      const key = pathText(path);
      const settings = fields.get(key)?.settings ?? [];
      fields.set(key, { path, settings: [...settings, { by: writerName(trace), value: after }] });
    }
  }
  return fields;
}

const isServerField = ([first, second]: FieldPath): boolean =>
  first === 'metadata' && (second === 'resourceVersion' || second === 'generation');

const minRefusals = 3;

/** The last writes of one user were refused for the same reason. */
function refusedAgain(traces: readonly Trace[]): readonly HistoryFinding[] {
  const last = traces.at(-1);
  if (last?.verdict !== 'refused' || last.response.code === 409) return [];
  const [by, message] = [writerName(last), refusalMessage(last)];
  const others = traces.findLastIndex((one) => writerName(one) !== by || refusalMessage(one) !== message);
  const count = traces.length - 1 - others;
  if (count < minRefusals) return [];
  return [
    {
      rule: 'refused-again',
      severity: 'warning',
      title: `${by} was refused ${count} times in a row for the same reason`,
      evidence: [message],
      remedy: 'it retries without a change: correct what the last refusal names',
    },
  ];
}

const minUnchanged = 5;

/** One user writes without changing anything. */
function unchangedWrites(stored: readonly Trace[]): readonly HistoryFinding[] {
  const idle = stored.filter(
    ({ objectBefore, objectAfter }) =>
      objectBefore && objectAfter && singleChanges(objectBefore, objectAfter).length === 0,
  );
  return [...new Set(idle.map(writerName))].flatMap((by) => {
    const count = idle.filter((one) => writerName(one) === by).length;
    if (count < minUnchanged) return [];
    const remedy =
      'compare with the stored object before writing: webhooks and defaults make it differ from what was sent';
    return [
      {
        rule: 'written-in-vain',
        severity: 'note',
        title: `${by} wrote ${count} times without a change`,
        evidence: [],
        remedy,
      },
    ];
  });
}
