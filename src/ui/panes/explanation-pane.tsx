import type { DecisionModel } from '../../explain/render/decision-model.ts';
import { isHeadline } from '../../explain/render/headlines.ts';
import type { PolicyModel } from '../../explain/render/policy-model.ts';
import type { PassModel, TraceModel } from '../../explain/render/model.ts';
import type { Trace, TracedWebhook } from '../../explain/trace/trace.ts';
import { DiffView } from './json-view.tsx';
import { Part } from './pane-bar.tsx';
import { Waterfall } from './waterfall.tsx';

export interface ExplanationPaneProps {
  readonly trace: Trace;
  readonly model: TraceModel;
  /** Opens the card of the decision with this key. */
  readonly onWebhook: (key: string) => void;
}

/** Headlines and findings, the waterfall, then a sentence for every decision. */
export function ExplanationPane({ trace, model, onWebhook }: ExplanationPaneProps) {
  const keyOf = (webhook: TracedWebhook): string =>
    model.passes.flatMap(({ decisions }) => decisions).find((one) => one.type === 'webhook' && one.source === webhook)
      ?.key ?? '';
  const headlines = model.headlines.filter(isShownHere);
  return (
    <>
      <ul class="headlines">
        <Findings findings={model.findings.filter((finding) => !isNote(finding))} />
        <Headlines headlines={headlines.filter(isGrave)} />
        <Headlines headlines={headlines.filter((headline) => !isGrave(headline))} />
        <Findings findings={model.findings.filter((finding) => isNote(finding) && !isHeadline(finding, headlines))} />
      </ul>
      <Waterfall trace={trace} onWebhook={(webhook) => onWebhook(keyOf(webhook))} />
      {model.passes.map((pass) => (
        <Pass key={`${pass.attempt}/${pass.phase}/${pass.round}`} pass={pass} onWebhook={onWebhook} />
      ))}
    </>
  );
}

type FindingModel = TraceModel['findings'][number];
type HeadlineModel = TraceModel['headlines'][number];

/** Notes are below the decisions. */
const isNote = ({ severity }: FindingModel): boolean => severity === 'note';

const isGrave = ({ tone }: HeadlineModel): boolean => tone === 'bad';

const Findings = ({ findings }: { readonly findings: readonly FindingModel[] }) => (
  <>
    {findings.map(({ rule, severity, title, evidence, remedy }) => (
      <li key={`${rule} ${title}`} class={`tone-${tones[severity]}`}>
        {title}
        {evidence.map(({ text }) => (
          <p key={text} class="quiet">
            {text}
          </p>
        ))}
        <p class="hint">{remedy}</p>
      </li>
    ))}
  </>
);

const Headlines = ({ headlines }: { readonly headlines: readonly HeadlineModel[] }) => (
  <>
    {headlines.map(({ tone, text, hint, key }, at) => (
      <li key={key ?? at} class={`tone-${tone}`}>
        {text}
        {hint !== undefined && <p class="hint">{hint}</p>}
      </li>
    ))}
  </>
);

const tones = { error: 'bad', warning: 'warn', note: 'quiet' } as const;

/** The decisions list webhooks that are meant for other requests. */
const isShownHere = ({ about }: HeadlineModel): boolean => about !== 'far-miss';

/** Plugins without an effect are hidden. */
const isShown = (decision: DecisionModel): boolean => decision.type !== 'plugin' || decision.outcome !== 'passed';

/** Skipped, and meant for other requests. */
const isFar = (decision: DecisionModel): boolean => decision.type !== 'plugin' && decision.nearness === 'far';

const mostFar = 3;

function Pass({ pass, onWebhook }: { readonly pass: PassModel; readonly onWebhook: (key: string) => void }) {
  const shown = pass.decisions.filter(isShown);
  const far = shown.filter(isFar);
  const isLong = far.length > mostFar;
  const passed = pass.decisions.length - shown.length;
  if (shown.length === 0) return null;
  return (
    <section class="pass">
      <h3>
        {pass.title}
        {passed > 0 && <span class="quiet"> {passed} plugins let it pass</span>}
      </h3>
      <Decisions decisions={isLong ? shown.filter((one) => !isFar(one)) : shown} onWebhook={onWebhook} />
      {isLong && (
        <Part
          title={`${far.length} ${far.some(({ type }) => type === 'policy') ? 'webhooks and policies' : 'webhooks'} were meant for something else`}
        >
          {() => <Decisions decisions={far} onWebhook={onWebhook} />}
        </Part>
      )}
      {pass.reinvocation !== undefined && <p class="quiet">{pass.reinvocation}</p>}
    </section>
  );
}

interface DecisionsProps {
  readonly decisions: readonly DecisionModel[];
  readonly onWebhook: (key: string) => void;
}

const Decisions = ({ decisions, onWebhook }: DecisionsProps) => (
  <ol>
    {decisions.map((decision) => (
      <li key={decision.key} class={`tone-${decision.tone}`}>
        {decision.type === 'webhook' ? (
          <>
            <button type="button" class="link" onClick={() => onWebhook(decision.key)}>
              {decision.name}
            </button>
            <span class="quiet"> of {decision.configuration}:</span>
          </>
        ) : (
          <span>
            {decision.type} {decision.name}
            {decision.type === 'policy' && <span class="quiet">{turnText(decision)}</span>}
          </span>
        )}
        <span class="decision-sentence">
          {skippedText(decision)}
          {decision.sentence}
        </span>
        {decision.type === 'policy' && <PolicyDetails policy={decision} />}
      </li>
    ))}
  </ol>
);

/** ` of binding limits, params ConfigMap default/limits`. */
function turnText({ binding, params }: PolicyModel): string {
  if (binding === '') return '';
  return ` of binding ${binding}${params === '' ? '' : `, params ${params}`}`;
}

function skippedText({ outcome, type }: DecisionModel): string {
  if (outcome !== 'skipped') return ' ';
  return type === 'policy' ? ' not evaluated: ' : ' not called: ';
}

const PolicyDetails = ({ policy: { details, warnings, diff } }: { readonly policy: PolicyModel }) => (
  <>
    {details.map((text) => (
      <p key={text} class="quiet">
        {text}
      </p>
    ))}
    {warnings.map((text) => (
      <p key={text} class="tone-warn">
        warned: {text}
      </p>
    ))}
    {diff.length > 0 && <DiffView lines={diff} />}
  </>
);
