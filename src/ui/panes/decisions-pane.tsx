import { useEffect, useRef, useState } from 'preact/hooks';
import { exchangeLines, lossLines } from '../../explain/render/call-notes.ts';
import type { CalleeModel } from '../../explain/render/callee-headline.ts';
import { type WebhookModel, webhookAddress } from '../../explain/render/decision-model.ts';
import { calleeName } from '../../explain/render/decision-table.ts';
import type { TraceModel } from '../../explain/render/model.ts';
import type { Clause } from '../../explain/trace/webhook-clauses.ts';
import { durationText, plural } from '../words.ts';
import { DiffView, JsonView } from './json-view.tsx';
import { Part } from './pane-bar.tsx';

/** A card for each webhook and policy, in the order considered; `focusKey` names the one to open. */
export function DecisionsPane({ model, focusKey }: { readonly model: TraceModel; readonly focusKey: string }) {
  const decisions = model.passes.flatMap((pass) => pass.decisions.flatMap((one) => (one.type === 'plugin' ? [] : one)));
  const far = decisions.filter(isFar);
  const [withFar, setWithFar] = useState(far.length <= maxFarMisses || far.some(({ key }) => key === focusKey));
  const shown = withFar ? decisions : decisions.filter((one) => !isFar(one));
  if (decisions.length === 0) return <p class="empty">No webhook or policy was considered.</p>;
  return (
    <>
      {far.length > 0 && (
        <p class="pane-bar">
          <label>
            <input type="checkbox" checked={withFar} onChange={(event) => setWithFar(event.currentTarget.checked)} />
            {` show ${plural(far.length, 'decision')} that did not match or did not reinvoke`}
          </label>
        </p>
      )}
      {shown.map((decision) => (
        <DecisionCard
          key={decision.key}
          decision={decision}
          isOpen={decision.key === focusKey || decision.outcome !== 'skipped' || decision.nearness === 'near'}
          isFocused={decision.key === focusKey}
        />
      ))}
    </>
  );
}

const maxFarMisses = 12;

const isFar = ({ nearness }: CalleeModel): boolean => nearness === 'far';

interface DecisionCardProps {
  readonly decision: CalleeModel;
  readonly isOpen: boolean;
  /** Scrolls into view. */
  readonly isFocused: boolean;
}

const outcomeTexts: Readonly<Record<CalleeModel['outcome'], string>> = {
  called: 'allowed',
  evaluated: 'evaluated',
  skipped: 'skipped',
  denied: 'denied',
  'failed-open': 'failed open',
  'failed-closed': 'failed closed',
  refused: 'refused',
};

/** The result and its reason, the changes, and of a webhook the review and the response. */
function DecisionCard({ decision, isOpen, isFocused }: DecisionCardProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isFocused) ref.current?.scrollIntoView({ block: 'start' });
  }, [isFocused]);
  const { phase, round, outcome, sentence, warnings, diff, source } = decision;
  const isAssumed = decision.type === 'webhook' && decision.source.assumed !== undefined;
  return (
    <details ref={ref} class={`card tone-${outcome === 'skipped' ? 'quiet' : decision.tone}`} open={isOpen}>
      <summary>
        <span class="card-name">{calleeName(decision)}</span>{' '}
        <span class="badge">{isAssumed ? 'assumed' : outcomeTexts[outcome]}</span>{' '}
        <span class="quiet">
          {phase}
          {round === 1 && ', second round'}
          {outcome !== 'skipped' && ` · ${timeText(decision)}`}
        </span>
      </summary>
      <p>{sentence}</p>
      <Texts texts={decision.hints} kind="hint" />
      <Texts texts={warnings.map((warning) => `warning: ${warning}`)} kind="" />
      <Texts texts={lossLines(source)} kind="warning" />
      {decision.type === 'policy' ? <Texts texts={decision.details} kind="quiet" /> : <Criteria webhook={decision} />}
      {diff.length > 0 && (
        <Part title="Changed" isOpen>
          {() => <DiffView lines={diff} />}
        </Part>
      )}
      {decision.type === 'webhook' && <Exchange webhook={decision} />}
    </details>
  );
}

const Criteria = ({ webhook }: { readonly webhook: WebhookModel }) => (
  <>
    <Texts texts={exchangeLines(webhook.source)} kind="warning" />
    <Texts texts={webhook.advice} kind="hint" />
    <Clauses clauses={webhook.clauses} />
    <Texts texts={webhook.conditions} kind="quiet" />
  </>
);

const Exchange = ({ webhook }: { readonly webhook: WebhookModel }) => {
  const { source } = webhook;
  return (
    <>
      <JsonPart title="Patch" value={source.patch} />
      <JsonPart title="Review sent" value={source.review} />
      <JsonPart title="Answer" value={source.answer} />
      <JsonPart title="Status" value={source.status} />
      <JsonPart title="Audit annotations" value={source.auditAnnotations} />
      <JsonPart title={`Definition${addressText(webhook)}`} value={source.definition} />
    </>
  );
};

function timeText(decision: CalleeModel): string {
  const { milliseconds, failurePolicy } = decision;
  const limit = decision.type === 'webhook' ? decision.timeoutMilliseconds : null;
  return `${durationText(milliseconds)}${limit === null ? '' : ` of ${durationText(limit)}`} · failurePolicy ${failurePolicy}`;
}

function addressText({ source }: WebhookModel): string {
  const address = webhookAddress(source);
  if (address === '') return '';
  const of = source.program === undefined ? '' : ` of ${source.program}`;
  return source.url === undefined ? `: ${address}` : `: ${address}, called at ${source.url}${of}`;
}

const Texts = ({ texts, kind }: { readonly texts: readonly string[]; readonly kind: string }) => (
  <>
    {texts.map((text) => (
      <p key={text} class={kind}>
        {text}
      </p>
    ))}
  </>
);

const marks: Readonly<Record<Clause['result'], string>> = { met: '✓', decided: '✗', 'not-reached': '–', failed: '!' };

/** Each required clause, in the order of evaluation. */
function Clauses({ clauses }: { readonly clauses: readonly Clause[] }) {
  return (
    <ul class="clauses">
      {clauses.map(({ clause, result, sentence }, at) => (
        <li key={`${clause}${at}`} class={`clause-${result}`}>
          <span class="mark" title={result}>
            {marks[result]}
          </span>
          {sentence}
        </li>
      ))}
    </ul>
  );
}

const JsonPart = ({ title, value }: { readonly title: string; readonly value: unknown }) =>
  value === undefined || value === null ? null : <Part title={title}>{() => <JsonView value={value} />}</Part>;
