import type { ChainParticipant, ChainSection } from '../../explain/render/chain-model.ts';

export interface ChainPictureProps {
  readonly sections: readonly ChainSection[];
  readonly pointed: string;
  readonly onPoint: (key: string) => void;
}

export const participantPanelId = 'participant-details';

/** The stages of a request, from top to bottom; each participant can be selected. */
export const ChainPicture = ({ sections, pointed, onPoint }: ChainPictureProps) => (
  <ol class="chain-picture" aria-label="The chain, in its order">
    {sections.map((section) => (
      <li key={section.name} class={`chain-section is-${section.name}`}>
        <h3>{section.title}</h3>
        {section.participants.length === 0 ? (
          <p class="quiet">none</p>
        ) : (
          <Participants section={section} pointed={pointed} onPoint={onPoint} />
        )}
      </li>
    ))}
  </ol>
);

interface ParticipantsProps extends Pick<ChainPictureProps, 'pointed' | 'onPoint'> {
  readonly section: ChainSection;
}

const Participants = ({ section: { name, participants }, pointed, onPoint }: ParticipantsProps) => (
  <ol class="participants">
    {besideEachOther(participants, name).map((row) => (
      <li key={row[0]?.key} class={row.length > 1 ? 'is-side-by-side' : ''}>
        {row.map((participant) => (
          <ParticipantButton
            key={participant.key}
            participant={participant}
            isPointed={participant.key === pointed}
            onPoint={onPoint}
          />
        ))}
      </li>
    ))}
  </ol>
);

/** Validating webhooks are called at the same time; all others one after the other. */
function besideEachOther(
  participants: readonly ChainParticipant[],
  section: ChainSection['name'],
): readonly (readonly ChainParticipant[])[] {
  const rows: ChainParticipant[][] = [];
  for (const participant of participants) {
    const last = rows.at(-1);
    const isBeside = section === 'validating' && participant.type === 'webhook' && last?.[0]?.type === 'webhook';
    if (isBeside) last.push(participant);
    else rows.push([participant]);
  }
  return rows;
}

interface ParticipantButtonProps {
  readonly participant: ChainParticipant;
  readonly isPointed: boolean;
  readonly onPoint: (key: string) => void;
}

function ParticipantButton({ participant, isPointed, onPoint }: ParticipantButtonProps) {
  const { key, type, tone } = participant;
  return (
    <button
      type="button"
      class={`participant is-${type} tone-${tone}`}
      aria-current={isPointed ? 'true' : undefined}
      aria-controls={participantPanelId}
      onFocus={() => onPoint(key)}
      onMouseEnter={() => onPoint(key)}
      onClick={() => onPoint(key)}
      onKeyDown={moveFocus}
    >
      <ParticipantText participant={participant} />
    </button>
  );
}

function ParticipantText({ participant }: { readonly participant: ChainParticipant }) {
  const { type, name, within, word, tone, because, terms, health } = participant;
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
      <span class="participant-head">
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

/** Arrows go from participant to participant. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const all = [...(event.currentTarget.closest('.chain-picture')?.querySelectorAll<HTMLElement>('.participant') ?? [])];
  all[all.indexOf(event.currentTarget) + step]?.focus();
  event.preventDefault();
}
