import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Loaded } from '../use-loaded.ts';

export interface PaneBarProps {
  readonly title: string;
  readonly about: string;
  readonly loaded: Loaded<unknown>;
  readonly isLive: boolean;
  /** What is said until the first answer is there. */
  readonly waiting?: string;
}

/** What a view shows, and a way to look again. */
export const PaneBar = ({ title, about, loaded, isLive, waiting = 'Reading what is recorded …' }: PaneBarProps) => (
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
  /** Draws what is inside, not before it is opened: there can be much of it. */
  readonly children: () => ComponentChildren;
}

/** Something that can be opened. */
export function Part({ title, isOpen = false, children }: PartProps) {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details class="part" open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{title}</summary>
      {wasOpened && children()}
    </details>
  );
}
