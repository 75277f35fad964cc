import { useEffect, useState } from 'preact/hooks';
import type { PlaygroundModel } from '../use-playground.ts';
import { ReleaseMenus, shareUrl } from './toolbar.tsx';

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
