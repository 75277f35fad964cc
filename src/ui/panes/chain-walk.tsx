import { useState } from 'preact/hooks';
import type { ChainParticipant, ChainSection } from '../../explain/render/chain-model.ts';
import { ChainPicture, stopPanelId } from './chain-picture.tsx';

/** The picture of a chain, and the details of its selected stop. */
export function ChainWalk({ stretches }: { readonly stretches: readonly ChainSection[] }) {
  const [pointed, setPointed] = useState('');
  const at = stopAt(stretches, pointed);
  return (
    <div class="chain-walk">
      <ChainPicture stretches={stretches} pointed={at?.stop.key ?? ''} onPoint={setPointed} />
      {at && <ChainStop stretch={at.stretch} stop={at.stop} isFirst={pointed === ''} />}
    </div>
  );
}

/** The selected stop, by default the first webhook or policy. */
function stopAt(stretches: readonly ChainSection[], key: string) {
  const all = stretches.flatMap((stretch) => stretch.stops.map((stop) => ({ stretch, stop })));
  const first = all.find(({ stop: { type } }) => type === 'webhook' || type === 'policy') ?? all[0];
  return all.find(({ stop }) => stop.key === key) ?? first;
}

interface ChainStopProps {
  readonly stop: ChainParticipant;
  readonly stretch: ChainSection;
  /** No stop has been selected yet. */
  readonly isFirst: boolean;
}

/** The details of the selected stop, and the consequence of a failure there. */
const ChainStop = ({ stop, stretch, isFirst }: ChainStopProps) => {
  const { type, title, word, tone, because, terms, health, failures } = stop;
  const canBeChosen = type === 'webhook' || type === 'policy';
  return (
    <aside
      id={stopPanelId}
      class={`chain-stop card tone-${tone}${isFirst ? ' is-first' : ''}`}
      aria-live="polite"
      aria-label="This stretch"
    >
      <p class="quiet">{stretch.title}</p>
      <h3>
        {type === 'plugins' ? word : title} {canBeChosen && <span class="badge">{word}</span>}
      </h3>
      {type === 'plugins' && <p>{title}</p>}
      {because.map((clause) => (
        <p key={clause}>{clause}</p>
      ))}
      {terms !== '' && (
        <p>
          {because.length > 0 && 'if so: '}
          {terms}
        </p>
      )}
      {health && <p class={`health-${health.tone}`}>{health.text}</p>}
      {failures.length > 0 && <h4>When something fails here</h4>}
      <ul>
        {failures.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </aside>
  );
};
