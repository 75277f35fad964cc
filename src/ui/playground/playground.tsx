import { render } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { PlaygroundProblem, PlaygroundTab } from '../../app/playground/protocol.ts';
import { applyTheme, nextTheme, readStoredTheme } from '../theme.ts';
import { AnswerPanel } from './answers/answer-panel.tsx';
import { type EditorRange, Editor, tabs } from './editor/editor.tsx';
import { ProblemList } from './editor/problem-list.tsx';
import { TabStrip } from './editor/tab-strip.tsx';
import { EmbeddedLinks } from './toolbar/toolbar.tsx';
import { findExample } from './examples.ts';
import { Toolbar } from './toolbar/toolbar.tsx';
import { type PlaygroundModel, usePlayground } from './use-playground.ts';

export function renderPlayground(worker: Worker): void {
  const root = document.getElementById('page');
  const isEmbedded = new URLSearchParams(location.search).has('embed');
  if (root !== null) render(<Playground isEmbedded={isEmbedded} worker={worker} />, root);
}

/** The editors on one side, the answers on the other. */
function Playground({ isEmbedded, worker }: { readonly isEmbedded: boolean; readonly worker: Worker }) {
  const model = usePlayground(isEmbedded, worker);
  const { texts, revision, result, client, edit } = model;
  const [theme, setTheme] = useState(readStoredTheme);
  const [tab, setTab] = useState<PlaygroundTab>('objects');
  const [range, setRange] = useState<EditorRange | undefined>(undefined);
  const [cursor, setCursor] = useState<number | undefined>(undefined);
  // The page around an embedded playground decides on its theme.
  useLayoutEffect(() => (isEmbedded ? undefined : applyTheme(theme)), [theme, isEmbedded]);
  useEffect(() => {
    setCursor(undefined);
    setTab(tabs.find(([name]) => texts[name].trim() !== '')?.[0] ?? 'objects');
  }, [revision]);
  const problems = result?.problems ?? noProblems;
  const counts = useMemo(() => countByTab(problems), [problems]);
  const goTo = (next: EditorRange): void => {
    setTab(next.tab);
    setRange({ tab: next.tab, from: next.from, to: next.to });
  };
  return (
    <div class={isEmbedded ? 'playground is-embedded' : 'playground'}>
      {!isEmbedded && <Toolbar model={model} theme={theme} onTheme={() => setTheme(nextTheme)} />}
      {!isEmbedded && <About model={model} />}
      <Consent model={model} />
      {model.notice !== '' && (
        <p class="notice" role="alert">
          {model.notice}
        </p>
      )}
      <main class="playground-sides">
        <section class="editor-side" aria-label="What the cluster has, and what is sent">
          <TabStrip tab={tab} counts={counts} onTab={setTab}>
            {isEmbedded && <EmbeddedLinks model={model} />}
          </TabStrip>
          <Editor
            texts={texts}
            revision={revision}
            tab={tab}
            problems={problems}
            range={range}
            onText={(name, text) => edit({ [name]: text })}
            onCursor={(name, offset) => name === 'requests' && setCursor(offset)}
            request={async (type, offset) => client?.request({ type, tab, offset, texts })}
          />
          <ProblemList problems={problems} texts={texts} onProblem={goTo} />
        </section>
        <AnswerPanel model={model} cursor={cursor} onStep={(from) => goTo({ tab: 'requests', from, to: from })} />
      </main>
    </div>
  );
}

function About({ model: { texts } }: { readonly model: PlaygroundModel }) {
  const example = findExample(texts);
  return example === undefined ? null : <p class="about">{example.about}</p>;
}

const noProblems: readonly PlaygroundProblem[] = [];

function countByTab(problems: readonly PlaygroundProblem[]): Readonly<Record<PlaygroundTab, number>> {
  const of = (tab: PlaygroundTab): number => problems.filter((problem) => problem.tab === tab).length;
  return { objects: of(tabs[0][0]), webhooks: of(tabs[1][0]), requests: of(tabs[2][0]) };
}

/** A shared link may hold JavaScript of others: it waits for a click. */
function Consent({
  model: { texts, runFunctions, allowFunctions },
}: {
  readonly model: ReturnType<typeof usePlayground>;
}) {
  if (runFunctions || !hasFunctions(texts.webhooks)) return null;
  return (
    <div class="consent" role="alert">
      <span>
        This link has functions of its author: JavaScript that answers for stub webhooks. Read them in the tab Stub
        webhooks first; they run without network access.
      </span>
      <button type="button" class="plain is-primary" onClick={allowFunctions}>
        Run them
      </button>
    </div>
  );
}

const hasFunctions = (webhooks: string): boolean => /["']?\b(?:function|script)["']?\s*:/.test(webhooks);
