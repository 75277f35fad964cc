import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

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
