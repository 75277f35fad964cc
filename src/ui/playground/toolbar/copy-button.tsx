import { useEffect, useRef, useState } from 'preact/hooks';

export interface CopyButtonProps {
  readonly name: string;
  readonly title: string;
  readonly text: () => Promise<string>;
}

/** Without a clipboard the text is shown for copying by hand. */
export function TextCopyButton({ name, title, text }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied'>('idle');
  const [shown, setShown] = useState('');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => {
    const made = await text();
    const clipboard = navigator.clipboard as Clipboard | undefined;
    try {
      if (clipboard === undefined) throw new Error('there is no clipboard');
      await clipboard.writeText(made);
      setState('copied');
    } catch {
      setShown(made);
    }
  };
  return (
    <>
      <button type="button" class="plain" title={title} onClick={() => void copy()}>
        {state === 'copied' ? 'Copied' : name}
      </button>
      {shown !== '' && <ShownText text={shown} onClose={() => setShown('')} />}
    </>
  );
}

function ShownText({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog class="shown-text" ref={ref} onClose={onClose}>
      <p>This browser does not let the page write to the clipboard. Copy the text by hand:</p>
      <textarea readOnly rows={12} value={text} onFocus={({ currentTarget }) => currentTarget.select()} />
      <button type="button" onClick={() => ref.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
