import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChainChoices } from '../explain/trace/chain-document.ts';
import type { NumberedSummary } from '../explain/trace/trace-summary.ts';
import { defaultQuestion } from './chain-question.ts';
import { collectChoices, type Filter, isFiltering, isHousekeeping, noFilter } from './filter.ts';
import { onPageKeys } from './page-keys.ts';
import type { PageSource } from './page-source.ts';
import { BudgetPane } from './panes/budget-pane.tsx';
import { ChainPane } from './panes/chain-pane.tsx';
import { ConfigurationsPane } from './panes/configurations-pane.tsx';
import { CoveragePane } from './panes/coverage-pane.tsx';
import { FilterBar } from './panes/filter-bar.tsx';
import { HeldPanel, useBreaks } from './panes/held-panel.tsx';
import { HelpDialog, PageHeader } from './panes/page-header.tsx';
import { RequestDetail } from './panes/request-detail.tsx';
import { RequestList } from './panes/request-list.tsx';
import { applyTheme, nextTheme, readStoredTheme } from './theme.ts';
import { useLoaded } from './use-loaded.ts';
import { type LiveRequests, useFiltered, useRequests } from './use-requests.ts';
import { type PageRoute, routeHash, parseRoute } from './route.ts';

export function App({ source }: { readonly source: PageSource }) {
  const live = useRequests(source);
  const [route, go] = useRoute();
  const [theme, setTheme] = useState(readStoredTheme);
  const [reveal, setReveal] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const choices = useLoaded(source.chain?.choices ?? noChoices).value ?? null;
  useLayoutEffect(() => applyTheme(theme), [theme]);
  const { store } = live;
  useEffect(
    () =>
      onPageKeys({
        '?': () => setHelpOpen((open) => !open),
        p: () => store.setPaused(!store.isPaused()),
        t: () => setTheme(nextTheme),
        '/': () => document.getElementById('filter-text')?.focus(),
      }),
    [store],
  );
  return (
    <>
      <PageHeader
        source={source}
        connection={live.connection}
        view={route.view}
        hasChain={choices !== null}
        theme={theme}
        reveal={reveal}
        onView={(view) => go({ view, id: '' })}
        onTheme={() => setTheme(nextTheme)}
        onReveal={() => setReveal(!reveal)}
        onHelp={() => setHelpOpen(true)}
      />
      <View source={source} live={live} route={route} go={go} reveal={reveal} choices={choices} />
      {isHelpOpen && <HelpDialog onClose={() => setHelpOpen(false)} />}
    </>
  );
}

const noChoices = (): Promise<null> => Promise.resolve(null);

/** Sequence number of the last write to a configuration of admission; 0: none. */
const lastConfiguration = (newestFirst: readonly NumberedSummary[]): number =>
  newestFirst.find(
    ({ resource, verdict, dryRun }) =>
      verdict === 'admitted' && !dryRun && resource.endsWith('.admissionregistration.k8s.io'),
  )?.sequence ?? 0;

function View(shared: RequestsProps) {
  const { source, live, route, go, choices } = shared;
  // Kept outside the view, which may be closed and opened again.
  const [question, setQuestion] = useState(defaultQuestion);
  switch (route.view) {
    case 'requests':
      return <Requests {...shared} />;
    case 'chain':
      if (!source.chain || !choices) return null;
      return (
        <ChainPane
          chain={source.chain}
          choices={choices}
          question={question}
          onQuestion={setQuestion}
          version={lastConfiguration(live.store.shown())}
        />
      );
    case 'budget':
      return source.chain ? <BudgetPane chain={source.chain} version={lastConfiguration(live.store.shown())} /> : null;
    case 'configurations':
      return <ConfigurationsPane source={source} onOpen={(id) => go({ view: 'requests', id })} />;
    case 'coverage':
      return <CoveragePane source={source} />;
  }
}

interface RequestsProps {
  /** null: traces from a file. */
  readonly choices: ChainChoices | null;
  readonly source: PageSource;
  readonly live: LiveRequests;
  readonly route: PageRoute;
  readonly go: (route: PageRoute) => void;
  readonly reveal: boolean;
}

/** The list, with the open request beside it. */
function Requests(props: RequestsProps) {
  const { source, live, route, go, reveal } = props;
  const { store, connection, breaksVersion } = live;
  const [filter, setFilter] = useState<Filter>(noFilter);
  const listRef = useRef<HTMLDivElement>(null);
  const all = store.shown();
  const { rows, digests, awaited } = useFiltered(source, all, filter);
  const breaks = useBreaks(source.breaks, breaksVersion, reveal);
  const fromControllers = useMemo(() => all.filter(isHousekeeping).length, [all]);
  const choices = useMemo(() => collectChoices(all), [all]);
  const open = (id: string): void => go({ view: 'requests', id });
  const close = (): void => {
    open('');
    listRef.current?.focus();
  };
  return (
    <main class={route.id === '' ? 'requests' : 'requests has-detail'}>
      <section class="list-side" aria-label="Requests">
        <FilterBar
          filter={filter}
          choices={choices}
          store={store}
          shown={rows.length}
          awaited={awaited}
          fromControllers={fromControllers}
          isLive={source.isLive}
          onFilter={setFilter}
          onLeave={() => listRef.current?.focus()}
        />
        {breaks && <HeldPanel {...breaks} webhooks={choices.webhooks} />}
        <RequestList
          listRef={listRef}
          rows={rows}
          digests={digests}
          held={breaks?.state.held ?? []}
          hasOwn={all.length > fromControllers}
          isFiltering={isFiltering(filter)}
          connection={connection}
          openId={route.id}
          onOpen={open}
          onClose={close}
          onHeld={() => breaks?.onToggle(true)}
        />
      </section>
      {route.id !== '' && <OpenRequest {...props} onClose={close} />}
    </main>
  );
}

const OpenRequest = ({
  source,
  live,
  route,
  reveal,
  choices,
  onClose,
}: RequestsProps & { readonly onClose: () => void }) => (
  <RequestDetail
    key="detail"
    source={source}
    id={route.id}
    reveal={reveal}
    hasChain={choices !== null}
    requests={live.store.shown()}
    onClose={onClose}
  />
);

/** The route and a function to change it; moving between requests adds nothing to the history. */
function useRoute(): readonly [PageRoute, (next: PageRoute) => void] {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const changed = (): void => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const go = (next: PageRoute): void => {
    const replaces = next.view === route.view && next.id !== '' && route.id !== '';
    history[replaces ? 'replaceState' : 'pushState'](null, '', routeHash(next));
    setRoute(next);
  };
  return [route, go];
}
