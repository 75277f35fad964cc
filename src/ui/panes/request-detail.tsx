import { useEffect, useErrorBoundary, useMemo, useRef, useState } from 'preact/hooks';
import { type TraceModel, modelOf } from '../../explain/render/model.ts';
import type { NumberedSummary } from '../../explain/trace/trace-summary.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { onPageKeys } from '../page-keys.ts';
import type { ChainSource, PageSource } from '../page-source.ts';
import { createTracedChain } from '../traced-chain.ts';
import { useTrace } from '../use-loaded.ts';
import { durationText } from '../words.ts';
import { ChainWalk } from './chain-walk.tsx';
import { ComparePane } from './compare-pane.tsx';
import { DecisionsPane } from './decisions-pane.tsx';
import { ExplanationPane } from './explanation-pane.tsx';
import { JsonView } from './json-view.tsx';
import { ObjectPane } from './object-pane.tsx';
import { OrdersPane } from './orders-pane.tsx';
import { RelatedRequestList } from './related-requests.tsx';

export interface RequestDetailProps {
  readonly source: PageSource;
  readonly id: string;
  readonly reveal: boolean;
  readonly hasChain: boolean;
  /** The known requests, newest first. */
  readonly requests: readonly NumberedSummary[];
  /** Absent where a request is always open. */
  readonly onClose?: () => void;
}

/** The verdict of the open request, and one of its tabs. */
export function RequestDetail({ source, id, reveal, hasChain, requests, onClose }: RequestDetailProps) {
  const state = useTrace(source, id, reveal);
  const [tab, setTab] = useState<Tab>('Explanation');
  const chain = hasChain ? source.chain : undefined;
  const hasOrders = chain !== undefined;
  const tabs = useMemo(() => detailTabs(hasOrders), [hasOrders]);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const step = (by: number) => (): void =>
      setTab((current) => tabs[(tabs.indexOf(current) + by + tabs.length) % tabs.length] ?? current);
    return onPageKeys({ '[': step(-1), ']': step(1), ...(onClose && { Escape: onClose }) });
  }, [onClose, tabs]);
  return (
    <section ref={ref} class="detail" aria-label="Request">
      <DetailBar
        tabs={tabs}
        tab={tab}
        onTab={setTab}
        fileUrl={source.fileUrl?.(id, reveal)}
        {...(onClose && { onClose })}
      />
      <div class="detail-body" id="detail-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {state.state === 'loading' && <p class="empty">Loading …</p>}
        {state.state === 'gone' && (
          <p class="empty">This request is no longer in memory; only the latest writes are (--keep-traces).</p>
        )}
        {state.state === 'loaded' && (
          <GuardedDetail
            key={state.trace.id}
            source={source}
            trace={state.trace}
            reveal={reveal}
            chain={chain}
            requests={requests}
            tab={tab}
            onTab={setTab}
          />
        )}
      </div>
    </section>
  );
}

interface LoadedProps {
  readonly source: PageSource;
  readonly reveal: boolean;
  readonly chain: ChainSource | undefined;
  readonly trace: Trace;
  readonly requests: readonly NumberedSummary[];
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
}

/** Shows a trace that this page cannot explain, perhaps of a later kadmit, as JSON. */
function GuardedDetail(props: LoadedProps) {
  const [error] = useErrorBoundary() as readonly [unknown, () => void];
  if (error === undefined) return <LoadedDetail {...props} />;
  return (
    <>
      <p class="warning">This trace cannot be explained: {error instanceof Error ? error.message : 'unknown format'}</p>
      <DocumentPane trace={props.trace} />
    </>
  );
}

function LoadedDetail({ source, trace, reveal, chain, requests, tab, onTab }: LoadedProps) {
  const model = useMemo(() => modelOf(trace), [trace]);
  const [focusKey, setFocusKey] = useState('');
  const toDecision = (key: string): void => {
    setFocusKey(key);
    onTab('Decisions');
  };
  return (
    <>
      <Verdict model={model} />
      <RelatedRequestList id={trace.id} requests={requests} />
      {tab === 'Explanation' && <ExplanationPane trace={trace} model={model} onDecision={toDecision} />}
      {tab === 'Decisions' && <DecisionsPane model={model} focusKey={focusKey} />}
      {tab === 'Chain' && <ChainWalk sections={createTracedChain(trace, model)} />}
      {tab === 'Object' && <ObjectPane trace={trace} />}
      {tab === 'Compare' && <ComparePane source={source} trace={trace} reveal={reveal} requests={requests} />}
      {tab === 'Orders' && chain && (
        <OrdersPane tryOrders={(gone) => chain.orders(trace.id, reveal, gone)} progress={chain.ordersProgress} />
      )}
      {tab === 'Document' && <DocumentPane trace={trace} />}
    </>
  );
}

function Verdict({ model }: { readonly model: TraceModel }) {
  const { verdict, headline, request, findings, id, warnings } = model;
  const { outcome, code, milliseconds, dryRun, message } = verdict;
  const isVisible =
    headline.text.endsWith(message) || findings.some(({ evidence }) => evidence.some(({ text }) => text === message));
  return (
    <div class={`verdict is-${outcome}`}>
      <p class="sentence">
        <strong>{outcome}</strong> {request.sentence}{' '}
        <span class="quiet">
          {code} in {durationText(milliseconds)}
          {dryRun && ', dry run'}
        </span>
      </p>
      <p class={`headline tone-${headline.tone}`}>{headline.text}</p>
      {!isVisible && <p class="message">{message}</p>}
      {warnings.map((warning) => (
        <p key={warning}>warning: {warning}</p>
      ))}
      <p class="quiet ids">
        {request.userAgent !== '' && <span>{request.userAgent} </span>}
        <span>{id}</span>
      </p>
    </div>
  );
}

const DocumentPane = ({ trace }: { readonly trace: Trace }) => (
  <>
    <p class="quiet">The recorded trace; docs/reference/trace-format.md describes its fields.</p>
    <JsonView value={trace} />
  </>
);

type Tab = 'Explanation' | 'Decisions' | 'Chain' | 'Object' | 'Compare' | 'Orders' | 'Document';

/** Trying orders needs a server. */
const detailTabs = (hasOrders: boolean): readonly Tab[] => [
  'Explanation',
  'Decisions',
  'Chain',
  'Object',
  'Compare',
  ...(hasOrders ? (['Orders'] as const) : []),
  'Document',
];

interface DetailBarProps {
  readonly tabs: readonly Tab[];
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  /** The URL of the trace file; undefined: none. */
  readonly fileUrl: string | undefined;
  readonly onClose?: () => void;
}

const DetailBar = ({ tabs, tab, onTab, fileUrl, onClose }: DetailBarProps) => (
  <div class="detail-bar">
    <div role="tablist" aria-label="Ways to look at the request">
      {tabs.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          class="tab"
          aria-selected={tab === name}
          aria-controls="detail-panel"
          onClick={() => onTab(name)}
        >
          {name}
        </button>
      ))}
    </div>
    <span class="spring" />
    {fileUrl !== undefined && (
      <a
        class="plain"
        href={fileUrl}
        download="kadmit-trace.html"
        title="Save this request as a file that any browser opens"
      >
        Save
      </a>
    )}
    {onClose && (
      <button type="button" class="plain" onClick={onClose} title="Close (Esc)" aria-label="Close the request">
        ✕
      </button>
    )}
  </div>
);
