import { useEffect, useRef, useState } from 'preact/hooks';
import { exchangeLines, lossLines } from '../../explain/render/call-notes.ts';
import { type WebhookModel, webhookAddress } from '../../explain/render/decision-model.ts';
import type { TraceModel } from '../../explain/render/model.ts';
import type { TraceSummary } from '../../explain/trace/trace-summary.ts';
import type { Clause } from '../../explain/trace/webhook-clauses.ts';
import { durationText, plural, refusalWords } from '../words.ts';
import { DiffView, JsonView } from './json-view.tsx';
import { Part } from './pane-bar.tsx';

/** A card for each webhook, in the order considered; `focusKey` names the one to open. */
export function WebhooksPane({ model, focusKey }: { readonly model: TraceModel; readonly focusKey: string }) {
  const webhooks = model.passes
    .flatMap(({ decisions }) => decisions)
    .filter((decision): decision is WebhookModel => decision.type === 'webhook');
  const far = webhooks.filter(isFar);
  const [withFar, setWithFar] = useState(far.length <= mostFar || far.some(({ key }) => key === focusKey));
  const shown = withFar ? webhooks : webhooks.filter((webhook) => !isFar(webhook));
  if (webhooks.length === 0) return <p class="empty">No webhook was considered.</p>;
  return (
    <>
      {far.length > 0 && (
        <p class="pane-bar">
          <label>
            <input type="checkbox" checked={withFar} onChange={(event) => setWithFar(event.currentTarget.checked)} />
            {` also ${plural(far.length, 'decision')} about webhooks that were not meant for this, or not again`}
          </label>
        </p>
      )}
      {shown.map((webhook) => (
        <WebhookCard
          key={webhook.key}
          webhook={webhook}
          isOpen={webhook.key === focusKey || isOpenAnyway(webhook)}
          isFocused={webhook.key === focusKey}
        />
      ))}
    </>
  );
}

const mostFar = 12;

const isFar = ({ nearness }: WebhookModel): boolean => nearness === 'far';

const isOpenAnyway = ({ outcome, nearness }: WebhookModel): boolean => outcome !== 'skipped' || nearness === 'near';

interface WebhookCardProps {
  readonly webhook: WebhookModel;
  readonly isOpen: boolean;
  /** Scrolls into view. */
  readonly isFocused: boolean;
}

const words: Readonly<Record<WebhookModel['outcome'], string>> = {
  called: 'allowed',
  skipped: 'not called',
  denied: 'denied',
  'failed-open': 'failed open',
  'failed-closed': 'failed closed',
  refused: 'refused',
};

/** One webhook and one request: the result and its reason, the review, the response and the changes. */
function WebhookCard({ webhook, isOpen, isFocused }: WebhookCardProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isFocused) ref.current?.scrollIntoView({ block: 'start' });
  }, [isFocused]);
  const { name, configuration, phase, round, outcome, tone, sentence, source } = webhook;
  return (
    <details ref={ref} class={`card tone-${tone}`} open={isOpen}>
      <summary>
        <span class="card-name">{name}</span>{' '}
        <span class="badge">{source.assumed === undefined ? words[outcome] : 'assumed'}</span>{' '}
        <span class="quiet">
          {phase}
          {round === 1 && ', second round'} · {configuration}
          {outcome !== 'skipped' && ` · ${timeText(webhook)}`}
        </span>
      </summary>
      <p class="decision-sentence">{sentence}</p>
      <Texts texts={exchangeLines(source)} kind="warning" />
      <Texts texts={webhook.advice} kind="hint" />
      <Texts texts={webhook.hints} kind="hint" />
      <Texts texts={webhook.warnings.map((warning) => `warning: ${warning}`)} kind="warning" />
      <Texts texts={lossLines(source)} kind="warning" />
      <Clauses clauses={webhook.clauses} />
      <Texts texts={webhook.conditions} kind="quiet" />
      {webhook.diff.length > 0 && (
        <Part title="Changed" isOpen>
          {() => <DiffView lines={webhook.diff} />}
        </Part>
      )}
      <JsonPart title="Patch" value={source.patch} />
      <JsonPart title="Review sent" value={source.review} />
      <JsonPart title="Answer" value={source.answer} />
      <JsonPart title="Status" value={source.status} />
      <JsonPart title="Audit annotations" value={source.auditAnnotations} />
      <JsonPart title={`Definition${addressText(webhook)}`} value={source.definition} />
    </details>
  );
}

function timeText({ milliseconds, timeoutMilliseconds, failurePolicy }: WebhookModel): string {
  const allowed = timeoutMilliseconds === null ? '' : ` of ${durationText(timeoutMilliseconds)}`;
  return `${durationText(milliseconds)}${allowed} · failurePolicy ${failurePolicy}`;
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

/** The webhook that refused, the numbers of failed, called and skipped ones; the message of any other refusal. */
export function WebhookCounts({ summary }: { readonly summary: TraceSummary }) {
  const { denied, failed, skipped, assumed = [] } = summary.webhooks;
  const called = summary.webhooks.called.filter((name) => !assumed.includes(name));
  // A failure that refused the request.
  const isFatal = summary.verdict === 'refused' && denied.length === 0;
  const isRefusedElsewhere = summary.verdict === 'refused' && denied.length + failed.length === 0;
  return (
    <>
      <Names names={denied} kind="is-bad" text={`denied by ${named(denied)}`} />
      <Names names={failed} kind={isFatal ? 'is-bad' : 'is-warning'} text={`${named(failed)} failed`} />
      {isRefusedElsewhere && <span class="is-bad">{refusalWords(summary.message)}</span>}
      <Names names={assumed} kind="is-warning" text={`${assumed.length} assumed`} />
      <Names names={called} kind="" text={`${called.length} called`} />
      <Names names={skipped} kind="quiet" text={`${skipped.length} skipped`} />
    </>
  );
}

/** `a.example.com`, `a.example.com and 2 more`: the first name is always visible. */
const named = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;

interface NamesProps {
  readonly names: readonly string[];
  readonly kind: string;
  readonly text: string;
}

const Names = ({ names, kind, text }: NamesProps) =>
  names.length === 0 ? null : (
    <span class={kind} title={names.join('\n')}>
      {text}
    </span>
  );
