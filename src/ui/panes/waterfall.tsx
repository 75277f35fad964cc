import { useMemo, useState } from 'preact/hooks';
import { ownMilliseconds } from '../../explain/trace/sentences.ts';
import type { Trace, TracedWebhook } from '../../explain/trace/trace.ts';
import {
  type Row,
  axisTicks,
  type WaterfallModel as Model,
  createWaterfall,
  type WebhookRow,
} from '../waterfall-model.ts';
import { durationText } from '../words.ts';

export interface WaterfallProps {
  readonly trace: Trace;
  readonly onWebhook: (webhook: TracedWebhook) => void;
}

/** Events to scale, up to the end of the request or to its deadline. */
export function Waterfall({ trace, onWebhook }: WaterfallProps) {
  const model = useMemo(() => createWaterfall(trace), [trace]);
  const usedMuch = model.bound !== undefined && model.took > model.bound / 5;
  const [wholeBound, setWholeBound] = useState<boolean | undefined>(undefined);
  const showBound = model.bound !== undefined && (wholeBound ?? usedMuch);
  const span = Math.max(showBound ? Math.max(model.bound ?? 0, model.took) * 1.02 : model.took, 0.1);
  return (
    <section class="waterfall" aria-label="Waterfall">
      <h3>
        Time
        <span class="quiet"> {renderDeadline(model)}</span>
        {model.bound !== undefined && (
          <button type="button" class="plain" aria-pressed={showBound} onClick={() => setWholeBound(!showBound)}>
            {showBound ? 'Scale: time allowed' : 'Scale: time taken'}
          </button>
        )}
      </h3>
      <div class="waterfall-grid">
        <Axis span={span} bound={showBound ? model.bound : undefined} />
        {model.rows.map((row, at) => (
          <WaterfallRow
            key={at}
            row={row}
            span={span}
            bound={showBound ? model.bound : undefined}
            onWebhook={onWebhook}
          />
        ))}
      </div>
    </section>
  );
}

function renderDeadline({ took, held, bound }: Model): string {
  const limit = bound === undefined ? ', without a limit' : ` of ${durationText(bound - held)}`;
  return `${durationText(took - held)}${limit}${held === 0 ? '' : `, held ${durationText(held)}`}`;
}

const percent = (part: number, span: number): string => `${((100 * part) / span).toFixed(3)}%`;

interface Times {
  readonly start: number;
  readonly end: number;
}

const barStyle = ({ start, end }: Times, span: number): { readonly left: string; readonly width: string } => ({
  left: percent(start, span),
  width: percent(Math.max(end - start, 0), span),
});

function Axis({ span, bound }: { readonly span: number; readonly bound: number | undefined }) {
  return (
    <div class="waterfall-row waterfall-axis" aria-hidden="true">
      <span class="waterfall-label" />
      <div class="waterfall-track">
        {axisTicks(span).map((tick) => (
          <span key={tick} class="tick" style={{ left: percent(tick, span) }}>
            {durationText(tick)}
          </span>
        ))}
        <Bound bound={bound} span={span} />
      </div>
      <span class="waterfall-took" />
    </div>
  );
}

/** The deadline of the request. */
const Bound = ({ bound, span }: { readonly bound: number | undefined; readonly span: number }) =>
  bound === undefined ? null : (
    <span
      class="bound"
      style={{ left: percent(bound, span) }}
      title={`${durationText(bound)}: the request's time is over`}
    />
  );

interface RowProps {
  readonly row: Row;
  readonly span: number;
  readonly bound: number | undefined;
  readonly onWebhook: (webhook: TracedWebhook) => void;
}

function WaterfallRow({ row, span, bound, onWebhook }: RowProps) {
  const took = durationText(row.end - row.start);
  const line = { span, bound };
  switch (row.type) {
    case 'server':
      return <ServerLine {...line} label="API server" parts={row.parts} took={durationText(row.milliseconds)} />;
    case 'stage':
      return <ServerLine {...line} kind="is-refusing" label={row.name} parts={[row]} took={`refused ${took}`} />;
    case 'plugin': {
      const words = row.outcome === 'denied' ? `refused ${took}` : took;
      return (
        <ServerLine
          {...line}
          kind={`is-plugin is-${row.outcome}`}
          label={`plugin ${row.name}`}
          parts={[row]}
          took={words}
        />
      );
    }
    case 'group':
      return (
        <div class="waterfall-row is-group">
          <span class="waterfall-label">
            {row.title}
            {row.skipped > 0 && <span class="quiet">, {row.skipped} skipped</span>}
          </span>
        </div>
      );
    case 'webhook':
      return <WebhookLine row={row} span={span} bound={bound} onWebhook={onWebhook} />;
  }
}

interface ServerLineProps extends Pick<RowProps, 'span' | 'bound'> {
  readonly kind?: string;
  readonly label: string;
  readonly parts: readonly Times[];
  readonly took: string;
}

const ServerLine = ({ kind = '', label, parts, took, span, bound }: ServerLineProps) => (
  <div class={`waterfall-row ${kind}`}>
    <span class="waterfall-label" title={label}>
      {label}
    </span>
    <div class="waterfall-track">
      {parts.map((part) => (
        <span key={part.start} class="bar" style={barStyle(part, span)} />
      ))}
      <Bound bound={bound} span={span} />
    </div>
    <span class="waterfall-took">{took}</span>
  </div>
);

/** The call, its timeout, and its pauses. */
function WebhookLine({ row, span, bound, onWebhook }: RowProps & { readonly row: WebhookRow }) {
  return (
    <div class={`waterfall-row is-webhook is-${row.webhook.outcome}`} data-webhook={row.webhook.name}>
      <span class="waterfall-label">
        <button type="button" class="link" title={row.webhook.name} onClick={() => onWebhook(row.webhook)}>
          {row.webhook.name}
        </button>
      </span>
      <div class="waterfall-track" title={webhookTitle(row)}>
        <Limit row={row} span={span} />
        <Bound bound={bound} span={span} />
        <span class="bar" style={barStyle(row, span)} />
        {row.holds.map((hold) => (
          <span key={hold.start} class="hold" style={barStyle(hold, span)} />
        ))}
      </div>
      <span class="waterfall-took">{durationText(ownMilliseconds(row.webhook))}</span>
    </div>
  );
}

/** The timeout of the call, cut at the edge of the scale. */
function Limit({ row: { start, limit }, span }: { readonly row: WebhookRow; readonly span: number }) {
  if (limit === undefined) return null;
  const width = percent(Math.min(limit, span) - start, span);
  return <span class={limit > span ? 'limit is-cut' : 'limit'} style={{ left: percent(start, span), width }} />;
}

function webhookTitle({ webhook, start, end, limit }: WebhookRow): string {
  const allowed = limit === undefined ? 'not called over the network' : `might take ${durationText(limit - start)}`;
  const became = webhook.assumed === undefined ? webhook.outcome : 'assumed';
  return `${webhook.name}: ${became}, ${durationText(end - start)} from ${durationText(start)}; ${allowed}`;
}
