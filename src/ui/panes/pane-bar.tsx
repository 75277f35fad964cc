import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Loaded } from '../use-loaded.ts';

export interface PaneBarProps {
  readonly title: string;
  readonly about: string;
  readonly loaded: Loaded<unknown>;
  readonly isLive: boolean;
  /** Shown until the first response. */
  readonly waiting?: string;
}

/** The description of a view, and a button to reload it. */
export const PaneBar = ({ title, about, loaded, isLive, waiting = 'Loading …' }: PaneBarProps) => (
  <>
    <h2 class="pane-title">
      {title}
      {isLive && (
        <button type="button" class="plain" onClick={loaded.again}>
          Refresh
        </button>
      )}
    </h2>
    <p class="quiet">{about}</p>
    {loaded.value === undefined && loaded.problem === '' && (
      <p class="empty" role="status">
        {waiting}
      </p>
    )}
    {loaded.problem !== '' && (
      <p class="warning" role="alert">
        {loaded.problem}
      </p>
    )}
  </>
);

export interface PartProps {
  readonly title: ComponentChildren;
  readonly isOpen?: boolean;
  /** Rendered only when open: the contents can be large. */
  readonly children: () => ComponentChildren;
}

export function Part({ title, isOpen = false, children }: PartProps) {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details class="part" open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{title}</summary>
      {wasOpened && children()}
    </details>
  );
}
