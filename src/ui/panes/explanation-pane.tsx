import type { Finding } from '../../explain/findings/finding.ts';
import type { Headline } from '../../explain/render/about-decision.ts';
import type { TableRow } from '../../explain/render/decision-table.ts';
import { isWarningOrError } from '../../explain/render/digest.ts';
import { type PrintedAbove, rowNotes } from '../../explain/render/explain-rounds.ts';
import { isAboutRounds } from '../../explain/render/headlines.ts';
import type { TraceModel } from '../../explain/render/model.ts';
import type { Trace, TracedWebhook } from '../../explain/trace/trace.ts';
import { plural } from '../words.ts';
import { Part } from './pane-bar.tsx';
import { Waterfall } from './waterfall.tsx';

export interface ExplanationPaneProps {
  readonly trace: Trace;
  readonly model: TraceModel;
  /** Opens the card of the decision with this key. */
  readonly onDecision: (key: string) => void;
}

/** As `kadmit explain`: findings and causes, then a row for each webhook and policy; further details closed. */
export function ExplanationPane({ trace, model, onDecision }: ExplanationPaneProps) {
  const { headline, findings, table, passes } = model;
  const wrong = findings.filter(isWarningOrError);
  const causes = model.headlines.filter(({ about }) => aboutCauses.has(about));
  const printed: PrintedAbove = {
    hints: new Set([
      ...wrong.flatMap(({ remedy, evidence }) => [remedy, ...evidence.map(({ text }) => text)]),
      ...causes.flatMap(({ hint = '' }) => hint),
    ]),
    headlines: causes,
  };
  const far = table.filter(({ decision }) => decision.nearness === 'far');
  const isFolded = far.length > maxFarMisses || far.length < table.length;
  const keyOf = (webhook: TracedWebhook): string =>
    passes.flatMap(({ decisions }) => decisions).find((one) => one.type === 'webhook' && one.source === webhook)?.key ??
    '';
  const rows = { printed, onDecision };
  return (
    <>
      <ul class="headlines">
        <Findings findings={wrong} title={headline.text} />
        <Causes causes={causes} title={headline.text} />
        <Findings findings={findings.filter((one) => !isWarningOrError(one) && !isAboutRounds(one))} title="" />
      </ul>
      <DecisionTable {...rows} rows={isFolded ? table.filter((row) => !far.includes(row)) : table} />
      {isFolded && far.length > 0 && (
        <Part title={`${far.length} that do not match this request`}>
          {() => <DecisionTable {...rows} rows={far} />}
        </Part>
      )}
      <SecondRound model={model} />
      <Plugins model={model} />
      <AuditAnnotations trace={trace} />
      <Waterfall trace={trace} onWebhook={(webhook) => onDecision(keyOf(webhook))} />
    </>
  );
}

/** The table explains calls and skips. */
const aboutCauses: ReadonlySet<Headline['about']> = new Set(['refusal', 'failed-open', 'no-webhook']);

/** At most this many webhooks that do not match are listed when no other row is. */
const maxFarMisses = 3;

const tones = { error: 'bad', warning: 'warn', note: 'quiet' } as const;

const Findings = ({ findings, title: shown }: { readonly findings: readonly Finding[]; readonly title: string }) => (
  <>
    {findings.map(({ rule, severity, title, evidence, remedy }) => (
      <li key={`${rule} ${title}`} class={`tone-${tones[severity]}`}>
        {title !== shown && title}
        {evidence.map(({ text }) => (
          <p key={text} class="quiet">
            {text}
          </p>
        ))}
        {(severity !== 'note' || evidence.length > 0) && <p class="hint">{remedy}</p>}
      </li>
    ))}
  </>
);

/** The first refusal is the message above. */
const Causes = ({ causes, title }: { readonly causes: readonly Headline[]; readonly title: string }) => (
  <>
    {causes.map(({ about, tone, text, hint, key }, at) => {
      const isShown = text === title || (at === 0 && about === 'refusal');
      return isShown && hint === undefined ? null : (
        <li key={key ?? at} class={`tone-${tone}`}>
          {!isShown && text}
          {hint !== undefined && <p class="hint">{hint}</p>}
        </li>
      );
    })}
  </>
);

interface DecisionTableProps {
  readonly rows: readonly TableRow[];
  readonly printed: PrintedAbove;
  readonly onDecision: (key: string) => void;
}

const DecisionTable = ({ rows, printed, onDecision }: DecisionTableProps) =>
  rows.length === 0 ? null : (
    <table class="decisions">
      <thead>
        <tr>
          <th scope="col">Webhook (configuration)</th>
          <th scope="col">Result</th>
          <th scope="col">ms</th>
          <th scope="col">Changed</th>
        </tr>
      </thead>
      {rows.map(({ name, result, changed, milliseconds, tone, decision }) => (
        <tbody key={decision.key} class={`tone-${tone}`}>
          <tr>
            <th scope="row">
              <button type="button" class="link" onClick={() => onDecision(decision.key)}>
                {name}
              </button>
            </th>
            <td class="result">{result}</td>
            <td class="took">{milliseconds?.toFixed(1)}</td>
            <td>{changed}</td>
          </tr>
          <tr>
            <td colSpan={4}>
              {rowNotes(decision, printed).map(({ text, style, isHint }) => (
                <p key={text} class={isHint ? 'hint' : style === 'warn' ? 'warning' : 'quiet'}>
                  {text}
                </p>
              ))}
            </td>
          </tr>
        </tbody>
      ))}
    </table>
  );

/** Why webhooks were called again, or not, and what they did not see. */
function SecondRound({ model: { passes, unseen, findings } }: Pick<ExplanationPaneProps, 'model'>) {
  const called = passes
    .filter(({ round }) => round === 1)
    .flatMap(({ decisions }) => decisions.filter((one) => one.type !== 'plugin' && one.outcome !== 'skipped'));
  const texts = [
    ...passes.flatMap(({ reinvocation = '' }) => reinvocation),
    unseen ?? '',
    ...findings.filter(({ rule }) => rule === 'called-again').map(({ title }) => title),
  ].filter((text) => text !== '');
  if (texts.length === 0) return null;
  return (
    <Part title={`Second round: ${called.length} called again`}>
      {() => texts.map((text) => <p key={text}>{text}</p>)}
    </Part>
  );
}

/** The compiled-in plugins that changed or denied. */
function Plugins({ model: { passes } }: Pick<ExplanationPaneProps, 'model'>) {
  const busy = passes.flatMap(({ decisions }) =>
    decisions.flatMap((one) => (one.type === 'plugin' && one.outcome !== 'passed' ? [one] : [])),
  );
  if (busy.length === 0) return null;
  return (
    <Part title={plural(busy.length, 'change') + ' by compiled-in plugins'}>
      {() =>
        busy.map(({ key, name, round, sentence }) => (
          <p key={key}>
            {name}
            {round === 1 && ', second round'} <span class="quiet">{sentence}</span>
          </p>
        ))
      }
    </Part>
  );
}

/** Of the audit event of the request. */
function AuditAnnotations({ trace: { auditAnnotations } }: Pick<ExplanationPaneProps, 'trace'>) {
  const entries = Object.entries(auditAnnotations);
  if (entries.length === 0) return null;
  return (
    <Part title={plural(entries.length, 'audit annotation')}>
      {() =>
        entries.map(([key, value]) => (
          <p key={key}>
            <code>{key}</code> <span class="quiet">{value}</span>
          </p>
        ))
      }
    </Part>
  );
}
