import type { ComponentChildren } from 'preact';
import type { PlaygroundTab } from '../../../app/playground/protocol.ts';
import { tabs } from './editor.tsx';

export interface TabStripProps {
  readonly tab: PlaygroundTab;
  /** Problems by tab. */
  readonly counts: Readonly<Record<PlaygroundTab, number>>;
  readonly onTab: (tab: PlaygroundTab) => void;
  readonly children: ComponentChildren;
}

/** The arrow keys move between the tabs. */
export const TabStrip = ({ tab, counts, onTab, children }: TabStripProps) => (
  <div class="tab-strip">
    <div role="tablist" aria-label="Texts" onKeyDown={(event) => moveTab(event, tab, onTab)}>
      {tabs.map(([name, title]) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          class="tab"
          aria-selected={name === tab}
          aria-controls="editor-panel"
          tabIndex={name === tab ? 0 : -1}
          onClick={() => onTab(name)}
        >
          {title}
          {counts[name] > 0 && <span class="tab-count">{counts[name]}</span>}
        </button>
      ))}
    </div>
    <span class="spring" />
    {children}
  </div>
);

function moveTab(event: KeyboardEvent, tab: PlaygroundTab, onTab: (tab: PlaygroundTab) => void): void {
  const at = tabs.findIndex(([name]) => name === tab);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
  if (next === undefined) return;
  event.preventDefault();
  onTab(next[0]);
  document.getElementById(`tab-${next[0]}`)?.focus();
}
