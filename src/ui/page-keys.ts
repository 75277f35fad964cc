/** Keys of the whole page, except while text is typed. Returns a function that removes them. */
export function onPageKeys(actions: Readonly<Record<string, () => void>>): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;
