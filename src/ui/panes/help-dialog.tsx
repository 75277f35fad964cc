import { useEffect, useRef } from 'preact/hooks';

const keys: readonly (readonly [string, string])[] = [
  ['j  k  ↓  ↑', 'next, previous request'],
  ['PgDn  PgUp  Home  End', 'further down, up, to the newest, to the oldest'],
  ['Enter', 'open the request'],
  ['Esc', 'close it; leave the filter'],
  ['/', 'filter'],
  ['↓  ↑', 'in the chain: next, previous stop'],
  ['[  ]', 'previous, next tab of the open request'],
  ['p', 'pause the list, let it go on'],
  ['t', 'theme: system, light, dark'],
  ['?', 'this help'],
];

/** What the keys do. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} class="help" aria-labelledby="help-title" onClose={onClose} onClick={() => ref.current?.close()}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">Words in the filter are sought in everything a line says, and in messages and paths.</p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
