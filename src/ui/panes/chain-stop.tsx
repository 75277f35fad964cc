import type { Stop, Stretch } from '../../explain/render/chain-model.ts';
import { stopPanelId } from './chain-picture.tsx';

export interface ChainStopProps {
  readonly stop: Stop;
  readonly stretch: Stretch;
  /** Nobody has pointed at anything yet. */
  readonly isFirst: boolean;
}

/** What is known of the stop that is pointed at, and what happens there when something fails. */
export const ChainStop = ({ stop, stretch, isFirst }: ChainStopProps) => {
  const { type, title, word, tone, because, terms, health, failures } = stop;
  const isAskable = type === 'webhook' || type === 'policy';
  return (
    <aside
      id={stopPanelId}
      class={`chain-stop card tone-${tone}${isFirst ? ' is-first' : ''}`}
      aria-live="polite"
      aria-label="This stretch"
    >
      <p class="quiet">{stretch.title}</p>
      <h3>
        {type === 'plugins' ? word : title} {isAskable && <span class="badge">{word}</span>}
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
      {health && <p class={`told-${health.tone}`}>{health.text}</p>}
      {failures.length > 0 && <h4>When something fails here</h4>}
      <ul>
        {failures.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </aside>
  );
};
