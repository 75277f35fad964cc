import { useState, useEffect, useRef } from 'preact/hooks';
import { releaseNames } from '../../../machinery/meta/release-names.ts';
import { iconUrl } from '../../../explain/trace/page-html.ts';
import type { Theme } from '../../theme.ts';
import { findExample, examples, exampleTopics } from '../examples.ts';
import { toFragment } from '../fragment.ts';
import { toScenario } from '../scenario-file.ts';
import type { PlaygroundModel } from '../use-playground.ts';
import { OpenDialog } from './open-dialog.tsx';

export interface ToolbarProps {
  readonly model: PlaygroundModel;
  readonly theme: Theme;
  readonly onTheme: () => void;
}

/** Examples, releases, and ways to take the texts along. */
export function Toolbar({ model, theme, onTheme }: ToolbarProps) {
  const { texts, result } = model;
  const [isOpening, setOpening] = useState(false);
  const scenario = (): string => toScenario(texts, result?.answers ?? []);
  return (
    <header class="page-header playground-header">
      <h1>
        <a href="../" title="Documentation of kadmit">
          <img src={iconUrl} alt="" width={16} height={16} /> kadmit
        </a>
      </h1>
      <span class="quiet playground-name">Playground</span>
      <ExampleMenu model={model} />
      <ReleaseMenus model={model} />
      <span class="spring" />
      <TextCopyButton
        name="Share"
        title="Copy a link that holds these texts; nothing is uploaded"
        text={() => shareUrl(texts)}
      />
      <TextCopyButton
        name="Copy as scenario"
        title="Copy one scenario.yaml, with the outcomes shown as expectations"
        text={async () => scenario()}
      />
      <button type="button" class="plain" onClick={() => setOpening(true)}>
        Open in kadmit
      </button>
      <button type="button" class="plain" onClick={onTheme} aria-label={`Theme: ${theme}`} title={`Theme: ${theme}`}>
        {themeSigns[theme]}
      </button>
      {isOpening && <OpenDialog scenario={scenario()} texts={texts} onClose={() => setOpening(false)} />}
    </header>
  );
}

const themeSigns: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' };

/** The page without `?embed`. */
async function shareUrl(texts: PlaygroundModel['texts']): Promise<string> {
  return `${location.origin}${location.pathname}#${await toFragment(texts)}`;
}

const ExampleMenu = ({ model: { texts, open } }: Pick<ToolbarProps, 'model'>) => {
  const shown = findExample(texts);
  return (
    <select
      class="example-menu"
      aria-label="Example"
      title={shown?.about ?? 'Examples'}
      value={shown?.name ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const chosen = examples.find(({ name }) => name === value);
        if (chosen) open(chosen.texts);
      }}
    >
      <option value="" disabled>
        Examples …
      </option>
      {exampleTopics.map(({ topic, examples: ofTopic }) => (
        <optgroup key={topic} label={topic}>
          {ofTopic.map(({ name, title, about }) => (
            <option key={name} value={name} title={about}>
              {title}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
};

const ReleaseMenus = ({ model: { texts, edit } }: Pick<ToolbarProps, 'model'>) => {
  const { release, compareWith } = texts;
  const newestFirst = releaseNames.toReversed();
  return (
    <span class="release-menus">
      <select
        aria-label="Release of Kubernetes"
        value={release}
        onChange={({ currentTarget: { value } }) =>
          edit({ release: value, compareWith: value === compareWith ? '' : compareWith })
        }
      >
        {newestFirst.map((name) => (
          <option key={name} value={name}>
            Kubernetes {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Compare with"
        class={compareWith === '' ? '' : 'is-set'}
        value={compareWith}
        onChange={({ currentTarget: { value } }) => edit({ compareWith: value })}
      >
        <option value="">compare with …</option>
        {newestFirst
          .filter((name) => name !== release)
          .map((name) => (
            <option key={name} value={name}>
              and {name}
            </option>
          ))}
      </select>
    </span>
  );
};

/** Of a playground in a page of others. */
export function EmbeddedLinks({ model }: { readonly model: PlaygroundModel }) {
  const { texts } = model;
  const [url, setUrl] = useState('');
  useEffect(() => void shareUrl(texts).then(setUrl), [texts]);
  return (
    <>
      <ReleaseMenus model={model} />
      <a class="plain" href={url} target="_blank" rel="noopener">
        Open in playground
      </a>
    </>
  );
}

interface CopyButtonProps {
  readonly name: string;
  readonly title: string;
  readonly text: () => Promise<string>;
}

/** Without a clipboard the text is shown for copying by hand. */
function TextCopyButton({ name, title, text }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied'>('idle');
  const [shown, setShown] = useState('');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => {
    const content = await text();
    const clipboard = navigator.clipboard as Clipboard | undefined;
    try {
      if (clipboard === undefined) throw new Error('no clipboard');
      await clipboard.writeText(content);
      setState('copied');
    } catch {
      setShown(content);
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
      <p>This browser blocks the clipboard. Copy the text by hand:</p>
      <textarea readOnly rows={12} value={text} onFocus={({ currentTarget }) => currentTarget.select()} />
      <button type="button" onClick={() => ref.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
