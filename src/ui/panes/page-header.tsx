import { useEffect, useRef } from 'preact/hooks';
import { iconUrl } from '../../explain/trace/page-html.ts';
import type { ConnectionState, PageSource } from '../page-source.ts';
import type { View } from '../route.ts';
import type { Theme } from '../theme.ts';

export interface PageHeaderProps {
  readonly source: PageSource;
  readonly connection: ConnectionState;
  readonly view: View;
  readonly hasChain: boolean;
  readonly theme: Theme;
  readonly reveal: boolean;
  readonly onView: (view: View) => void;
  readonly onTheme: () => void;
  readonly onReveal: () => void;
  readonly onHelp: () => void;
}

const views: readonly (readonly [View, string])[] = [
  ['requests', 'Requests'],
  ['chain', 'Chain'],
  ['budget', 'Budget'],
  ['configurations', 'Configurations'],
  ['coverage', 'Coverage'],
];

const connectionTexts: Readonly<Record<ConnectionState, string>> = {
  connecting: 'connecting',
  live: 'live',
  lost: 'disconnected: open the URL that kadmit prints when it starts',
  file: 'offline',
};

export function PageHeader(props: PageHeaderProps) {
  const { source, connection, view, theme, reveal } = props;
  const name = views.find(([one]) => one === view)?.[1] ?? '';
  useEffect(() => void (document.title = `${name} · kadmit`), [name]);
  return (
    <header class="page-header">
      <h1>
        <img src={iconUrl} alt="" width={16} height={16} /> kadmit
      </h1>
      <nav aria-label="Views">
        {views
          .filter(([name]) => (name !== 'chain' && name !== 'budget') || props.hasChain)
          .map(([name, text]) => (
            <button
              key={name}
              type="button"
              class="tab"
              aria-current={view === name ? 'page' : undefined}
              onClick={() => props.onView(name)}
            >
              {text}
            </button>
          ))}
      </nav>
      <span class={`connection is-${connection}`} role="status">
        {connectionTexts[connection]}
        {connection !== 'lost' && <span class="quiet"> {source.title}</span>}
      </span>
      <span class="spring" />
      {source.canReveal && (
        <button
          type="button"
          class={reveal ? 'plain is-warning' : 'plain'}
          aria-pressed={reveal}
          onClick={props.onReveal}
          title="The server masks the values of Secrets until you show them"
        >
          {reveal ? 'Secrets shown' : 'Secrets masked'}
        </button>
      )}
      <button type="button" class="plain" onClick={props.onTheme} title="Change the theme (t)">
        {theme === 'system' ? 'Theme: system' : `Theme: ${theme}`}
      </button>
      <button type="button" class="plain" onClick={props.onHelp} title="Keys (?)" aria-label="Help">
        ?
      </button>
    </header>
  );
}

const keys: readonly (readonly [string, string])[] = [
  ['j  k  ↓  ↑', 'next, previous request'],
  ['PgDn  PgUp  Home  End', 'page down, page up, newest, oldest'],
  ['Enter', 'open the request'],
  ['Esc', 'close the request; leave the filter'],
  ['/', 'filter'],
  ['↓  ↑', 'in the chain: next, previous participant'],
  ['[  ]', 'previous, next tab of the open request'],
  ['p', 'pause or resume the list'],
  ['t', 'theme: system, light, dark'],
  ['?', 'this help'],
];

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
      <p class="quiet">The filter searches the columns, messages and paths for each word.</p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
