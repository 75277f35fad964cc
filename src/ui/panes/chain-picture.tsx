import type { ChainParticipant, ChainSection } from '../../explain/render/chain-model.ts';

export interface ChainPictureProps {
  readonly stretches: readonly ChainSection[];
  readonly pointed: string;
  readonly onPoint: (key: string) => void;
}

export const stopPanelId = 'chain-stop';

/** The stages of a request, from top to bottom; each stop can be selected. */
export const ChainPicture = ({ stretches, pointed, onPoint }: ChainPictureProps) => (
  <ol class="chain-picture" aria-label="The chain, in its order">
    {stretches.map((stretch) => (
      <li key={stretch.name} class={`stretch is-${stretch.name}`}>
        <h3>{stretch.title}</h3>
        {stretch.stops.length === 0 ? (
          <p class="quiet">none</p>
        ) : (
          <Stops stretch={stretch} pointed={pointed} onPoint={onPoint} />
        )}
      </li>
    ))}
  </ol>
);

interface StopsProps extends Pick<ChainPictureProps, 'pointed' | 'onPoint'> {
  readonly stretch: ChainSection;
}

const Stops = ({ stretch: { name, stops }, pointed, onPoint }: StopsProps) => (
  <ol class="stops">
    {besideEachOther(stops, name).map((row) => (
      <li key={row[0]?.key} class={row.length > 1 ? 'is-side-by-side' : ''}>
        {row.map((stop) => (
          <StopButton key={stop.key} stop={stop} isPointed={stop.key === pointed} onPoint={onPoint} />
        ))}
      </li>
    ))}
  </ol>
);

/** Validating webhooks are called at the same time; all others one after the other. */
function besideEachOther(
  stops: readonly ChainParticipant[],
  stretch: ChainSection['name'],
): readonly (readonly ChainParticipant[])[] {
  const rows: ChainParticipant[][] = [];
  for (const stop of stops) {
    const last = rows.at(-1);
    const isBeside = stretch === 'validating' && stop.type === 'webhook' && last?.[0]?.type === 'webhook';
    if (isBeside) last.push(stop);
    else rows.push([stop]);
  }
  return rows;
}

interface StopButtonProps {
  readonly stop: ChainParticipant;
  readonly isPointed: boolean;
  readonly onPoint: (key: string) => void;
}

function StopButton({ stop, isPointed, onPoint }: StopButtonProps) {
  const { key, type, tone } = stop;
  return (
    <button
      type="button"
      class={`stop is-${type} tone-${tone}`}
      aria-current={isPointed ? 'true' : undefined}
      aria-controls={stopPanelId}
      onFocus={() => onPoint(key)}
      onMouseEnter={() => onPoint(key)}
      onClick={() => onPoint(key)}
      onKeyDown={moveFocus}
    >
      <StopText stop={stop} />
    </button>
  );
}

function StopText({ stop }: { readonly stop: ChainParticipant }) {
  const { type, name, within, word, tone, because, terms, health } = stop;
  if (type === 'plugins' || type === 'server') {
    return (
      <>
        {type === 'plugins' && <strong>{word}</strong>}
        <span class="quiet">{name}</span>
      </>
    );
  }
  return (
    <>
      <span class="stop-head">
        <span class="badge">{word}</span>
        <strong>{name}</strong>
        <span class="quiet">{type === 'policy' ? `policy ${within}` : within}</span>
      </span>
      <span class={tone === 'good' || tone === 'quiet' ? 'quiet' : ''}>
        {because.length === 0 ? terms : because.join('; ')}
      </span>
      {health && health.tone !== 'quiet' && <span class={`health-${health.tone}`}>{health.text}</span>}
    </>
  );
}

/** Arrows go from stop to stop. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const all = [...(event.currentTarget.closest('.chain-picture')?.querySelectorAll<HTMLElement>('.stop') ?? [])];
  all[all.indexOf(event.currentTarget) + step]?.focus();
  event.preventDefault();
}
