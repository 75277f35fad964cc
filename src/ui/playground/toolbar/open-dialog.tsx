import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { PlaygroundTexts } from '../../../app/playground/protocol.ts';

export interface OpenDialogProps {
  readonly scenario: string;
  readonly texts: PlaygroundTexts;
  readonly onClose: () => void;
}

/** The files of these texts, and the commands that take them. */
export function OpenDialog({ scenario, texts, onClose }: OpenDialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  const hasObjects = texts.objects.trim() !== '';
  const close = (): void => ref.current?.close();
  return (
    <dialog ref={ref} class="open-dialog" aria-labelledby="open-title" onClose={onClose}>
      <h2 id="open-title">Open in kadmit</h2>
      <ol>
        <li>
          <p>Save the files.</p>
          <p class="files">
            <FileLink name="scenario.yaml" text={scenario} />
            {hasObjects && <FileLink name="objects.yaml" text={texts.objects} />}
          </p>
        </li>
        <li>
          <p>Run the requests as a test. The test expects the results that this page shows.</p>
          <Command text="kadmit test scenario.yaml" />
        </li>
        <li>
          <p>Or start an API server{hasObjects && ' with these objects'}, for kubectl and for webhooks of your own.</p>
          <Command
            text={`kadmit serve --kubernetes-version ${texts.release}${hasObjects ? ' --load objects.yaml' : ''}`}
          />
        </li>
      </ol>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}

function FileLink({ name, text }: { readonly name: string; readonly text: string }) {
  const url = useMemo(() => `data:application/yaml;charset=utf-8,${encodeURIComponent(text)}`, [text]);
  return (
    <a class="plain" href={url} download={name}>
      {name}
    </a>
  );
}

const Command = ({ text }: { readonly text: string }) => (
  <pre class="command" tabIndex={0}>
    {text}
  </pre>
);
