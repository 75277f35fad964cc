import { renderExplanation } from '../../src/explain/render/explain.ts';
import type { Headline } from '../../src/explain/render/about-decision.ts';
import { modelOf, type TraceModel } from '../../src/explain/render/model.ts';
import { actorText, type Finding } from '../../src/explain/findings/finding.ts';
import { conflictsOf, isBetweenCallees } from '../../src/explain/findings/conflicts.ts';
import { denialText } from '../../src/explain/findings/rules/denials.ts';
import { describeField } from '../../src/explain/findings/describe-field.ts';
import { createTraceView } from '../../src/explain/findings/trace-view.ts';
import type { Trace } from '../../src/explain/trace/trace.ts';
import type { Explainer } from './check-explanations.ts';

const createExplainer = (lie: (model: TraceModel, trace: Trace) => TraceModel): Explainer => ({
  model: (trace) => lie(modelOf(trace), trace),
  text: (trace) => renderExplanation(trace, { all: true }),
});

const finding = (title: string, evidence: Finding['evidence'] = []): Finding => ({
  rule: 'undone',
  severity: 'warning',
  title,
  where: { actors: [], fields: [] },
  evidence,
  remedy: '',
});

/** The headline of a webhook describes only its last round, as an earlier version did. */
const lastRound = createExplainer((model) => {
  const skipped = model.passes.flatMap(({ decisions, round }) =>
    decisions.flatMap((one) =>
      one.type === 'webhook' &&
      one.outcome === 'skipped' &&
      round === 1 &&
      one.source.reason?.because !== 'not-reinvoked'
        ? [one]
        : [],
    ),
  );
  const lies = skipped.map(({ name, configuration, tone, sentence }): Headline => {
    const text = `mutating webhook ${name} (${configuration}) was not called: ${sentence}`;
    return { tone, about: 'near-miss', name, text };
  });
  return { ...model, headlines: [...model.headlines, ...lies] };
});

/** Any word of a denial that names another one's change is reported as its cause. */
const anyWord = createExplainer((model, trace) => {
  const { decisions } = createTraceView(trace);
  const lies = decisions.flatMap((denial) => {
    if (denial.record.outcome !== 'denied') return [];
    const words = denialText(denial.record).split(/[^\w./-]+/);
    const writes = decisions.flatMap((turn) =>
      turn.at < denial.at ? turn.changes.map((change) => ({ by: turn, change })) : [],
    );
    return writes.flatMap(({ by: turn, change: { path } }) =>
      words.some((word) => word === path.at(-1))
        ? [
            finding(
              `${actorText(denial.actor)} denied, and its message names ${describeField(path)}, which ${actorText(turn.actor)} set`,
            ),
          ]
        : [],
    );
  });
  return { ...model, findings: [...model.findings, ...lies] };
});

/** Reports every later writer as the last one. */
const manyLastWords = createExplainer((model, trace) => {
  const lies = conflictsOf(createTraceView(trace)).flatMap((conflict) => {
    const { by: turn, change } = conflict.later;
    if (!isBetweenCallees(conflict) || turn === undefined) return [];
    const title = `${describeField(change.path)} was set by ${actorText(conflict.earlier.by.actor)} and then by ${actorText(turn.actor)}`;
    return [
      finding(title, [
        { text: `${actorText(turn.actor)} wrote ${describeField(change.path)} last, since it is called later` },
      ]),
    ];
  });
  return { ...model, findings: [...model.findings, ...lies] };
});

/** False explanations of earlier versions, by fault. */
export const lies: Readonly<Record<string, Explainer>> = {
  'a webhook that was called in the first round was not called': lastRound,
  'a denial is about any name that it has a word of': anyWord,
  'several have the last word on one field': manyLastWords,
};
