import { renderExplanation } from '../../src/explain/render/explain.ts';
import { modelOf, type TraceModel } from '../../src/explain/render/model.ts';
import type { Finding } from '../../src/explain/findings/finding.ts';
import type { Trace } from '../../src/explain/trace/trace.ts';
import type { Chain } from './chain.ts';
import { type Claim, contradictionIn } from './claims.ts';
import { decisionProblems, summaryProblems } from './decision-claims.ts';
import { evidenceClaims } from './evidence-claims.ts';
import { findingClaims } from './finding-claims.ts';
import { denialHints, headlineClaims } from './headline-claims.ts';
import type { RequestResult } from './run-chain.ts';
import { surfaceProblems } from './surfaces.ts';
import { lineProblems } from './text-lines.ts';
import { type Truth, truthOf } from './truth.ts';

/** The explanation of a request: kadmit's own, or one with a planted lie. */
export interface Explainer {
  readonly model: (trace: Trace) => TraceModel;
  readonly text: (trace: Trace) => string;
}

const ownExplainer: Explainer = { model: modelOf, text: (trace) => renderExplanation(trace, { all: true }) };

/** All false statements about a chain. */
export function findFalseStatements(
  chain: Chain,
  played: readonly RequestResult[],
  teller: Explainer = ownExplainer,
): readonly string[] {
  const truths = played.map((one) => truthOf(chain, one));
  return [
    ...truths.flatMap((truth) => {
      const model = teller.model(truth.played.trace);
      return [...modelProblems(model, truth), ...lineProblems(teller.text(truth.played.trace), model, truth)];
    }),
    ...surfaceProblems(chain, truths),
  ];
}

function modelProblems(model: TraceModel, truth: Truth): readonly string[] {
  const said = (sentences: readonly string[], claims: readonly Claim[]): readonly string[] =>
    sentences.flatMap((sentence) => {
      const problem = contradictionIn(sentence, claims, truth);
      return problem === undefined ? [] : [`${sentence}: ${problem}`];
    });
  return [
    ...said(
      model.headlines.map(({ text }) => text),
      headlineClaims,
    ),
    ...said(
      model.headlines.flatMap(({ hint = '' }) => (hint.includes(' received the ') ? [hint] : [])),
      denialHints,
    ),
    ...said(
      model.findings.map(({ title }) => title),
      findingClaims,
    ),
    ...said(
      model.findings.flatMap(({ evidence }) => evidence.map(({ text }) => text)),
      evidenceClaims,
    ),
    ...checkLastWriters(model.findings),
    ...decisionProblems(model, truth),
    ...summaryProblems(model, truth),
  ];
}

/** Each field has one last writer. */
function checkLastWriters(findings: readonly Finding[]): readonly string[] {
  const words = findings.flatMap(({ evidence }) =>
    evidence.flatMap(({ text }) => /^(.*?) wrote (.*) last, since/.exec(text) ?? []),
  );
  const fields = words.filter((_text, at) => at % 3 === 2);
  return new Set(fields).size === fields.length ? [] : [`two have the last word on ${fields.join()}`];
}
